public import Foundation

/// What the App Store says about products.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents are behind a lock.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private struct Contents {
        var products: [SKProduct] = []
        var invalidProductIdentifiers: [String] = []
    }

    private let contents = Protected(Contents())

    package convenience init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        self.init()
        contents.withLock { $0 = Contents(products: products, invalidProductIdentifiers: invalidProductIdentifiers) }
    }

    /// The products that there are.
    open var products: [SKProduct] {
        contents.current.products
    }

    /// The identifiers that were asked for and name no product.
    open var invalidProductIdentifiers: [String] {
        contents.current.invalidProductIdentifiers
    }
}
