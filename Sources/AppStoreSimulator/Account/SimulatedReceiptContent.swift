package import Foundation

/// The contents of a receipt, before it is encoded and signed.
package struct SimulatedReceiptContent: Sendable, Hashable {
    /// The bundle identifier of the app.
    package var bundleID: String
    /// The date on which the file was written.
    package var creationDate: Date
    /// The store that issued the file.
    package var environment: SimulatorBehavior.Environment
    /// The transactions in it, oldest first.
    package var transactions: [SimulatedHistoryRecord]
    /// The receipt properties of the last refresh request.
    package var properties: SimulatedReceiptProperties
}

/// Returns the bytes of a receipt file, with a signature under the simulator's root if `signed` is `true`.
func receiptData(for content: SimulatedReceiptContent, signed: Bool) -> Data {
    var issuer = SimulatedReceiptIssuer()
    issuer.signs = signed
    return issuer.issue(SimulatedReceipt(content))
}

extension SimulatedReceipt {
    init(_ content: SimulatedReceiptContent) {
        self.init(
            bundleID: content.bundleID, creationDate: content.creationDate,
            environment: content.properties.isVolumePurchase ? .volumePurchase : Environment(content.environment))
        originalPurchaseDate = Date.startOfSimulation
        if content.properties.isExpired {
            expirationDate = content.creationDate
        }
        transactions = content.transactions.map { SimulatedReceiptTransaction($0) }
    }
}

extension SimulatedReceipt.Environment {
    fileprivate init(_ environment: SimulatorBehavior.Environment) {
        switch environment {
        case .production: self = .production
        case .sandbox: self = .sandbox
        case .xcode: self = .xcode
        }
    }
}

extension SimulatedReceiptTransaction {
    /// Creates the receipt's entry for a purchase.
    init(_ record: SimulatedHistoryRecord) {
        let purchaseDate = record.purchaseDate ?? Date.startOfSimulation
        self.init(
            productID: record.productID, transactionID: record.transactionID ?? "", purchaseDate: purchaseDate,
            quantity: Int64(record.quantity))
        productType = record.kind.receiptNumber
        originalTransactionID = record.originalTransactionID
        originalPurchaseDate = record.originalPurchaseDate
        expirationDate = record.expirationDate
        revocationDate = record.revocationDate
        promotionalOfferID = record.promotionalOfferID
        if record.kind == .autoRenewableSubscription {
            isTrialPeriod = record.isTrialPeriod
            isInIntroductoryOfferPeriod = record.isInIntroductoryOfferPeriod
            webOrderLineItemID = record.transactionID.flatMap { Int64($0) }
        }
    }
}

extension SimulatedProduct.Kind {
    /// The number that receipts use for the kind.
    fileprivate var receiptNumber: Int64 {
        switch self {
        case .nonConsumable: 0
        case .consumable: 1
        case .nonRenewingSubscription: 2
        case .autoRenewableSubscription: 3
        }
    }
}
