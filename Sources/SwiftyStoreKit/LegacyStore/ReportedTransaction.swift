import AsyncStoreKit
import Foundation
import StoreKit

/// A transaction value of the store with its StoreKit object.
///
/// The backend releases an object when its transaction leaves the queue. Therefore the object is looked up when the
/// transaction is reported, and kept in this value until the callback has returned. StoreKit changes the object of a
/// deferred transaction at any time, on any thread, so the callback gets a copy of the reported state.
struct ReportedTransaction: Sendable {
    let value: StoreTransaction
    /// The object, or a copy if its state isn't final; `nil` if it has left the queue.
    private let object: SKPaymentTransaction?
    private let hasObjects: Bool
    private let isDelivered: Bool

    private init(_ value: StoreTransaction, isDelivered: Bool, _ object: SKPaymentTransaction?, hasObjects: Bool) {
        self.value = value
        self.isDelivered = isDelivered
        let isFinal = value.state != .deferred && value.state != .purchasing
        self.object = isFinal ? object : object.map { FrozenTransaction(value, payment: $0.payment) }
        self.hasObjects = hasObjects
    }

    /// Creates a value for a reported transaction.
    ///
    /// - Parameters:
    ///   - transaction: The transaction value.
    ///   - isDelivered: Whether the transaction is already delivered.
    ///   - backend: The backend that keeps the object; `nil` over an engine without objects.
    init(_ transaction: StoreTransaction, isDelivered: Bool = false, from backend: StoreKit1Backend?) {
        self.init(
            transaction, isDelivered: isDelivered, backend?.transactions(for: [transaction.token]).first ?? nil,
            hasObjects: backend != nil)
    }

    /// Returns the values for records that were reported together. Their objects are looked up in one step.
    static func all(_ records: [PurchaseRecord], from backend: StoreKit1Backend?) -> [ReportedTransaction] {
        let objects = backend?.transactions(for: records.map(\.transaction.token))
        return records.indices.map { place in
            ReportedTransaction(
                records[place].transaction, isDelivered: records[place].isHandledElsewhere, objects?[place],
                hasObjects: backend != nil)
        }
    }

    /// Whether the transaction is paid but not delivered.
    var awaitsDelivery: Bool { !isDelivered && (value.state == .purchased || value.state == .restored) }

    private var transaction: any PaymentTransaction {
        guard hasObjects else { return ValueTransaction(value) }
        return object ?? FrozenTransaction(value)
    }

    private var original: (any PaymentTransaction)? {
        if let object { return object.original }
        // Only restored transactions have an original, as in StoreKit 1, where a renewal has none.
        guard value.original != nil, value.state == .restored else { return nil }
        return hasObjects
            ? FrozenTransaction(value, isOriginal: true) as any PaymentTransaction
            : ValueTransaction(value, isOriginal: true)
    }

    /// Whether the app must finish the transaction. A deferred transaction must be finished after its approval.
    private func needsFinish(atomically: Bool) -> Bool {
        !atomically && (awaitsDelivery || value.state == .deferred)
    }

    /// Returns the purchase for a callback.
    ///
    /// - Parameter atomically: Whether the transaction is finished when the callback has returned.
    func purchase(atomically: Bool) -> Purchase {
        Purchase(
            productId: value.productID, quantity: value.quantity, transaction: transaction,
            originalTransaction: original,
            needsFinishTransaction: needsFinish(atomically: atomically))
    }

    /// Returns the purchase with its product for a callback.
    ///
    /// - Parameters:
    ///   - product: The product of the purchase.
    ///   - atomically: Whether the transaction is finished when the callback has returned.
    func purchase(of product: SKProduct, atomically: Bool) -> PurchaseDetails {
        PurchaseDetails(
            productId: value.productID, quantity: value.quantity, product: product, transaction: transaction,
            originalTransaction: original, needsFinishTransaction: needsFinish(atomically: atomically))
    }
}
