/// A transaction as StoreKit 2 gets it.
package struct SimulatedSignedTransaction: Sendable {
    /// What it says.
    package let record: SimulatedHistoryRecord
    /// The App Store's identifier.
    package let number: UInt64
    /// The identifier of the first transaction of the purchase or subscription.
    package let originalNumber: UInt64
    /// The text that says so.
    package let text: SimulatedSignedText
}

/// How a subscription stands, as StoreKit 2 gets it.
package struct SimulatedSignedStatus: Sendable {
    /// The state.
    package let state: SimulatedSubscriptionStatus.State
    /// The latest transaction that is seen.
    package let transaction: SimulatedSignedTransaction
    /// How it continues.
    package let renewal: SimulatedRenewal
    /// The identifier of the first transaction of the subscription.
    package let originalNumber: UInt64
    /// The text that says how it continues.
    package let renewalText: SimulatedSignedText
}

/// The purchase of the app itself, as StoreKit 2 gets it.
package struct SimulatedSignedAppTransaction: Sendable {
    /// What it says.
    package let transaction: SimulatedAppTransaction
    /// The text that says so.
    package let text: SimulatedSignedText
}
