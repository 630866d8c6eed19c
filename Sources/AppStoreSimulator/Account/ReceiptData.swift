import Foundation

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
        originalPurchaseDate = EngineState.startOfTime
        if content.properties.isExpired {
            expirationDate = content.creationDate
        }
        purchases = content.purchases.map { SimulatedReceiptPurchase($0) }
    }
}

extension SimulatedReceiptPurchase {
    /// The purchase as a receipt lists it.
    init(_ record: SimulatedHistoryRecord) {
        let purchaseDate = record.purchaseDate ?? EngineState.startOfTime
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
