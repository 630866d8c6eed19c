#if !os(watchOS)
    public import StoreKit

    /// A closure that decides whether to continue a purchase from the App Store immediately.
    public typealias ShouldAddStorePaymentHandler = (_ payment: SKPayment, _ product: SKProduct) -> Bool

    extension SwiftyStoreKit {
        /// Decides whether to continue a purchase from the App Store immediately. Called on the main thread.
        ///
        /// The transaction of a continued purchase goes to the closure of
        /// ``completeTransactions(atomically:completion:)``. Without a handler, the store's policy decides.
        #if !QuietLegacy
            @available(
                *, deprecated, message: "Use PurchaseStore.purchaseIntents and PaymentQueuePolicies.promotedPurchase."
            )
        #endif
        public static var shouldAddStorePaymentHandler: ShouldAddStorePaymentHandler? {
            get { legacy.shouldAddStorePaymentHandler }
            set { legacy.shouldAddStorePaymentHandler = newValue }
        }
    }
#endif
