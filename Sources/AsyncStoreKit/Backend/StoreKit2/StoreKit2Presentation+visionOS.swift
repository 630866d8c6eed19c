#if os(visionOS)
    import StoreKit

    extension SystemStoreKit2 {
        /// Purchases a product. On visionOS, the app names the scene in which the customer confirms a purchase.
        @MainActor static func purchaseAnywhere(
            _ product: Product, _ options: Set<Product.PurchaseOption>
        ) async throws -> Product.PurchaseResult {
            throw StoreError(
                .invalidPresentationContext,
                "visionOS confirms a purchase in a scene. Set an anchor for the store with setPresentationAnchor(_:), or pass one."
            )
        }
    }
#elseif os(iOS)
    import StoreKit

    extension SystemStoreKit2 {
        /// Purchases a product. The system chooses the place.
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
