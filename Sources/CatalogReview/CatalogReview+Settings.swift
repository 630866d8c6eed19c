import AppStoreSimulator
import Foundation

// Settings for tests that stay on, and dates.
extension CatalogReview {
    private static let failureSwitches = [
        "_failTransactionsEnabled": "makes purchases fail",
        "_interruptedPurchasesEnabled": "interrupts purchases",
        "_billingIssuesEnabled": "interrupts purchases",
        "_renewalBillingIssuesEnabled": "makes renewals fail",
        "_askToBuyEnabled": "makes purchases wait for approval",
    ]

    var settingFindings: [CatalogFinding] {
        guard let settings = root.member("settings") else { return [] }
        var findings = regionFindings
        if let rate = settings.member("_timeRate"), case .number(let number) = rate.value, number != 0 {
            findings.append(
                .init(
                    .timeRate, at: rate.keyPath,
                    "Subscriptions don't run in real time. Turn off the time rate under Editor > Subscription Renewal Rate."
                ))
        }
        for (key, effect) in Self.failureSwitches.sorted(by: { $0.key < $1.key }) where settings.isOn(key) {
            findings.append(
                .init(
                    .simulatedFailures, at: settings.path(of: key),
                    "The setting \(effect). Turn it off in Xcode's Editor menu."))
        }
        for error in settings.members("_storeKitErrors") where error.isOn("enabled") {
            findings.append(
                .init(
                    .simulatedFailures, at: error.path(of: "enabled"),
                    "The simulated error for \"\(error.text("name") ?? "an unknown call")\" is on. Turn it off in Xcode."
                ))
        }
        return findings
    }

    /// Dates until which something is valid, such as the end of an offer, that have passed.
    func dateFindings(_ now: Date) -> [CatalogFinding] {
        var findings: [CatalogFinding] = []
        func search(_ node: ConfigurationNode) {
            switch node.value {
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    search(ConfigurationNode(value: element, keyPath: "\(node.keyPath)[\(index)]"))
                }
            case .object(let members):
                for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                    let member = ConfigurationNode(value: value, keyPath: node.path(of: key))
                    search(member)
                    guard Self.isEnd(key), let date = Self.date(value), date < now else { continue }
                    findings.append(
                        .init(
                            .pastDate, at: member.keyPath,
                            "The date \(value.summary) has passed. Enter a later date, or remove the entry."))
                }
            default: break
            }
        }
        search(root)
        return findings
    }

    // The settings of Xcode begin with an underscore, such as the date of the last synchronization.
    private static func isEnd(_ key: String) -> Bool {
        let key = key.lowercased()
        return !key.hasPrefix("_") && ["enddate", "expirationdate", "expiresdate"].contains { key.hasSuffix($0) }
    }

    /// Reads a date of ISO 8601, with or without a time, or a number of seconds since 2001, as Xcode writes it.
    private static func date(_ value: ConfigurationNode.Value) -> Date? {
        switch value {
        case .number(let number):
            return Date(timeIntervalSinceReferenceDate: NSDecimalNumber(decimal: number).doubleValue)
        case .string(let text):
            let formatter = ISO8601DateFormatter()
            if let date = formatter.date(from: text) { return date }
            formatter.formatOptions.insert(.withFractionalSeconds)
            if let date = formatter.date(from: text) { return date }
            formatter.formatOptions = .withFullDate
            // The date is in the past when its day has passed.
            return text.count == 10 ? formatter.date(from: text)?.addingTimeInterval(86_400) : nil
        default: return nil
        }
    }
}
