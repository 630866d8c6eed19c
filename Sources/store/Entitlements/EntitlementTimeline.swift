import AppReceipt
import AsyncStoreKit
import Foundation

/// What a customer could use day by day.
struct EntitlementTimeline {
    /// One product's days in one state.
    struct Span: Equatable {
        let state: StoreEntitlement.State
        let firstDay: Int
        /// The day after the last.
        var end: Int
    }

    /// How far a customer has come with a commitment.
    struct Commitment: Equatable {
        let month: Int64
        let months: Int64
        let end: Date
        let renews: Bool

        var words: String {
            let sequel = renews ? "renews" : "doesn't renew"
            return "month \(month) of \(months), to \(EntitlementTimeline.text(end)); the commitment \(sequel)"
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

    /// Adds a day.
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
                spans[entitlement.productID, default: []].append(Span(state: entitlement.state, firstDay: days, end: days + 1))
            }
        }
        days += 1
    }

    /// The products in the order in which the customer had them first.
    var products: [String] {
        spans.keys.sorted { (spans[$0]?.first?.firstDay ?? 0, $0) < (spans[$1]?.first?.firstDay ?? 0, $1) }
    }

    func date(ofDay day: Int) -> Date { start.addingTimeInterval(Double(day) * 86_400) }

    private func state(of product: String, onDay day: Int) -> StoreEntitlement.State? {
        spans[product]?.first { $0.firstDay <= day && day < $0.end }?.state
    }
}

// Drawing.
extension EntitlementTimeline {
    private static let daysPerColumn = 7

    /// What stands for a state, and how it looks where there are colors.
    private static let signs: [(state: StoreEntitlement.State, sign: String, style: Console.Style, name: String)] = [
        (.active, "━", .good, "may use it"), (.inGracePeriod, "~", .good, "in the grace period"),
        (.inBillingRetry, "!", .bad, "in billing retry"), (.expired, "·", .quiet, "expired"), (.revoked, "x", .bad, "refunded"),
        (.upgraded, "^", .quiet, "upgraded"),
    ]

    /// A line a product, a column a week: what was on its last day.
    func draw(named name: String, on console: Console) {
        console.line(.init("\(name), \(days) days from \(Self.text(start)), a column a week", .heading))
        let width = products.map(\.count).max() ?? 0
        console.line(.init(String(repeating: " ", count: width + 2) + scale, .quiet))
        for product in products {
            let columns = stride(from: 0, to: days, by: Self.daysPerColumn).map { first in
                state(of: product, onDay: min(first + Self.daysPerColumn, days) - 1)
            }
            let cells = columns.map { state in
                guard let state else { return Console.Span(" ") }
                let known = Self.signs.first { $0.state == state }
                return Console.Span(known?.sign ?? "?", known?.style ?? .plain)
            }
            console.line([.init(product.padding(toLength: width + 2, withPad: " ", startingAt: 0))] + cells)
        }
        if products.isEmpty { console.line(.init("The customer never had anything.")) }
        console.line(.init(Self.signs.map { "\($0.sign) \($0.name)" }.joined(separator: "   "), .quiet))
        for product in products {
            if let commitment = commitments[product] { console.line(.init("\(product): \(commitment.words)")) }
        }
        console.line(.init(""))
        for step in steps {
            let what = [step.action.rawValue, step.productID].compactMap(\.self).joined(separator: " ")
            console.line(.init("day \(String(step.day).leftPadded(to: 4))  \(Self.text(date(ofDay: step.day)))  \(what)"))
        }
    }

    /// The months, each where it begins.
    private var scale: String {
        var scale = ""
        var last = -1
        for column in 0..<((days + Self.daysPerColumn - 1) / Self.daysPerColumn) {
            let month = Self.calendar.component(.month, from: date(ofDay: column * Self.daysPerColumn))
            if month != last {
                last = month
                scale += String(repeating: " ", count: max(0, column - scale.count)) + Self.months[(month - 1) % 12]
            }
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
