import StoreKit

#if os(Linux)
    extension Product.PurchaseOption {
        /// Returns the option for a number of seats.
        static func seatCount(_ count: Int) throws(StoreError) -> [Product.PurchaseOption] { [.seats(count)] }
    }
#else
    extension Product.PurchaseOption {
        // StoreKit has seats from the 27.3 SDK on, whose module version isn't known yet.
        /// Throws ``StoreError/Code/unsupported``.
        static func seatCount(_ count: Int) throws(StoreError) -> [Product.PurchaseOption] {
            throw StoreError(.unsupported, "Purchases of seats aren't supported yet.")
        }
    }
#endif
