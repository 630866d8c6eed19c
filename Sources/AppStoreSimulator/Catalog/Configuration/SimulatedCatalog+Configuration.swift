public import Foundation

extension SimulatedCatalog {
    /// Reads a StoreKit configuration file, as Xcode writes it (`.storekit`, versions 1 to 6).
    ///
    /// Consumables, non-consumables, subscriptions with and without renewal, their introductory, promotional and win-back offers and
    /// offer codes, monthly billing plans, texts, storefront and locale are taken over; disabled plans are ignored;
    /// what the simulator has no use for is ignored, and so are unknown keys. Prices are in the currency of the
    /// storefront. The file's settings become the ``behavior``: of its simulated errors those named "Load Products",
    /// "Purchase" and "App Store Sync" count.
    ///
    /// Xcode's format has no hosted content. A product may have it here under a key of this package's own:
    ///
    /// ```json
    /// "_hostedContent" : [ { "contentIdentifier" : "levels", "contentVersion" : "1.0", "contentLength" : 1048576 } ]
    /// ```
    ///
    /// The identifier of the content is the product's unless it is given, the version `1.0`; the length is in bytes.
    ///
    /// - Throws: ``SimulatedCatalogError`` with the place and the reason.
    public init(contentsOf url: URL) throws(SimulatedCatalogError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            let shown = url.isFileURL ? url.path : url.absoluteString
            throw SimulatedCatalogError(.unreadable, "\(shown) cannot be read: \(error.localizedDescription)")
        }
        try self.init(data: data)
    }

    /// Reads the bytes of a StoreKit configuration file, as ``init(contentsOf:)`` does.
    ///
    /// - Throws: ``SimulatedCatalogError`` with the place and the reason.
    public init(data: Data) throws(SimulatedCatalogError) {
        var reader = ConfigurationReader()
        self = try reader.catalog(from: ConfigurationNode(data: data))
    }
}
