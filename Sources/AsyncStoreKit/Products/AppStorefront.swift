/// The App Store of a country.
public struct AppStorefront: Sendable, Hashable {
    /// The three-letter country code, ISO 3166-1 alpha-3, such as `USA`.
    public let countryCode: String
    /// Apple's identifier of the storefront.
    public let id: String

    /// Describes a storefront.
    public init(countryCode: String, id: String) {
        self.countryCode = countryCode
        self.id = id
    }
}
