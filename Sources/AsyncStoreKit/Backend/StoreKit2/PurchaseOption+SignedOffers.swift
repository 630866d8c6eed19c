#if os(Linux) || canImport(StoreKit, _version: 815)
    import StoreKit

    // Offers that the app's server signs as JSON Web Signatures.
    extension Product.PurchaseOption {
        static func promotional(_ offerID: String, jws: String) throws(StoreError) -> [Product.PurchaseOption] {
            Product.PurchaseOption.promotionalOffer(offerID, compactJWS: jws)
        }

        /// Whether the introductory offer applies.
        static func introductory(jws: String) throws(StoreError) -> [Product.PurchaseOption] {
            [Product.PurchaseOption.introductoryOfferEligibility(compactJWS: jws)]
        }
    }
#else
    import StoreKit

    // For SDKs whose StoreKit lacks offers that are signed as JSON Web Signatures.
    extension Product.PurchaseOption {
        static func promotional(_ offerID: String, jws: String) throws(StoreError) -> [Product.PurchaseOption] {
            throw StoreError(
                .offerUnavailable, "The app has to be built with a later Xcode for signed promotional offers.")
        }

        static func introductory(jws: String) throws(StoreError) -> [Product.PurchaseOption] {
            throw StoreError(.unsupported, "The app has to be built with a later Xcode for signed introductory offers.")
        }
    }
#endif
