import AppStoreSimulator
public import Foundation

/// The App Store's response to a products request.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents never change, but a subclass could add properties that do.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private struct Contents {
        var products: [SKProduct] = []
        var invalidProductIdentifiers: [String] = []
    }

    private let contents: Contents

    /// Creates an empty response.
    public override init() {
        contents = Contents()
    }

    package init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        contents = Contents(products: products, invalidProductIdentifiers: invalidProductIdentifiers)
    }

    /// The products that the App Store found.
    open var products: [SKProduct] {
        contents.products
    }

    /// The requested identifiers without a product.
    open var invalidProductIdentifiers: [String] {
        contents.invalidProductIdentifiers
    }
}
