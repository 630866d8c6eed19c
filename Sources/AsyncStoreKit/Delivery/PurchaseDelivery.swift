public import Foundation

/// Delivers the purchases of a store: those of calls without a closure, and those made outside a call.
///
/// Install a delivery with ``PurchaseStore/setDelivery(_:)-(PurchaseDelivery)``. A delivery that is isolated, such as
/// an actor or a class on the main actor, runs there. Any other one runs on the shared thread pool. The store calls it
/// concurrently for several requests, but never twice at once for one transaction. The store may deliver a purchase
/// again: after a crash before the transaction was finished, or with a restore. ``StorePurchase/deliveryKey`` then
/// stays the same. With a ``DeliveryLedger``, a crash repeats a delivery only if it happened before the key was
/// written.
public protocol PurchaseDelivery: Sendable {
    /// Delivers purchases, and returns the decision about their transactions.
    ///
    /// The task is canceled when the store is closed. If that happens before the function returns, the transactions
    /// stay unfinished, whatever it returns, and are delivered again in the next launch, with the same
    /// ``StorePurchase/deliveryKey``.
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
    /// number of seconds, at most a day, and a random part of the same length, at most an hour, so that not all
    /// customers come back in the same second. For `nil`, the pause grows up to an hour.
    ///
    /// Other purchases wait, too, because most failures are the server's or the network's: one purchase at a time is
    /// tried until one is accepted or rejected. A purchase that a call waits for is delivered at once.
    ///
    /// A waiting call throws ``StoreError/Code/deliveryPending``, with the reason as the message of the error
    /// underneath.
    case retryLater(after: TimeInterval?, reason: String? = nil)
    /// A decision for each purchase, by its ``StorePurchase/deliveryKey``. A purchase that isn't named is tried again.
    ///
    /// The purchases that are accepted and rejected are finished, and only the others are tried again. A call of
    /// `restore` that waits throws ``StoreError/Code/deliveryPending`` if any purchase is tried again.
    /// ``PurchaseStore/transactions`` then has the delivered ones. A rejected purchase isn't part of the outcome, and
    /// the call throws ``StoreError/Code/deliveryRejected`` only if no purchase was accepted.
    indirect case each([String: DeliveryDecision])

    /// The content isn't delivered yet. The delivery is tried again after a growing pause.
    public static let retryLater = DeliveryDecision.retryLater(after: nil)

    /// The decision for one purchase.
    package func decision(for key: String) -> DeliveryDecision {
        guard case .each(let decisions) = self else { return self }
        return decisions[key]?.decision(for: key) ?? .retryLater
    }
}

/// Purchases to deliver together: one purchase, or all purchases of a restore.
public struct DeliveryRequest: Sendable {
    /// The purchases, at least one. ``StorePurchase/finish()`` has no effect on them, because the decision finishes
    /// them.
    public package(set) var purchases: [StorePurchase]
    /// Why the store received the purchases.
    public let cause: StorePurchase.Cause
    /// The number of earlier attempts; 0 the first time.
    public let attempt: Int
    /// The status of your server's last response to these purchases, in this launch, over
    /// `HTTPPurchaseDelivery`;
    /// `nil` the first time, and after an attempt without a response.
    public internal(set) var lastStatus: Int?
    let deviceReceipt: DeviceReceipt
    /// Where the delivery records the reason for its decision.
    package var journal = DeliveryJournal()

    /// The receipt on the device, read at each access; `nil` if the device has no receipt.
    public var receipt: Data? { try? deviceReceipt.data() }

    /// Requests a new receipt from the App Store, for use when ``receipt`` lacks the purchases. The system may ask the
    /// customer for their password.
    ///
    /// Concurrent deliveries and calls of ``StoreReceipt/refresh()`` share one request.
    /// - Throws: The errors of ``StoreReceipt/refresh()``, and ``StoreError/Code/receiptUnavailable`` if
    ///   there's still none.
    public func refreshedReceipt() async throws(StoreError) -> Data {
        try await deviceReceipt.refresh()
        return try deviceReceipt.data()
    }
}

// The receipt and the journal are ignored.
extension DeliveryRequest: Hashable {
    /// Returns whether both are the same attempt to deliver the same purchases.
    public static func == (left: DeliveryRequest, right: DeliveryRequest) -> Bool {
        left.purchases == right.purchases && left.cause == right.cause && left.attempt == right.attempt
            && left.lastStatus == right.lastStatus
    }

    /// Hashes the purchases and the number of the attempt.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(purchases)
        hasher.combine(attempt)
    }
}

extension DeliveryRequest: CustomStringConvertible {
    /// The purchases, the cause, and the number of the attempt.
    public var description: String {
        let purchases = purchases.map(\.transaction.description).joined(separator: "; ")
        return "\(purchases) (\(cause), attempt \(attempt))"
    }
}

/// The purchases that the current task is delivering. A restore that a delivery asks for doesn't wait for them.
enum EnclosingDelivery {
    @TaskLocal static var keys: Set<String> = []
}
