import Foundation
package import StoreKit

extension StoreTransaction {
    /// Creates the value for the current state of StoreKit's transaction.
    init(_ transaction: SKPaymentTransaction, payment: PaymentRequest, token: TransactionToken) {
        let state = State(transaction.transactionState)
        self.init(
            token: token, state: state, productID: payment.productID, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, offerID: payment.offer?.id,
            id: transaction.transactionIdentifier, purchaseDate: transaction.transactionDate,
            original: transaction.original.map {
                Original(id: $0.transactionIdentifier, purchaseDate: $0.transactionDate)
            },
            error: state == .failed
                ? transaction.error.map { StoreError(paymentError: $0, for: payment.productID) } : nil,
            downloads: transaction.storeDownloads(of: token))
    }
}

extension StoreTransaction.State {
    fileprivate init(_ state: SKPaymentTransactionState) {
        switch state {
        case .purchasing: self = .purchasing
        case .purchased: self = .purchased
        case .failed: self = .failed
        case .restored: self = .restored
        case .deferred: self = .deferred
        // A state that Apple may add: there is nothing to deliver or to finish.
        @unknown default: self = .purchasing
        }
    }
}

extension PaymentRequest {
    /// Creates the value for StoreKit's payment; for an empty one if StoreKit has lost it.
    init(_ payment: SKPayment?) {
        self.init(
            productID: payment?.productIdentifierOrNil ?? "", quantity: payment?.quantity ?? 1,
            applicationUsername: payment?.applicationUsername.flatMap { $0.isEmpty ? nil : $0 },
            offer: payment?.paymentDiscount.map { PurchaseOffer($0) })
    }
}

extension PurchaseOffer {
    package init(_ discount: SKPaymentDiscount) {
        self = .promotional(
            id: discount.identifier, keyID: discount.keyIdentifier, nonce: discount.nonce,
            signature: discount.signature,
            timestamp: discount.timestamp.int64Value)
    }
}
