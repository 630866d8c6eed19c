public import Foundation

/// The date for the evaluation of a subscription. There is no default, because no choice is right everywhere.
public enum ReceiptEvaluationDate: Hashable, Sendable {
    /// The current date. Right for stored receipts; wrong if the customer sets back the clock. Receipts that a store
    /// verified with a simulated App Store use the clock of the simulator.
    case now
    /// The date of Apple's response, otherwise the receipt's creation date, otherwise the current date. Right for a new
    /// receipt; wrong for an old one, in which subscriptions never expire.
    case requestDate
    /// A date of your choice, such as the current date of a server or the publication date of an issue. Periods that
    /// start later are ignored, with a tolerance of one day, because receipts list renewals up to a day before they
    /// start.
    case date(Date)

    /// The maximum time between the listing of a renewal and its start.
    static let renewalLead: TimeInterval = 86_400

    func date(for receipt: Receipt) -> Date {
        switch self {
        case .now: receipt.clock()
        case .requestDate: receipt.requestDate ?? receipt.creationDate ?? receipt.clock()
        case .date(let date): date
        }
    }

    /// Returns the latest start of a period that is evaluated. Without a date, all periods in the receipt are
    /// evaluated, because the device's clock may be wrong.
    func horizon(for receipt: Receipt) -> Date {
        if case .date(let date) = self { return date.addingTimeInterval(Self.renewalLead) }
        return Self.endOfTime
    }

    /// A date after all dates in receipts, which may be up to the year 9999. `distantFuture` is in the year 4001.
    static let endOfTime = Date(timeIntervalSince1970: .greatestFiniteMagnitude)
}
