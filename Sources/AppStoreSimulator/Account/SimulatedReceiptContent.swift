package import Foundation

/// What a receipt says, before it is written down and signed.
package struct SimulatedReceiptContent: Sendable, Hashable {
    /// How a subscription group goes on.
    package struct Renewal: Sendable, Hashable {
        /// The group.
        package var groupIdentifier: String
        /// The subscription that runs, or ran last.
        package var productIdentifier: String
        /// What it renews as.
        package var autoRenewProductIdentifier: String
        /// The first transaction of the subscription.
        package var originalTransactionIdentifier: String
        /// Whether it is set to renew.
        package var autoRenews: Bool
        /// Whether the App Store tries to collect the price of a renewal.
        package var isInBillingRetry: Bool
        /// Until when it goes on although a renewal was not paid.
        package var gracePeriodExpirationDate: Date?
    }

    /// The app.
    package var bundleIdentifier: String
    /// When the file was written.
    package var creationDate: Date
    /// The transactions in it, oldest first.
    package var purchases: [SimulatedHistoryRecord]
    /// How subscriptions go on; receipt files of the device do not say it, answers of Apple's server do.
    package var renewals: [Renewal]
    /// What the last refresh asked the receipt to claim.
    package var properties: SimulatedReceiptProperties
}
