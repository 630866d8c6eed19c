#if !os(visionOS)
    public import StoreKit

    /// The functions of a payment queue. No function uses this protocol; SwiftyStoreKit 0.16.4 declared it as public.
    public protocol PaymentQueue: AnyObject {
        /// Adds an observer.
        func add(_ observer: any SKPaymentTransactionObserver)
        /// Removes an observer.
        func remove(_ observer: any SKPaymentTransactionObserver)
        /// Adds a payment.
        func add(_ payment: SKPayment)
        /// Starts downloads.
        func start(_ downloads: [SKDownload])
        /// Pauses downloads.
        func pause(_ downloads: [SKDownload])
        /// Resumes paused downloads.
        func resume(_ downloads: [SKDownload])
        /// Cancels downloads.
        func cancel(_ downloads: [SKDownload])
        /// Restores earlier purchases.
        func restoreCompletedTransactions(withApplicationUsername username: String?)
        /// Finishes a transaction.
        func finishTransaction(_ transaction: SKPaymentTransaction)
    }

    extension SKPaymentQueue: PaymentQueue {}
#endif
