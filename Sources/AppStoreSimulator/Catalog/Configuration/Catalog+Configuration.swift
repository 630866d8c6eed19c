public import Foundation

extension Catalog {
    /// Reads a StoreKit configuration file, as Xcode writes it (`.storekit`, versions 1 to 5).
    ///
    /// Consumables, non-consumables, subscriptions with and without renewal, their introductory and promotional offers, texts,
    /// storefront and locale are taken over; what the simulator has no use for, such as offer codes and win-back offers, is passed
    /// over, and so are keys that nobody knows. Prices are in the currency of the storefront.
    ///
    /// Xcode's format has no hosted content. A product may have it here under a key of this package's own:
    ///
    /// ```json
    /// "_hostedContent" : [ { "contentIdentifier" : "levels", "contentVersion" : "1.0", "contentLength" : 1048576 } ]
    /// ```
    ///
    /// The identifier of the content is the product's unless it is given, the version `1.0`; the length is in bytes.
    ///
    /// - Throws: ``CatalogError`` with the place and the reason.
    public init(contentsOf url: URL) throws(CatalogError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            let shown = url.isFileURL ? url.path : url.absoluteString
            throw CatalogError(.unreadable, "\(shown) cannot be read: \(error.localizedDescription)")
        }
        try self.init(data: data)
    }

    /// Reads the bytes of a StoreKit configuration file, as ``init(contentsOf:)`` does.
    ///
    /// - Throws: ``CatalogError`` with the place and the reason.
    public init(data: Data) throws(CatalogError) {
        var reader = ConfigurationReader()
        self = try reader.catalog(from: ConfigurationNode(data: data))
    }
}
