package import AppReceipt
package import Foundation

/// The customer's purchases that the device knows, in one of the App Store's two forms.
package enum PurchaseHistory: Sendable {
    /// The receipt of StoreKit 1: one signed file, not verified yet.
    case receipt(Data)
    /// The signed transactions of StoreKit 2, verified by StoreKit.
    case signed(PurchaseListing)
}

/// The customer's purchases from one read of the device, or from the entitlement cache.
///
/// Everything but ``past`` can give access. ``past`` is information: it says why access ended.
package struct PurchaseListing: Sendable {
    /// The current entitlements, in any order and with repetitions. They belong to the customer.
    package var transactions: [VerifiedTransaction]
    /// The latest transaction of each subscription status. They belong to the customer, too.
    package var subscriptions: [VerifiedTransaction]
    /// The states of the subscriptions whose transaction verifies, group by group. The App Store doesn't sign a state.
    package var statuses: [SubscriptionStatusReport]
    /// The latest transaction of each product that an earlier read listed, and this one doesn't.
    package var latest: [VerifiedTransaction]
    /// Transactions that the app hasn't finished: purchases that the current entitlements may not list yet.
    package var unfinished: [VerifiedTransaction]
    /// Transactions of the full history, if it has been read, and those whose access has ended in a cache. They never
    /// give access: StoreKit sometimes lists purchases of another Apple Account in the history.
    package var past: [VerifiedTransaction]
    package var hasReadPast = true
    /// How the subscriptions continue.
    package var renewals: [VerifiedRenewal]
    /// The products of transactions and renewals that don't verify. They're left out.
    package var unverifiedProductIDs: Set<String>
    /// Why the listing may be incomplete; `nil` if everything was read.
    package var failure: StoreError?
    /// The customer that the listed transactions name; `nil` if they don't.
    package var customerID: String?
    package private(set) var latestSignedDate: Date?
    /// The receipt that the listing was read from. It's signed as a whole, so nothing is missing from an empty one.
    package var receipt: Receipt?
    /// When reads last confirmed the purchases that give access, or that there are none. Only the cache has it.
    package var confirmedDate: Date?
    /// When the cache was saved; `nil` for another source, and for a cache without a valid seal.
    package var savedDate: Date?

    package init(
        transactions: [VerifiedTransaction] = [],
        subscriptions: [VerifiedTransaction] = [], statuses: [SubscriptionStatusReport] = [],
        latest: [VerifiedTransaction] = [], unfinished: [VerifiedTransaction] = [],
        past: [VerifiedTransaction] = [], renewals: [VerifiedRenewal] = [],
        unverifiedProductIDs: Set<String> = [], failure: StoreError? = nil
    ) {
        self.transactions = transactions
        self.subscriptions = subscriptions
        self.latest = latest
        self.unfinished = unfinished
        self.past = past
        self.renewals = renewals
        self.statuses = statuses
        self.unverifiedProductIDs = unverifiedProductIDs
        self.failure = failure
    }

    package mutating func addSignedDate(_ date: Date?) {
        guard let date else { return }
        if let latest = latestSignedDate, latest >= date { return }
        latestSignedDate = date
    }
}

/// The state of a subscription, as StoreKit 2 reports it beside the latest transaction of the subscription.
package struct SubscriptionStatusReport: Sendable, Hashable {
    package let groupID: String
    package let state: SubscriptionState
    /// The product of the latest transaction.
    package let productID: String
    /// The identifier of the latest transaction.
    package let transactionID: String
    /// The identifier of the first transaction of the subscription.
    package let originalTransactionID: String
    package var isFamilyShared = false
}
