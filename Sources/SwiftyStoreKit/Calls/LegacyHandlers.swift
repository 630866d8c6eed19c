import AsyncStoreKit
import StoreKit

/// The handlers that are set, not passed.
struct LegacyHandlers: Sendable {
    /// Decides about purchases begun in the App Store; the closure itself is kept with the backend.
    var storePayment: StorePaymentHandler?
    var updatedDownloads: DownloadsHandler?
    /// Ends listening for ``updatedDownloads``.
    var downloadsCall: StoreCall?
    /// Whether `completeTransactions` has its one closure.
    var completesTransactions = false
    /// Whether `onEntitlementRevocation` has its one closure.
    var observesRevocations = false

    /// Sets a flag. Returns whether the flag was clear before.
    mutating func takeFirst(_ flag: WritableKeyPath<LegacyHandlers, Bool>) -> Bool {
        defer { self[keyPath: flag] = true }
        return !self[keyPath: flag]
    }
}

/// The closure that decides about purchases begun in the App Store.
// @unchecked because: the closure is only ever called on the main thread, or by who set it.
struct StorePaymentHandler: @unchecked Sendable {
    let ask: (SKPayment, SKProduct) -> Bool
}

/// What it is asked, on its way to the main thread.
// @unchecked because: nobody changes the payment or the product.
struct StorePaymentQuestion: @unchecked Sendable {
    let payment: SKPayment
    let product: SKProduct
}
