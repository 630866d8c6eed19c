import AppReceipt
import Foundation

extension VerifiedTransaction {
    /// Creates the record of a transaction that the payment queue has reported.
    ///
    /// Over StoreKit 2, StoreKit has verified the signed text, which has the end of the period. Over
    /// StoreKit 1, it isn't signed, and the product's period gives its end.
    ///
    /// Returns `nil` for an unsigned transaction that is restored, or that lacks its identifier or its date.
    /// - Parameter product: Returns a loaded product by its identifier.
    init?(report transaction: StoreTransaction, product: (String) -> StoreProduct?) {
        if let text = transaction.signedText, let info = text.info {
            self.init(info, text: { text.jws })
            return
        }
        guard transaction.state == .purchased, var row = PurchaseFacts(transaction) else { return nil }
        if let product = product(row.productID) {
            row.productKind = ProductKind(product)
            row.subscriptionGroupID = product.subscriptionGroupID
            row.expirationDate = product.subscriptionPeriod.flatMap { $0.end(from: row.purchaseDate) }
        }
        self.init(row)
    }
}

extension ProductKind {
    /// `nil` where the App Store doesn't say: StoreKit 1 identifies a subscription by its period only.
    fileprivate init?(_ product: StoreProduct) {
        guard let kind = product.kind ?? (product.subscriptionPeriod != nil ? .autoRenewable : nil) else { return nil }
        self = kind
    }
}

extension PurchaseFacts {
    /// Creates the row for a reported transaction; `nil` if the report has too few details.
    fileprivate init?(_ transaction: StoreTransaction) {
        guard let id = transaction.id, let date = transaction.purchaseDate else { return nil }
        self.init(
            productID: transaction.productID, transactionID: id, purchaseDate: date, quantity: transaction.quantity,
            originalTransactionID: transaction.originalID, originalPurchaseDate: transaction.originalPurchaseDate)
        appAccountToken = transaction.applicationUsername.flatMap(UUID.init(uuidString:))
    }
}
