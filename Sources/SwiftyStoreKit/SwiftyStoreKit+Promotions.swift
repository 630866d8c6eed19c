#if !os(watchOS)
    public import StoreKit

    /// Says whether a purchase that was begun in the App Store goes on at once.
    public typealias ShouldAddStorePaymentHandler = (_ payment: SKPayment, _ product: SKProduct) -> Bool

    extension SwiftyStoreKit {
        /// Says whether a purchase that was begun in the App Store goes on at once. Asked on the main thread.
        ///
        /// What it lets go on comes to those who have called ``completeTransactions(atomically:completion:)``. Without a handler the
        /// store's policy decides.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.purchaseIntents and StorePolicies.promotedPurchase.")
        #endif
        public static var shouldAddStorePaymentHandler: ShouldAddStorePaymentHandler? {
            get { legacy.shouldAddStorePaymentHandler }
            set { legacy.shouldAddStorePaymentHandler = newValue }
        }
    }
#endif
