#if os(visionOS)
    import StoreKit

    extension StoreKit2Environment {
        /// There a purchase has to be told its scene.
        @MainActor static func purchaseAnywhere(
            _ product: Product, _ options: Set<Product.PurchaseOption>
        ) async throws -> Product.PurchaseResult {
            throw StoreError(
                .invalidPresentationContext,
                "visionOS confirms a purchase in a scene. Set an anchor for the store with setPresentationAnchor(_:), or pass one.")
        }
    }
#elseif os(iOS)
    import StoreKit

    extension StoreKit2Environment {
        /// The system finds a place by itself.
        @MainActor static func purchaseAnywhere(
            _ product: Product, _ options: Set<Product.PurchaseOption>
        ) async throws -> Product.PurchaseResult {
            do {
                return try await product.purchase(options: options)
            } catch StoreKitError.unknown {
                throw StoreError.purchaseInterrupted(product.id, underlying: StoreKitError.unknown).namingMissingAnchor
            }
        }
    }
#endif
