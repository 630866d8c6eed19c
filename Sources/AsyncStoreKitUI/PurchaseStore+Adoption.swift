#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import StoreKit

    extension PurchaseStore {
        /// Takes over what Apple's own views have sold, where the app has asked them for it with `onInAppPurchaseCompletion`, or has bought with `PurchaseAction`.
        ///
        /// The purchase is delivered like any other that no call of the store asked for: by the installed delivery, or else on
        /// ``PurchaseStore/transactions``. Do not finish the transaction yourself. Views whose purchases the app does not ask for need no call.
        /// Over StoreKit 1 the purchase comes at the next launch at the latest.
        public func adopt(_ result: Product.PurchaseResult) {
            // It is unfinished, and so it is listed.
            if case .success = result { lookAgain() }
        }
    }
#endif
