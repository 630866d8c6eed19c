/// The products that the App Store returned, in the order of the requested identifiers, without duplicates.
///
/// ```swift
/// for product in try await store.products(for: ["pro", "coins"]) {
///     show(product)
/// }
/// ```
public struct ProductsResponse: Sendable, Hashable {
    /// The products, in the order of the requested identifiers.
    public let products: [StoreProduct]
    /// The identifiers without a product.
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

    var productsByID: [String: StoreProduct] {
        Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The product with this identifier; `nil` if the App Store didn't return it.
    public subscript(id: String) -> StoreProduct? {
        products.first { $0.id == id }
    }
}

extension ProductsResponse: RandomAccessCollection {
    /// The position of the first product.
    public var startIndex: Int { products.startIndex }
    /// The position after the last product.
    public var endIndex: Int { products.endIndex }
    /// The product at a position.
    public subscript(position: Int) -> StoreProduct { products[position] }
}
