public import StoreKit

/// The result of a request for products.
public struct RetrieveResults {
    /// The products that are for sale.
    public let retrievedProducts: Set<SKProduct>
    /// The identifiers without a product for sale.
    public let invalidProductIDs: Set<String>
    /// The unchanged error of StoreKit or the network, if the request failed.
    ///
    /// The code is `SKError.paymentCancelled` after ``InAppRequest/cancel()``, and `NSURLErrorTimedOut` in
    /// `NSURLErrorDomain` after a timeout. A network error that StoreKit reported in its own domain has
    /// `NSURLErrorDomain`.
    public let error: (any Error)?

    /// Creates the result of a request.
    public init(retrievedProducts: Set<SKProduct>, invalidProductIDs: Set<String>, error: (any Error)?) {
        self.retrievedProducts = retrievedProducts
        self.invalidProductIDs = invalidProductIDs
        self.error = error
    }
}
