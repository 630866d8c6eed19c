package import AppStoreSimulator
public import Foundation

/// The App Store of a country or region.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents never change, but a subclass could add properties that do.
open class SKStorefront: NSObject, @unchecked Sendable {
    private let contents: SimulatedStorefront

    /// Creates a storefront without a country.
    public override init() {
        contents = SimulatedStorefront(countryCode: "", id: "")
    }

    package init(_ storefront: SimulatedStorefront) {
        contents = storefront
    }

    /// The three-letter country code, ISO 3166-1 alpha-3.
    open var countryCode: String {
        contents.countryCode
    }

    /// Apple's identifier of the storefront.
    open var identifier: String {
        contents.id
    }
}
