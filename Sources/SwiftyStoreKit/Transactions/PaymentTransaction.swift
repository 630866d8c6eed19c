#if !os(visionOS)
    public import Foundation
    public import StoreKit

    /// A transaction. Over StoreKit 1, transactions are `SKPaymentTransaction` objects; over StoreKit 2, they are
    /// values.
    public protocol PaymentTransaction {
        /// The date of the payment; `nil` unless the transaction is purchased or restored.
        var transactionDate: Date? { get }
        /// The state of the transaction.
        var transactionState: SKPaymentTransactionState { get }
        /// The App Store's identifier; `nil` unless the transaction is purchased or restored.
        var transactionIdentifier: String? { get }
        /// The downloads of content that the App Store hosts for the transaction.
        var downloads: [SKDownload] { get }
    }

    extension SKPaymentTransaction: PaymentTransaction {}

    extension ValueTransaction {
        var downloads: [SKDownload] { [] }
    }
#endif
