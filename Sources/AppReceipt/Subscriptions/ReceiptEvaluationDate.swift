public import Foundation

/// The moment for which a question about a subscription is answered. There is no default: each choice is wrong
/// somewhere.
public enum ReceiptEvaluationDate: Hashable, Sendable {
    /// The device's clock. Right for a receipt kept since yesterday; wrong when the customer turns the clock back. For
    /// a receipt that a store over a simulated App Store has verified, that one's clock.
    case now
    /// The moment at which Apple answered, or, without one, the receipt's creation date: the device's clock is asked
    /// only when a receipt has neither. Right for a fresh receipt; wrong for an old one, in which nothing ever expires.
    case requestDate
    /// A given moment, such as a server's clock or the day of publication of an issue. Periods that begin more than a
    /// day later are left out, as though they had not been bought yet; the day is there because renewals are listed up
    /// to a day before they begin.
    case date(Date)

    /// How long before a period begins its row can be in the receipt.
    static let renewalLead: TimeInterval = 86_400

    func date(for receipt: Receipt) -> Date {
        switch self {
        case .now: receipt.clock()
        case .requestDate: receipt.requestDate ?? receipt.creationDate ?? receipt.clock()
        case .date(let date): date
        }
    }

    /// The latest beginning of a period that counts; every period in the receipt has begun, whatever the device's clock
    /// says.
    func horizon(for receipt: Receipt) -> Date {
        if case .date(let date) = self { return date.addingTimeInterval(Self.renewalLead) }
        return Self.endOfTime
    }

    /// After every date that a receipt may hold: `distantFuture` is in the year 4001, and dates up to the year 9999 are
    /// read.
    static let endOfTime = Date(timeIntervalSince1970: .greatestFiniteMagnitude)
}
