#if !os(visionOS)
    public import Foundation
    public import StoreKit

    /// A transaction. Over StoreKit 1, those that are handed out are the `SKPaymentTransaction`s themselves; over StoreKit 2 they are values.
    public protocol PaymentTransaction {
        /// The date of the payment; only in the states `purchased` and `restored`.
        var transactionDate: Date? { get }
        /// The state.
        var transactionState: SKPaymentTransactionState { get }
        /// The App Store's identifier; only in the states `purchased` and `restored`.
        var transactionIdentifier: String? { get }
        /// The content that the App Store hosts for it.
        var downloads: [SKDownload] { get }
    }

    extension SKPaymentTransaction: PaymentTransaction {}

    extension ValueTransaction {
        var downloads: [SKDownload] { [] }
    }
#endif
