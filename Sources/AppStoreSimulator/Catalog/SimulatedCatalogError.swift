/// Why a StoreKit configuration file could not be read.
public struct SimulatedCatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with a configuration file.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// There is no such file, or it cannot be opened.
        case unreadable
        /// The file is no JSON.
        case notJSON
        /// A key that there must be is missing.
        case missingKey
        /// A value is of another type than it must be.
        case wrongType
        /// A value is of the right type, but makes no sense.
        case invalidValue
        /// Two products have the same identifier.
        case duplicateProduct
        /// The file has a version that is not known.
        case unsupportedVersion
    }

    /// What is wrong.
    public let code: Code
    /// Where in the file, such as `subscriptionGroups[0].subscriptions[2].displayPrice`; empty when it is the file as a whole.
    public let keyPath: String
    /// What is wrong there, in words.
    public let reason: String

    init(_ code: Code, at keyPath: String = "", _ reason: String) {
        self.code = code
        self.keyPath = keyPath
        self.reason = reason
    }

    /// The place and the reason, such as `products[0].displayPrice: "free" is not a price`.
    public var description: String {
        keyPath.isEmpty ? reason : "\(keyPath): \(reason)"
    }
}
