import AsyncStoreKit
import Foundation
import StoreKit

/// Stands for a transaction that somebody else has finished before it could be handed out: its object is gone from the queue.
struct DepartedTransaction: PaymentTransaction {
    let transactionDate: Date?
    let transactionState: SKPaymentTransactionState
    let transactionIdentifier: String?

    init(_ transaction: StoreTransaction) {
        transactionDate = transaction.purchaseDate
        transactionIdentifier = transaction.id
        transactionState =
            switch transaction.state {
            case .purchasing: .purchasing
            case .purchased: .purchased
            case .failed: .failed
            case .restored: .restored
            case .deferred: .deferred
            }
    }

    init(original: StoreTransaction.Original) {
        transactionDate = original.purchaseDate
        transactionIdentifier = original.id
        transactionState = .purchased
    }
}
