#if os(visionOS)
    public import StoreKit

    /// What a payment queue can do. No function takes one; it is here because it was public. visionOS has no hosted content.
    public protocol PaymentQueue: AnyObject {
        /// Adds an observer.
        func add(_ observer: any SKPaymentTransactionObserver)
        /// Removes an observer.
        func remove(_ observer: any SKPaymentTransactionObserver)
        /// Adds a payment.
        func add(_ payment: SKPayment)
        /// Restores what was bought before.
        func restoreCompletedTransactions(withApplicationUsername username: String?)
        /// Finishes a transaction.
        func finishTransaction(_ transaction: SKPaymentTransaction)
    }

    extension SKPaymentQueue: PaymentQueue {}
#endif
