import AppReceipt
import AsyncStoreKit
import Foundation

/// The entitlements of a customer, day by day.
struct EntitlementTimeline {
    /// A number of days in which the entitlement to a product has one state.
    struct Span: Equatable {
        let state: SubscriptionState
        let firstDay: Int
        /// The day after the last day.
        var end: Int
    }

    /// The state of a commitment.
    struct Commitment: Equatable {
        let month: Int64
        let months: Int64
        let end: Date
        let renews: Bool

        var words: String {
            let sequel = renews ? "renews" : "doesn't renew"
            return "month \(month) of \(months), until \(EntitlementTimeline.text(end)); the commitment \(sequel)"
        }
    }

    let start: Date
    let steps: [EntitlementScript.Step]
    private(set) var days = 0
    private(set) var spans: [String: [Span]] = [:]
    /// The latest commitment of each product.
    private(set) var commitments: [String: Commitment] = [:]

    init(start: Date, steps: [EntitlementScript.Step]) {
        self.start = start
        self.steps = steps
    }

    /// Adds the entitlements of the next day.
    mutating func add(_ entitlements: StoreEntitlements) {
        for entitlement in entitlements.all {
            if let commitment = entitlement.commitment {
                let renews = entitlement.renewal?.commitment?.willAutoRenew ?? false
                commitments[entitlement.productID] = Commitment(
                    month: commitment.billingPeriodNumber, months: commitment.totalBillingPeriods,
                    end: commitment.expirationDate, renews: renews)
            }
            if let last = spans[entitlement.productID]?.last, last.end == days, last.state == entitlement.state {
                spans[entitlement.productID, default: []][(spans[entitlement.productID]?.count ?? 1) - 1].end = days + 1
            } else {
                spans[entitlement.productID, default: []].append(
                    Span(state: entitlement.state, firstDay: days, end: days + 1))
            }
        }
        days += 1
    }

    /// The products, by the day of their first entitlement.
    var products: [String] {
        spans.keys.sorted { (spans[$0]?.first?.firstDay ?? 0, $0) < (spans[$1]?.first?.firstDay ?? 0, $1) }
    }

    func date(ofDay day: Int) -> Date { start.addingTimeInterval(Double(day) * 86_400) }

    private func state(of product: String, onDay day: Int) -> SubscriptionState? {
        spans[product]?.first { $0.firstDay <= day && day < $0.end }?.state
    }
}

// Drawing.
extension EntitlementTimeline {
    /// The signs of the states, with their appearance on a terminal with colors.
    private static let signs: [(state: SubscriptionState, sign: String, style: Console.Style, name: String)] = [
        (.subscribed, "━", .good, "active"), (.inGracePeriod, "~", .good, "grace period"),
        (.inBillingRetryPeriod, "!", .bad, "billing retry"), (.expired, "·", .quiet, "expired"),
        (.revoked, "x", .bad, "refunded"),
        (.upgraded, "^", .quiet, "upgraded"),
    ]

    // The timeline has at least this many columns, even if names have to be cut.
    private static let leastWidth = 14

    /// Prints a line for each product. A column is a week, or several weeks if the terminal is narrow. It shows the
    /// last day.
    func draw(named name: String, on console: Console) {
        let longest = products.map(\.columnCount).max() ?? 0
        let nameWidth = min(longest, console.columns - 2 - Self.leastWidth)
        let columnCount = console.columns - 2 - nameWidth
        var daysPerColumn = 7
        while (days + daysPerColumn - 1) / daysPerColumn > columnCount { daysPerColumn *= 2 }
        let unit = daysPerColumn == 7 ? "a week" : "\(daysPerColumn / 7) weeks"
        console.line(.init("\(name), \(days) days from \(Self.text(start)), one column for \(unit)", .heading))
        if products.isEmpty {
            console.line(.init("The customer never had an entitlement."))
        } else {
            console.line(.init(String(repeating: " ", count: nameWidth + 2) + scale(daysPerColumn), .quiet))
        }
        for product in products {
            drawLine(of: product, nameWidth: nameWidth, daysPerColumn: daysPerColumn, on: console)
        }
        console.lines(Self.legend(width: console.columns), .quiet)
        for product in products {
            if let commitment = commitments[product] { console.line(.init("\(product): \(commitment.words)")) }
        }
        console.line()
        for step in steps {
            let event = [step.action.rawValue, step.productID].compactMap(\.self).joined(separator: " ")
            let day = "day \(String(step.day).leftPadded(to: 4))  "
            console.line([.init("\(day)\(Self.text(date(ofDay: step.day)))  \(event)")], indent: day.count)
        }
    }

    private func drawLine(of product: String, nameWidth: Int, daysPerColumn: Int, on console: Console) {
        let states = stride(from: 0, to: days, by: daysPerColumn).map { first in
            state(of: product, onDay: min(first + daysPerColumn, days) - 1)
        }
        let cells = states.map { state in
            guard let state else { return Console.Span(" ") }
            let known = Self.signs.first { $0.state == state }
            return Console.Span(known?.sign ?? "?", known?.style ?? .plain)
        }
        let name = product.printable.cut(to: nameWidth)
        console.line([.init(name + String(repeating: " ", count: nameWidth + 2 - name.columnCount))] + cells)
    }

    /// Returns the signs with their names, in lines that break only between them.
    private static func legend(width: Int) -> [String] {
        var lines = [""]
        for item in signs.map({ "\($0.sign) \($0.name)" }) {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = item
            } else if line.count + 3 + item.count <= width {
                lines[lines.count - 1] = line + "   " + item
            } else {
                lines.append(item)
            }
        }
        return lines
    }

    /// Returns a line with the names of months, where there is room.
    private func scale(_ daysPerColumn: Int) -> String {
        var scale = ""
        var last = -1
        for column in 0..<((days + daysPerColumn - 1) / daysPerColumn) {
            let month = Self.calendar.component(.month, from: date(ofDay: column * daysPerColumn))
            if month != last, scale.isEmpty || scale.count < column {
                scale += String(repeating: " ", count: max(0, column - scale.count)) + Self.months[(month - 1) % 12]
            }
            last = month
        }
        return scale
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        return calendar
    }

    static func text(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
