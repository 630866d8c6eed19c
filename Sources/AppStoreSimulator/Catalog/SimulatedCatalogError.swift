/// An error of reading a StoreKit configuration file, or a warning; see ``SimulatedCatalog/warnings``.
public struct SimulatedCatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The file doesn't exist or can't be opened.
        case unreadable
        /// The file isn't JSON.
        case notJSON
        /// A required key is missing.
        case missingKey
        /// A value has the wrong type.
        case wrongType
        /// A value has the right type but isn't valid.
        case invalidValue
        /// Two products have the same identifier.
        case duplicateProduct
        /// The version of the file isn't supported.
        case unsupportedVersion
    }

    /// The kind of the error.
    public let code: Code
    /// The location in the file, such as `subscriptionGroups[0].subscriptions[2].displayPrice`; empty for the whole
    /// file.
    public let keyPath: String
    /// The reason as text.
    public let reason: String

    package init(_ code: Code, at keyPath: String = "", _ reason: String) {
        self.code = code
        self.keyPath = keyPath
        self.reason = reason
    }

    /// The key path and the reason, such as `products[0].displayPrice: "free" is not a price`.
    public var description: String {
        keyPath.isEmpty ? reason : "\(keyPath): \(reason)"
    }
}
