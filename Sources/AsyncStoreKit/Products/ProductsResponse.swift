/// The App Store's answer to a request for products: those that are for sale, in the order in which they were asked for, each once.
///
/// ```swift
/// for product in try await store.products(for: ["pro", "coins"]) { show(product) }
/// ```
public struct ProductsResponse: Sendable, Hashable {
    /// The products that are for sale, in the order in which they were asked for.
    public let products: [StoreProduct]
    /// The identifiers under which nothing is for sale.
    public let invalidProductIDs: Set<String>

    package init(products: [StoreProduct], invalidProductIDs: Set<String>) {
        self.products = products
        self.invalidProductIDs = invalidProductIDs
    }

    init(values: [String: StoreProduct], for ids: some Collection<String>) {
        var invalid = Set(ids)
        var products: [StoreProduct] = []
        for id in ids where invalid.contains(id) {
            guard let product = values[id] else { continue }
            products.append(product)
            invalid.remove(id)
        }
        self.init(products: products, invalidProductIDs: invalid)
    }

    /// The product with this identifier, if it is for sale.
    public subscript(id: String) -> StoreProduct? {
        products.first { $0.id == id }
    }
}

extension ProductsResponse: RandomAccessCollection {
    /// The place of the first product.
    public var startIndex: Int { products.startIndex }
    /// The place behind the last product.
    public var endIndex: Int { products.endIndex }
    /// The product at a place.
    public subscript(position: Int) -> StoreProduct { products[position] }
}
