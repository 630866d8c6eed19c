/// The App Store's answer to a request for products.
public struct ProductsResponse: Sendable, Hashable {
    /// The products that are for sale, in no particular order.
    public let products: [StoreProduct]
    /// The identifiers under which nothing is for sale.
    public let invalidIDs: Set<String>

    /// Describes an answer.
    public init(products: [StoreProduct], invalidIDs: Set<String>) {
        self.products = products
        self.invalidIDs = invalidIDs
    }

    /// The product with this identifier, if it is for sale.
    public subscript(id: String) -> StoreProduct? {
        products.first { $0.id == id }
    }
}

extension ProductsResponse {
    init(values: [String: StoreProduct], for ids: Set<String>) {
        let products = values.values.sorted { $0.id < $1.id }
        self.init(products: products, invalidIDs: ids.subtracting(products.map(\.id)))
    }
}
