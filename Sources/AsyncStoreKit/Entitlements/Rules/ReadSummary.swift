import AppReceipt
import Foundation

/// What the last read of the device said as a whole. Each read replaces it.
struct ReadSummary: Sendable {
    private(set) var outcome = EntitlementConfirmation.Listing.none
    /// The moment that the read is about.
    private(set) var date = Date.distantPast
    /// When the read began, by the device's clock.
    private(set) var begun = Date.distantPast
    /// When reads began to list nothing, by the device's clock.
    private(set) var emptySince: Date?
    /// The states of the subscriptions, by original transaction.
    private(set) var statuses: [String: SubscriptionStatusReport] = [:]
    /// The groups with a status.
    private(set) var groups: Set<String> = []
    /// The original transactions of the current entitlements.
    private(set) var originals: Set<String> = []
    /// The purchases that the read lacks although StoreKit's latest transaction of the product is the purchase.
    private(set) var contradicted: Set<TransactionKey> = []
    /// The products with a transaction that doesn't verify.
    private(set) var unverifiedProductIDs: Set<String> = []
    private(set) var hasReadPast = false

    /// No read has ended.
    init() {}

    /// - Parameters:
    ///   - read: The read; `nil` if it failed.
    ///   - date: The moment that the read is about.
    ///   - begun: When the read began, by the device's clock.
    ///   - former: The read before.
    ///   - customerID: The customer, if known.
    init(_ read: PurchaseListing?, at date: Date, begun: Date, after former: ReadSummary, customerID: String?) {
        (self.date, self.begun) = (date, begun)
        guard let read else {
            (outcome, emptySince) = (.failed, former.emptySince)
            return
        }
        outcome =
            read.failure != nil ? .partial : read.transactions.isEmpty && !read.isSignedAsWhole ? .empty : .complete
        // A part of a list may be empty because the rest failed.
        let since = outcome == .empty ? min(former.emptySince ?? begun, begun) : former.emptySince
        emptySince = read.transactions.isEmpty ? since : nil
        // A family may share one subscription several times: the best status is used.
        statuses = Dictionary(read.statuses.map { ($0.originalTransactionID, $0) }) {
            $0.accessRank >= $1.accessRank ? $0 : $1
        }
        groups = Set(read.statuses.map(\.groupID))
        originals = Set(read.transactions.lazy.map(\.facts.originalTransactionID))
        // For a subscription, its group's statuses take precedence over the latest transaction.
        let latest = read.latest.lazy.map(\.facts).filter { [groups] row in
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
        [.expired, .inBillingRetryPeriod, .inGracePeriod, .subscribed].firstIndex(of: state) ?? -1
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
