import AsyncStoreKit
import Foundation
import StoreKit

/// A transaction as the store knows it, with the object that stands for it.
///
/// The object is looked up as soon as the transaction is told: it is forgotten when the transaction has left the queue, and kept in here until
/// the callback has returned.
struct ReportedTransaction: Sendable {
    let value: StoreTransaction
    private let object: SKPaymentTransaction?
    private let isDelivered: Bool

    init(_ record: PurchaseRecord, from backend: StoreKit1Backend?) {
        self.init(record.transaction, isDelivered: record.isDelivered, from: backend)
    }

    init(_ transaction: StoreTransaction, isDelivered: Bool = false, from backend: StoreKit1Backend?) {
        value = transaction
        object = backend?.transaction(for: transaction.token)
        self.isDelivered = isDelivered
    }

    /// Whether there is something to deliver, and nobody has.
    var awaitsDelivery: Bool { !isDelivered && (value.state == .purchased || value.state == .restored) }

    private var transaction: any PaymentTransaction { object ?? DepartedTransaction(value) }

    private var original: (any PaymentTransaction)? {
        object?.original ?? (value.original == nil ? nil : DepartedTransaction(value, isOriginal: true))
    }

    /// Whether the app is told that it has to finish it: what waits for an approval too, once that is given.
    private func needsFinish(atomically: Bool) -> Bool {
        !atomically && (awaitsDelivery || value.state == .deferred)
    }

    /// - Parameter atomically: whether it is finished as soon as the callback has returned.
    func purchase(atomically: Bool) -> Purchase {
        Purchase(
            productId: value.productID, quantity: value.quantity, transaction: transaction, originalTransaction: original,
            needsFinishTransaction: needsFinish(atomically: atomically))
    }

    /// - Parameter atomically: whether it is finished as soon as the callback has returned.
    func purchase(of product: SKProduct, atomically: Bool) -> PurchaseDetails {
        PurchaseDetails(
            productId: value.productID, quantity: value.quantity, product: product, transaction: transaction,
            originalTransaction: original, needsFinishTransaction: needsFinish(atomically: atomically))
    }
}
