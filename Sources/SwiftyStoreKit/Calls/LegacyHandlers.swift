import AsyncStoreKit
import StoreKit

/// The handlers that an app sets once or through a property.
struct LegacyHandlers: Sendable {
    /// Accepts or holds purchases from the App Store. The backend keeps the closure, too.
    var storePayment: StorePaymentHandler?
    var updatedDownloads: DownloadsHandler?
    /// Whether the first handler of downloads was set.
    var observesDownloads = false
    /// Whether `completeTransactions` was called.
    var completesTransactions = false
    /// Whether `onEntitlementRevocation` was called.
    var observesRevocations = false

    /// Sets a flag. Returns whether the flag was clear before.
    mutating func takeFirst(_ flag: WritableKeyPath<LegacyHandlers, Bool>) -> Bool {
        defer { self[keyPath: flag] = true }
        return !self[keyPath: flag]
    }
}

/// The closure that accepts or holds purchases from the App Store.
// @unchecked because: the closure is called only on the main thread or by the code that set it.
struct StorePaymentHandler: @unchecked Sendable {
    let shouldAdd: (SKPayment, SKProduct) -> Bool
}

/// The arguments of a ``StorePaymentHandler``, which are sent to the main thread.
// @unchecked because: no code changes the payment or the product.
struct StorePaymentQuestion: @unchecked Sendable {
    let payment: SKPayment
    let product: SKProduct
}
