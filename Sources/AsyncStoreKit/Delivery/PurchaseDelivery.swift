public import Foundation

/// Delivers the purchases of a store: those of calls without a closure, and those made outside a call.
///
/// Install a delivery with ``PurchaseStore/setDelivery(_:)-(PurchaseDelivery)``. The store calls it in no particular
/// isolation, concurrently for several requests, but never twice at once for one transaction. The store may deliver a
/// purchase again: after a crash before the transaction was finished, or with a restore. ``StorePurchase/deliveryKey``
/// then stays the same. With a ``DeliveryLedger``, a crash repeats a delivery only if it happened before the key was
/// written.
public protocol PurchaseDelivery: Sendable {
    /// Delivers purchases, and returns the decision about their transactions.
    ///
    /// The task is cancelled when the store is closed. The transactions stay unfinished then, whatever the function
    /// returns.
    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision
}

/// The decision about the transactions of a delivery.
public enum DeliveryDecision: Sendable, Hashable {
    /// The content is delivered. The transactions are finished.
    case accepted
    /// The content can't be delivered, for this reason. The transactions are finished, and a waiting call throws
    /// ``StoreError/Code/deliveryRejected``.
    case rejected(reason: String)
    /// The content isn't delivered yet. The transactions stay unfinished, and the delivery is tried again after this
    /// number of seconds, or after a growing pause for `nil`.
    ///
    /// A waiting call throws ``StoreError/Code/deliveryPending``, with the reason as the message of the error
    /// underneath.
    case retryLater(after: TimeInterval?, reason: String? = nil)

    /// The content isn't delivered yet. The delivery is tried again after a growing pause.
    public static let retryLater = DeliveryDecision.retryLater(after: nil)
}

/// Purchases to deliver together: one purchase, or all purchases of a restore.
public struct DeliveryRequest: Sendable, Hashable {
    /// The purchases, at least one. ``StorePurchase/finish()`` has no effect on them, because the decision finishes
    /// them.
    public let purchases: [StorePurchase]
    /// Why the store received the purchases.
    public let cause: StorePurchase.Cause
    /// The number of earlier attempts; 0 the first time.
    public let attempt: Int
    /// The receipt on the device; `nil` if the device has no receipt.
    public let receipt: Data?
    let refresh: ReceiptRefresh

    /// Requests a new receipt from the App Store, for use when ``receipt`` lacks the purchases. The system may ask the
    /// customer for their password.
    ///
    /// Concurrent deliveries and calls of ``PurchaseStore/refreshReceipt()`` share one request.
    /// - Throws: The errors of ``PurchaseStore/refreshReceipt()``, and ``StoreError/Code/receiptUnavailable`` if
    ///   there's still none.
    public func refreshedReceipt() async throws(StoreError) -> Data {
        try await refresh()
    }
}

/// The closure by which a delivery requests a new receipt. Ignored when requests are compared.
package struct ReceiptRefresh: Sendable, Hashable {
    private let refresh: @Sendable () async throws(StoreError) -> Data

    package init(_ refresh: @escaping @Sendable () async throws(StoreError) -> Data) {
        self.refresh = refresh
    }

    package func callAsFunction() async throws(StoreError) -> Data {
        try await refresh()
    }

    package static func == (left: ReceiptRefresh, right: ReceiptRefresh) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

/// The purchases that the current task is delivering. A restore that a delivery asks for doesn't wait for them.
enum EnclosingDelivery {
    @TaskLocal static var keys: Set<String> = []
}
