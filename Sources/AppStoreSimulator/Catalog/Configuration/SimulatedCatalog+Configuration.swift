public import Foundation

extension SimulatedCatalog {
    /// Reads a StoreKit configuration file of Xcode (`.storekit`, versions 1 to 6).
    ///
    /// The catalog contains the file's consumables, non-consumables, subscriptions with and without renewal,
    /// introductory, promotional and win-back offers, offer codes, monthly billing plans, texts, storefront and locale.
    /// Disabled plans, unsupported settings and unknown keys are ignored. The catalog lacks a product or an offer that
    /// can't be read, and ``warnings`` has its key path. Prices are in the currency of the storefront. The file's
    /// settings become the ``behavior``, with the simulated errors "Load Products", "Purchase" and "App Store Sync".
    ///
    /// Xcode's format has no hosted content. Add hosted content to a product with a key of this package:
    ///
    /// ```json
    /// "_hostedContent" : [
    ///     { "contentIdentifier" : "levels", "contentVersion" : "1.0", "contentLength" : 1048576 }
    /// ]
    /// ```
    ///
    /// By default, the content has the identifier of the product and the version `1.0`. The length is in bytes.
    ///
    /// - Throws: ``SimulatedCatalogError`` with the key path and the reason.
    public init(contentsOf url: URL) throws(SimulatedCatalogError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            let location = url.isFileURL ? url.path : url.absoluteString
            throw SimulatedCatalogError(.unreadable, "\(location) cannot be read: \(error.localizedDescription)")
        }
        try self.init(data: data)
    }

    /// Reads the bytes of a StoreKit configuration file, as ``init(contentsOf:)`` does.
    ///
    /// - Throws: ``SimulatedCatalogError`` with the key path and the reason.
    public init(data: Data) throws(SimulatedCatalogError) {
        var reader = ConfigurationReader()
        self = try reader.catalog(from: ConfigurationNode(data: data))
    }
}
