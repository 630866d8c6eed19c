public import Foundation

/// Delivers purchases for the whole store: those that answer a call without a closure, and those that nobody asked for.
///
/// Installed with ``PurchaseStore/setDelivery(_:)-(PurchaseDelivery)``. It is called in no particular isolation, for several requests at once, but never for
/// one transaction twice at the same time. It may be called again for a purchase that it has delivered before (a crash
/// before the transaction was finished, a restore): ``StorePurchase/deliveryKey`` stays the same then. With a ``DeliveryLedger``, a crash
/// repeats a delivery only if it came before the key was written.
public protocol PurchaseDelivery: Sendable {
    /// Delivers what was bought, and says what is to become of the transactions.
    ///
    /// The task is cancelled when the store is closed; the transactions stay unfinished then, whatever is returned.
    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision
}

/// What is to become of the transactions of a delivery.
public enum DeliveryDecision: Sendable, Hashable {
    /// Delivered: finish them.
    case accepted
    /// Never to be delivered, for the reason given: finish them, and tell whoever waits.
    case rejected(reason: String)
    /// Not delivered yet: keep them, and try again, after so many seconds if a number is given.
    ///
    /// A call that waits throws ``StoreError/Code/deliveryPending``. The reason is the message of the error underneath.
    case retryLater(after: TimeInterval?, reason: String? = nil)

    /// Not delivered yet: keep them, and try again after a while that grows with each attempt.
    public static let retryLater = DeliveryDecision.retryLater(after: nil)
}

/// Purchases to be delivered together: one purchase, or all that one restore brought.
public struct DeliveryRequest: Sendable, Hashable {
    /// The purchases; at least one. ``StorePurchase/finish()`` does nothing on them: the decision finishes.
    public let purchases: [StorePurchase]
    /// How they came about.
    public let cause: StorePurchase.Cause
    /// How often these have been tried before; 0 the first time.
    public let attempt: Int
    /// The receipt on the device at this moment; `nil` when there is none.
    public let receipt: Data?
    let refresh: ReceiptRefresh

    /// Asks the App Store for a new receipt, for when ``receipt`` does not hold the purchases yet; people may be asked for
    /// their password.
    ///
    /// Deliveries and callers of ``PurchaseStore/refreshReceipt()`` at the same time share one request.
    /// - Throws: What ``PurchaseStore/refreshReceipt()`` throws, and ``StoreError/Code/receiptUnavailable`` when there is still none.
    public func refreshedReceipt() async throws(StoreError) -> Data {
        try await refresh()
    }
}

/// How a delivery gets a new receipt. It takes no part in its request's equality.
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
