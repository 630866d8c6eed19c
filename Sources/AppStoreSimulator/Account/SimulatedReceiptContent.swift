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

/// The bytes of a receipt file, signed under the simulator's own root if it is to be signed.
func receiptData(for content: SimulatedReceiptContent, signed: Bool) -> Data {
    var issuer = ReceiptIssuer()
    issuer.signs = signed
    return issuer.issue(SimulatedReceipt(content))
}

extension SimulatedReceipt {
    /// The receipt that says what the account's state says.
    init(_ content: SimulatedReceiptContent) {
        self.init(
            bundleID: content.bundleIdentifier, creationDate: content.creationDate,
            environment: content.properties.isVolumePurchase ? .volumePurchase : .sandbox)
        originalPurchaseDate = Date.startOfSimulation
        if content.properties.isExpired {
            expirationDate = content.creationDate
        }
        purchases = content.purchases.map { SimulatedReceiptPurchase($0) }
    }
}

extension SimulatedReceiptPurchase {
    /// The purchase as a receipt lists it.
    init(_ record: SimulatedHistoryRecord) {
        let purchaseDate = record.purchaseDate ?? Date.startOfSimulation
        self.init(
            productID: record.productIdentifier, transactionID: record.transactionIdentifier ?? "", purchaseDate: purchaseDate,
            quantity: Int64(record.quantity))
        originalTransactionID = record.originalTransactionIdentifier
        originalPurchaseDate = record.originalPurchaseDate
        expirationDate = record.expirationDate
        cancellationDate = record.cancellationDate
        promotionalOfferID = record.promotionalOfferIdentifier
        if record.kind == .autoRenewableSubscription {
            isTrialPeriod = record.isTrialPeriod
            isInIntroductoryOfferPeriod = record.isInIntroductoryPricePeriod
            webOrderLineItemID = record.transactionIdentifier.flatMap { Int64($0) }
        }
    }
}
