public import StoreKit

/// What the App Store says about products.
public struct RetrieveResults {
    /// The products that are for sale.
    public let retrievedProducts: Set<SKProduct>
    /// The identifiers under which nothing is for sale.
    public let invalidProductIDs: Set<String>
    /// Why the App Store could not be asked.
    public let error: (any Error)?

    /// Describes what the App Store says.
    public init(retrievedProducts: Set<SKProduct>, invalidProductIDs: Set<String>, error: (any Error)?) {
        self.retrievedProducts = retrievedProducts
        self.invalidProductIDs = invalidProductIDs
        self.error = error
    }
}
