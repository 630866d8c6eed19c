public import StoreKit

/// What the App Store says about products.
public struct RetrieveResults {
    /// The products that are for sale.
    public let retrievedProducts: Set<SKProduct>
    /// The identifiers without a product.
    public let invalidProductIDs: Set<String>
    /// Why the App Store could not be asked: the error of StoreKit or of the network, as it came.
    ///
    /// `SKError.paymentCancelled` after ``InAppRequest/cancel()``, and `SKError.unknown` when nothing was answered in time. A network error
    /// that StoreKit gave out as its own is `SKError.unknown` with the cause under `NSUnderlyingErrorKey`.
    public let error: (any Error)?

    /// Describes what the App Store says.
    public init(retrievedProducts: Set<SKProduct>, invalidProductIDs: Set<String>, error: (any Error)?) {
        self.retrievedProducts = retrievedProducts
        self.invalidProductIDs = invalidProductIDs
        self.error = error
    }
}
