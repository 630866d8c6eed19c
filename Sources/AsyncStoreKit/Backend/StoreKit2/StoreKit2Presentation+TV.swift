#if os(tvOS)
    public import UIKit

    extension PresentationAnchor {
        /// A scene, where purchases are confirmed in tvOS 17 and later.
        public init(_ scene: UIScene) {
            self.init(object: scene)
        }
    }
#endif

#if os(tvOS) || os(watchOS)
    import StoreKit

    typealias SystemMessages = HeldMessages<Never>

    extension SystemStoreKit2 {
        /// Purchases a product. A watch has only one place to confirm a purchase.
        @MainActor static func purchase(
            _ product: Product, _ options: Set<Product.PurchaseOption>, in anchor: PresentationAnchor?
        ) async throws -> Product.PurchaseResult {
            #if os(tvOS)
                if #available(tvOS 17, *), let scene = anchor?.object as? UIScene {
                    return try await product.purchase(confirmIn: scene, options: options)
                }
            #endif
            return try await product.purchase(options: options)
        }

        /// Throws ``StoreError/Code/unsupported``: these systems have no sheets.
        @MainActor static func present(
            _ sheet: StoreSheet, in anchor: PresentationAnchor?, _ messages: SystemMessages
        ) async throws -> StoreKit2SignedTransaction? {
            throw StoreError.unsupported(sheet)
        }
    }
#endif
