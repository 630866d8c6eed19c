import AsyncStoreKit
import Foundation
import StoreKit

/// A transaction of an engine without transaction objects: StoreKit 2, and simulated backends.
struct ValueTransaction: PaymentTransaction {
    let value: StoreTransaction
    /// Whether the object represents the original transaction of `value`.
    private let isOriginal: Bool

    init(_ transaction: StoreTransaction, isOriginal: Bool = false) {
        value = transaction
        self.isOriginal = isOriginal
    }

    var transactionDate: Date? { isOriginal ? value.original?.purchaseDate : value.purchaseDate }
    var transactionIdentifier: String? { isOriginal ? value.original?.id : value.id }
    var transactionState: SKPaymentTransactionState { isOriginal ? .purchased : SKPaymentTransactionState(value.state) }

    /// The transaction to finish; `nil` for an original, which is already finished.
    var token: TransactionToken? { isOriginal ? nil : value.token }
}
