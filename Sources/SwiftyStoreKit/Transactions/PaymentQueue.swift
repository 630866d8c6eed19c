#if !os(visionOS)
    public import StoreKit

    /// What a payment queue can do. No function takes one; it is here because it was public.
    public protocol PaymentQueue: AnyObject {
        /// Adds an observer.
        func add(_ observer: any SKPaymentTransactionObserver)
        /// Removes an observer.
        func remove(_ observer: any SKPaymentTransactionObserver)
        /// Adds a payment.
        func add(_ payment: SKPayment)
        /// Starts downloads.
        func start(_ downloads: [SKDownload])
        /// Halts downloads.
        func pause(_ downloads: [SKDownload])
        /// Lets halted downloads go on.
        func resume(_ downloads: [SKDownload])
        /// Withdraws downloads.
        func cancel(_ downloads: [SKDownload])
        /// Restores what was bought before.
        func restoreCompletedTransactions(withApplicationUsername username: String?)
        /// Finishes a transaction.
        func finishTransaction(_ transaction: SKPaymentTransaction)
    }

    extension SKPaymentQueue: PaymentQueue {}
#endif
