import AppReceipt
import Foundation

extension SignedStatement<ReceiptTransaction> {
    /// Creates the statement of a transaction that the payment queue has reported.
    ///
    /// Over StoreKit 2, StoreKit has verified the signed text, which says until when the purchase counts. Over
    /// StoreKit 1, the statement isn't signed, and the product's period gives its end.
    ///
    /// Returns `nil` for an unsigned transaction that is restored, or that lacks its identifier or its date.
    /// - Parameter product: Returns a loaded product by its identifier.
    init?(report transaction: StoreTransaction, product: (String) -> StoreProduct?) {
        if let text = transaction.signedText, let info = transaction.signedInfo {
            self.init(ReceiptTransaction(info), text: { text.jws })
            return
        }
        guard transaction.state == .purchased, var row = ReceiptTransaction(transaction) else { return nil }
        if let product = product(row.productID) {
            row.productKind = ReceiptProductKind(product)
            row.subscriptionGroupID = product.subscriptionGroupID
            row.expirationDate = product.subscriptionPeriod.flatMap { $0.end(from: row.purchaseDate) }
        }
        self.init(row, text: nil)
    }
}

extension ReceiptProductKind {
    /// `nil` where the App Store doesn't say: StoreKit 1 identifies a subscription by its period only.
    fileprivate init?(_ product: StoreProduct) {
        switch product.kind {
        case .consumable?: self = .consumable
        case .nonConsumable?: self = .nonConsumable
        case .nonRenewable?: self = .nonRenewingSubscription
        case .autoRenewable?: self = .autoRenewableSubscription
        case nil where product.subscriptionPeriod != nil: self = .autoRenewableSubscription
        default: return nil
        }
    }
}

extension ReceiptTransaction {
    /// Creates the row for a reported transaction; `nil` if the report has too few details.
    fileprivate init?(_ transaction: StoreTransaction) {
        guard let id = transaction.id, let date = transaction.purchaseDate else { return nil }
        self.init(
            productID: transaction.productID, transactionID: id, purchaseDate: date, quantity: transaction.quantity,
            originalTransactionID: transaction.originalID, originalPurchaseDate: transaction.originalPurchaseDate)
        appAccountToken = transaction.applicationUsername.flatMap(UUID.init(uuidString:))
    }
}
