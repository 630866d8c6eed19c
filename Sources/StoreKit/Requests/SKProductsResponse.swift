import AppStoreSimulator
public import Foundation

/// The App Store's response to a products request.
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

    /// The products that the App Store found.
    open var products: [SKProduct] {
        contents.current.products
    }

    /// The requested identifiers without a product.
    open var invalidProductIdentifiers: [String] {
        contents.current.invalidProductIdentifiers
    }
}
