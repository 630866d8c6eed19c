#if os(visionOS)
    import StoreKit

    extension StoreKit2Environment {
        /// There a purchase has to be told its scene.
        @MainActor static func purchaseAnywhere(
            _ product: Product, _ options: Set<Product.PurchaseOption>
        ) async throws -> Product.PurchaseResult {
            throw StoreError(.unsupported, "visionOS confirms a purchase in a scene: `PurchaseOptions.anchor` has to name one.")
        }
    }
#elseif os(iOS)
    import StoreKit

    extension StoreKit2Environment {
        /// The system finds a place by itself.
        @MainActor static func purchaseAnywhere(
            _ product: Product, _ options: Set<Product.PurchaseOption>
        ) async throws -> Product.PurchaseResult {
            try await product.purchase(options: options)
        }
    }
#endif
