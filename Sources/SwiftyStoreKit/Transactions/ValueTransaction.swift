import AsyncStoreKit
import Foundation
import StoreKit

/// A transaction of an engine that has no objects for them: StoreKit 2, and simulated ones.
struct ValueTransaction: PaymentTransaction {
    let value: StoreTransaction
    /// Whether it stands for the transaction that `value` repeats.
    private let isOriginal: Bool

    init(_ transaction: StoreTransaction, isOriginal: Bool = false) {
        value = transaction
        self.isOriginal = isOriginal
    }

    var transactionDate: Date? { isOriginal ? value.original?.purchaseDate : value.purchaseDate }
    var transactionIdentifier: String? { isOriginal ? value.original?.id : value.id }
    var transactionState: SKPaymentTransactionState { isOriginal ? .purchased : SKPaymentTransactionState(value.state) }

    /// What is to be finished; `nil` for an original, which was finished long ago.
    var token: TransactionToken? { isOriginal ? nil : value.token }
}
