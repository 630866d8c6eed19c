#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import StoreKit

    extension PurchaseStore {
        /// Delivers a purchase that one of Apple's views made, as `onInAppPurchaseCompletion` and `PurchaseAction` pass
        /// it to the app.
        ///
        /// Apple's views can finish a purchase by themselves without reporting it elsewhere. The purchase is delivered
        /// like every purchase that no call of the store asked for: by the installed delivery, or else on
        /// `transactions`. Don't finish the transaction yourself. A purchase that the store already knows isn't
        /// delivered twice.
        ///
        /// Over StoreKit 1, the function only reads the entitlements again.
        public func adopt(_ result: Product.PurchaseResult) {
            guard case .success(let transaction) = result else { return }
            (core.backend as? StoreKit2Backend)?.adopt(transaction)
            refreshPendingState()
        }
    }
#endif
