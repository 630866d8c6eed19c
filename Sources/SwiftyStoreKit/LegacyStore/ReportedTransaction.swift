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
    private let hasObjects: Bool
    private let isDelivered: Bool

    private init(_ value: StoreTransaction, isDelivered: Bool, _ object: SKPaymentTransaction?, hasObjects: Bool) {
        self.value = value
        self.isDelivered = isDelivered
        self.object = object
        self.hasObjects = hasObjects
    }

    /// - Parameter backend: Where the object is kept; `nil` over an engine without objects.
    init(_ transaction: StoreTransaction, isDelivered: Bool = false, from backend: StoreKit1Backend?) {
        self.init(
            transaction, isDelivered: isDelivered, backend?.transactions(for: [transaction.token]).first ?? nil, hasObjects: backend != nil)
    }

    /// Records that were told together, looked up at once.
    static func all(_ records: [PurchaseRecord], from backend: StoreKit1Backend?) -> [ReportedTransaction] {
        let objects = backend?.transactions(for: records.map(\.transaction.token))
        return records.indices.map { place in
            ReportedTransaction(
                records[place].transaction, isDelivered: records[place].isDelivered, objects?[place], hasObjects: backend != nil)
        }
    }

    /// Whether there is something to deliver, and nobody has.
    var awaitsDelivery: Bool { !isDelivered && (value.state == .purchased || value.state == .restored) }

    private var transaction: any PaymentTransaction {
        guard hasObjects else { return ValueTransaction(value) }
        return object ?? RemovedTransaction(value)
    }

    private var original: (any PaymentTransaction)? {
        if let object { return object.original }
        // As over StoreKit 1, where a renewal has none.
        guard value.original != nil, value.state == .restored else { return nil }
        return hasObjects
            ? RemovedTransaction(value, isOriginal: true) as any PaymentTransaction : ValueTransaction(value, isOriginal: true)
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
