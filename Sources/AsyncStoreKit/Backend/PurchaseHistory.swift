package import AppReceipt
package import Foundation

/// The customer's purchases as far as the device knows them, in one of the App Store's two forms.
package enum PurchaseHistory: Sendable {
    /// The receipt of StoreKit 1: one signed file, not verified yet.
    case receipt(Data)
    /// The signed transactions of StoreKit 2, verified by StoreKit.
    case signed(SignedPurchaseHistory)
}

/// The customer's purchases as StoreKit 2 lists them, and the reason if some are missing.
///
/// Everything but ``past`` can give access. ``past`` is information: it says why access ended.
package struct SignedPurchaseHistory: Sendable {
    /// The current entitlements. They belong to the customer.
    package var transactions: [SignedStatement<ReceiptTransaction>]
    /// The latest transaction of each subscription status. They belong to the customer, too.
    package var subscriptions: [SignedStatement<ReceiptTransaction>]
    /// The latest transaction of each product that an earlier read listed, and this one doesn't.
    package var latest: [SignedStatement<ReceiptTransaction>]
    /// The transactions that the app hasn't finished: evidence of purchases that the current entitlements may not
    /// list yet.
    package var unfinished: [SignedStatement<ReceiptTransaction>]
    /// Transactions of the full history, as far as it has been read. They never give access: the history has been
    /// seen to list purchases of another Apple Account.
    package var past: [SignedStatement<ReceiptTransaction>]
    /// Whether the full history has been read.
    package var hasReadPast = true
    /// How the subscriptions continue.
    package var renewals: [SignedStatement<ReceiptRenewal>]
    /// The states of the subscriptions whose transaction verifies, group by group. The App Store doesn't sign a state.
    package var statuses: [SubscriptionStatusReport]
    /// The products of transactions and renewals that do not verify.
    package var unverifiedProductIDs: Set<String>
    /// Why the history may be incomplete; `nil` if everything was read.
    package var failure: StoreError?

    package init(
        transactions: [SignedStatement<ReceiptTransaction>] = [],
        subscriptions: [SignedStatement<ReceiptTransaction>] = [], statuses: [SubscriptionStatusReport] = [],
        latest: [SignedStatement<ReceiptTransaction>] = [], unfinished: [SignedStatement<ReceiptTransaction>] = [],
        past: [SignedStatement<ReceiptTransaction>] = [], renewals: [SignedStatement<ReceiptRenewal>] = [],
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
}

/// The state of a subscription, as StoreKit 2 reports it beside the latest transaction of the subscription.
package struct SubscriptionStatusReport: Sendable, Hashable {
    package let groupID: String
    package let state: ReceiptSubscriptionState
    /// The product of the latest transaction.
    package let productID: String
    /// The identifier of the latest transaction.
    package let transactionID: String
    /// The identifier of the first transaction of the subscription.
    package let originalTransactionID: String
    /// Whether a family member shares the subscription.
    package let isFamilyShared: Bool

    package init(
        groupID: String, state: ReceiptSubscriptionState, productID: String, transactionID: String,
        originalTransactionID: String, isFamilyShared: Bool = false
    ) {
        self.groupID = groupID
        self.state = state
        self.productID = productID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.isFamilyShared = isFamilyShared
    }
}

/// A decoded value and the signed text that contains it. The text is created when it is read.
package struct SignedStatement<Value: Sendable>: Sendable {
    package let value: Value
    private let text: (@Sendable () -> String)?

    /// - Parameter text: `nil` for a statement without its own signature, as in a receipt.
    package init(_ value: Value, text: (@Sendable () -> String)?) {
        self.value = value
        self.text = text
    }

    /// Returns another value with the same text.
    package func with(_ value: Value) -> SignedStatement { SignedStatement(value, text: text) }

    /// Whether it has its own signature.
    package var isSigned: Bool { text != nil }

    /// The JSON Web Signature.
    package var jws: String? { text?() }
}
