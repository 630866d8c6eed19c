public import AsyncStoreKit

/// The progress of the purchase of a product, for the button that buys the product.
public enum PurchaseProgress: Sendable, Hashable {
    /// No purchase is in progress.
    case idle
    /// The product is being purchased, by this button or another, or is being delivered.
    case purchasing
    /// The purchase waits for approval (Ask to Buy), possibly since an earlier launch.
    case pending
    /// The customer has paid, and the installed delivery tries again to deliver the product.
    case awaitingDelivery
    /// The purchase that this button started has failed. Other buttons for the same product don't show the error.
    case failed(StoreError)
}
