import StoreKit

// StoreKit has seats in the 27.3 SDK and later. The module version of that SDK isn't known, so `canImport` can't ask
// for it. Instead, the protocol below declares the members that an older StoreKit lacks. Where StoreKit has them, Swift
// prefers StoreKit's members to those of a protocol extension.
private protocol SeatDeclarations {}

extension Product: SeatDeclarations {}
extension Product.PurchaseOption: SeatDeclarations {}

extension SeatDeclarations {
    /// Returns a placeholder for the missing option.
    fileprivate static func seats(_ targetSeatQuantity: Int) -> Product.PurchaseOption { .withoutSeats }

    /// Whether the customer can buy seats.
    fileprivate var supportsMultiSeatPurchase: Bool { false }
}

extension Product.PurchaseOption {
    /// A placeholder for the option that StoreKit lacks.
    fileprivate static var withoutSeats: Product.PurchaseOption {
        .custom(key: "AsyncStoreKit.withoutSeats", value: true)
    }

    /// Returns the option for a number of seats.
    /// - Throws: ``StoreError/Code/seatsUnavailable`` in apps built with an SDK before 27.3.
    static func seatCount(_ count: Int) throws(StoreError) -> Product.PurchaseOption {
        let option = Product.PurchaseOption.seats(count)
        guard option != .withoutSeats else {
            throw StoreError(.seatsUnavailable, "The app has to be built with a later Xcode for purchases of seats.")
        }
        return option
    }
}

extension Product {
    /// Whether the customer can buy seats; `nil` on systems before 27.3, which don't say.
    var hasSeats: Bool? {
        guard #available(iOS 27.3, macOS 27.3, tvOS 27.3, watchOS 27.3, visionOS 27.3, *) else { return nil }
        return supportsMultiSeatPurchase
    }
}

extension StoreError.Code {
    /// Returns the code for an error of seats, which StoreKit has in the 27.3 SDK and later. The error is recognized by
    /// its name, so that apps built with an older SDK recognize it, too.
    static func seats(_ error: Product.PurchaseError) -> StoreError.Code? {
        "\(error)" == "multiSeatPurchaseDisabled" ? .seatsUnavailable : nil
    }
}
