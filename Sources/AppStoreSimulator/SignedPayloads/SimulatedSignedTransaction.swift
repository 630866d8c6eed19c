/// A signed transaction for StoreKit 2.
package struct SimulatedSignedTransaction: Sendable {
    /// The contents of the transaction.
    package let record: SimulatedHistoryRecord
    /// The App Store's identifier.
    package let number: UInt64
    /// The identifier of the first transaction of the purchase or subscription.
    package let originalNumber: UInt64
    package let text: SimulatedSignedText
}

/// The signed status of a subscription for StoreKit 2.
package struct SimulatedSignedStatus: Sendable {
    package let state: SimulatedSubscriptionStatus.State
    /// The latest visible transaction.
    package let transaction: SimulatedSignedTransaction
    /// The renewal information.
    package let renewal: SimulatedRenewal
    package let renewalText: SimulatedSignedText
}

/// The signed app transaction for StoreKit 2.
package struct SimulatedSignedAppTransaction: Sendable {
    /// The contents of the transaction.
    package let transaction: SimulatedAppTransaction
    package let text: SimulatedSignedText
}
