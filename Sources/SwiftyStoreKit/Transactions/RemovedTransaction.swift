import AsyncStoreKit
import Foundation
import StoreKit

/// Stands for a transaction whose object is not known any more: somebody else has finished it before it could be handed out.
///
/// An `SKPaymentTransaction` itself, because the old documentation invites casts to it.
// @unchecked because: nothing in it changes.
final class RemovedTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let value: StoreTransaction
    /// Whether it stands for the transaction that `value` repeats.
    private let isOriginal: Bool

    init(_ transaction: StoreTransaction, isOriginal: Bool = false) {
        value = transaction
        self.isOriginal = isOriginal
        super.init()
    }

    override var transactionDate: Date? { isOriginal ? value.original?.purchaseDate : value.purchaseDate }
    override var transactionIdentifier: String? { isOriginal ? value.original?.id : value.id }
    override var error: (any Error)? { isOriginal ? nil : value.error.map { SKError($0) } }

    override var original: SKPaymentTransaction? {
        isOriginal || value.original == nil ? nil : RemovedTransaction(value, isOriginal: true)
    }

    override var transactionState: SKPaymentTransactionState {
        isOriginal ? .purchased : SKPaymentTransactionState(value.state)
    }

    override var payment: SKPayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = value.productID
        payment.quantity = value.quantity
        payment.applicationUsername = value.applicationUsername
        return payment
    }
}

extension SKPaymentTransactionState {
    init(_ state: StoreTransaction.State) {
        switch state {
        case .purchasing: self = .purchasing
        case .purchased: self = .purchased
        case .failed: self = .failed
        case .restored: self = .restored
        case .deferred: self = .deferred
        }
    }
}
