package import AppStoreSimulator
public import Foundation

/// The App Store of a country or region.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents are behind a lock.
open class SKStorefront: NSObject, @unchecked Sendable {
    private let contents = Protected(SimulatedStorefront(countryCode: "", id: ""))

    package convenience init(_ storefront: SimulatedStorefront) {
        self.init()
        contents.withLock { $0 = storefront }
    }

    /// The three-letter country code, ISO 3166-1 alpha-3.
    open var countryCode: String {
        contents.current.countryCode
    }

    /// Apple's identifier of the storefront.
    open var identifier: String {
        contents.current.id
    }
}
