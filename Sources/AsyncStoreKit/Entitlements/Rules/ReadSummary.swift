import AppReceipt
import Foundation

/// What the last read of the device said as a whole. Each read replaces it.
struct ReadSummary: Sendable {
    let outcome: EntitlementConfirmation.Listing
    /// The moment that the read is about.
    let date: Date
    /// When the read began, by the device's clock.
    let begun: Date
    /// When reads began to list nothing, by the device's clock.
    let emptySince: Date?
    /// The states of the subscriptions, by original transaction.
    let statuses: [String: SubscriptionStatusReport]
    /// The groups with a status.
    let groups: Set<String>
    /// The original transactions of the current entitlements.
    let originals: Set<String>
    /// The purchases that the read lacks although StoreKit's latest transaction of the product is the purchase.
    let contradicted: Set<TransactionKey>
    /// The products with a transaction that doesn't verify.
    let unverifiedProductIDs: Set<String>
    let hasReadPast: Bool

    /// No read has ended.
    static let none = ReadSummary(.none, at: .distantPast, begun: .distantPast)

    /// A read that failed after another one.
    static func failed(at date: Date, begun: Date, after former: ReadSummary) -> ReadSummary {
        ReadSummary(.failed, at: date, begun: begun, after: former)
    }

    private init(
        _ outcome: EntitlementConfirmation.Listing, at date: Date, begun: Date, after former: ReadSummary? = nil
    ) {
        (self.outcome, self.date, self.begun) = (outcome, date, begun)
        emptySince = former?.emptySince
        (statuses, groups, originals, contradicted, unverifiedProductIDs) = ([:], [], [], [], [])
        hasReadPast = former?.hasReadPast ?? false
    }

    /// - Parameters:
    ///   - read: The read.
    ///   - date: The moment that the read is about.
    ///   - begun: When the read began, by the device's clock.
    ///   - former: The read before.
    ///   - customerID: The customer, if known.
    init(_ read: PurchaseListing, at date: Date, begun: Date, after former: ReadSummary, customerID: String?) {
        outcome =
            read.failure != nil ? .partial : read.transactions.isEmpty && !read.isSignedAsWhole ? .empty : .complete
        (self.date, self.begun) = (date, begun)
        // A part of a list may be empty because the rest failed.
        let since = outcome == .empty ? min(former.emptySince ?? begun, begun) : former.emptySince
        emptySince = read.transactions.isEmpty ? since : nil
        // A family may share one subscription several times: the best status is used.
        statuses = Dictionary(read.statuses.map { ($0.originalTransactionID, $0) }) {
            $0.accessRank >= $1.accessRank ? $0 : $1
        }
        let groups = Set(read.statuses.map(\.groupID))
        self.groups = groups
        originals = Set(read.transactions.lazy.map(\.facts.originalTransactionID))
        // For a subscription, its group's statuses take precedence over the latest transaction.
        let latest = read.latest.lazy.map(\.facts).filter { row in
            row.isValid && row.appTransactionID == customerID
                && !(row.subscriptionGroupID.map { groups.contains($0) } ?? false)
        }
        contradicted = customerID == nil ? [] : Set(latest.map(TransactionKey.init))
        unverifiedProductIDs = read.unverifiedProductIDs
        hasReadPast = read.hasReadPast
    }
}

extension SubscriptionStatusReport {
    /// How much access the state gives, compared with others.
    fileprivate var accessRank: Int {
        switch state {
        case .subscribed: 4
        case .inGracePeriod: 3
        case .inBillingRetryPeriod: 2
        case .expired: 1
        default: 0
        }
    }
}

/// The dates that Apple has signed.
struct SignedClock: Sendable {
    /// The latest date that Apple has signed.
    private(set) var latest: Date?
    /// The latest date that Apple has signed about what the device lists, and the date of the read that had it first.
    private var listed: (signed: Date, device: Date)?

    mutating func add(_ date: Date?) {
        if let date { latest = max(latest ?? date, date) }
    }

    /// Records the dates of a read.
    mutating func readEnded(_ read: PurchaseListing, at date: Date) {
        let signed = (read.transactions + read.subscriptions).lazy.compactMap(\.facts.signedDate).max()
        if let signed, signed > listed?.signed ?? .distantPast { listed = (signed, date) }
        // The clock was set back since that read, so measure from this read.
        if let known = listed, date < known.device { listed?.device = date }
        add(read.latestSignedDate)
    }

    /// Returns a moment by which to judge an end in the past. A device's clock may be ahead. If Apple has signed
    /// something since the end, the signature and the time since tell how long ago the period ended.
    func date(since end: Date, at date: Date) -> Date {
        guard let listed, listed.signed >= end else { return date }
        return min(date, listed.signed + max(0, date.timeIntervalSince(listed.device)))
    }
}
