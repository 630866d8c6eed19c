/// A country's App Store.
public struct SimulatedStorefront: Sendable, Hashable {
    /// The three-letter country code, ISO 3166-1 alpha-3, such as `USA`.
    public var countryCode: String
    /// Apple's identifier of the storefront, such as `143441`.
    public var identifier: String

    /// Makes a storefront.
    public init(countryCode: String, identifier: String) {
        self.countryCode = countryCode
        self.identifier = identifier
    }

    /// The storefront of the United States.
    public static let unitedStates = SimulatedStorefront(countryCode: "USA", identifier: "143441")
}
