import AsyncStoreKit
import Foundation
import StoreKit

/// A copy of a transaction, in place of StoreKit's object: for a transaction that waits for approval, whose object can
/// change before the app reads it, and for one that other code has finished before this module could return its object.
///
/// The type inherits from `SKPaymentTransaction`, because SwiftyStoreKit's documentation recommends casts to that
/// class.
// @unchecked because: all properties are immutable.
final class FrozenTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let value: StoreTransaction
    /// Whether the object represents the original transaction of `value`.
    private let isOriginal: Bool
    private let knownPayment: SKPayment?

    /// - Parameter payment: StoreKit's payment, if known. A payment doesn't change.
    init(_ transaction: StoreTransaction, isOriginal: Bool = false, payment: SKPayment? = nil) {
        value = transaction
        knownPayment = payment
        self.isOriginal = isOriginal
        super.init()
    }

    override var transactionDate: Date? { isOriginal ? value.original?.purchaseDate : value.purchaseDate }
    override var transactionIdentifier: String? { isOriginal ? value.original?.id : value.id }
    override var error: (any Error)? { isOriginal ? nil : value.error.map { SKError($0) } }

    override var original: SKPaymentTransaction? {
        isOriginal || value.original == nil ? nil : FrozenTransaction(value, isOriginal: true)
    }

    override var transactionState: SKPaymentTransactionState {
        isOriginal ? .purchased : SKPaymentTransactionState(value.state)
    }

    override var payment: SKPayment {
        if let knownPayment { return knownPayment }
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
