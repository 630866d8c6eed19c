#if os(visionOS)
    public import Foundation
    public import StoreKit

    /// A transaction. Those that are handed out are the `SKPaymentTransaction`s themselves. visionOS has no hosted content.
    public protocol PaymentTransaction {
        /// The date of the payment; only in the states `purchased` and `restored`.
        var transactionDate: Date? { get }
        /// The state.
        var transactionState: SKPaymentTransactionState { get }
        /// The App Store's identifier; only in the states `purchased` and `restored`.
        var transactionIdentifier: String? { get }
    }

    extension SKPaymentTransaction: PaymentTransaction {}
#endif
