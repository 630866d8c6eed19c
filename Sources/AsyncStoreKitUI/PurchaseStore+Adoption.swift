#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import StoreKit

    extension PurchaseStore {
        /// Takes over what one of Apple's views has sold, as `onInAppPurchaseCompletion` and `PurchaseAction` hand it to the app.
        ///
        /// Apple's views may finish a purchase by themselves, and tell of it nowhere else. It is delivered like any other that no call of
        /// the store asked for: by the installed delivery, or else on `transactions`. Do not finish the transaction yourself.
        /// One that the store knows already is not delivered twice.
        ///
        /// Over StoreKit 1 only the entitlements are looked at again.
        public func adopt(_ result: Product.PurchaseResult) {
            guard case .success(let transaction) = result else { return }
            (core.backend as? StoreKit2Backend)?.adopt(transaction)
            lookAgain()
        }
    }
#endif
