import AppStoreSimulator
public import StoreKit

/// The errors that a session can simulate, by the function of StoreKit that throws them.
public enum SKTestFailures {
    /// An error of loading products.
    public enum LoadProducts: _SKGenericTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// An error of `AppStore.sync()`.
    public enum AppStoreSync: _SKGenericTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// An error of reading subscription statuses.
    public enum SubscriptionStatus: _SKGenericTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// An error of reading the app transaction.
    public enum AppTransaction: _SKGenericTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// An error of the sheet in which customers manage subscriptions.
    public enum ManageSubscriptions: _SKGenericTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// An error of the sheet for offer codes.
    public enum OfferCodeRedeem: _SKGenericTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
    }

    /// An error of a purchase, in the app or outside.
    public enum Purchase: SKTestFailure {
        /// An error of StoreKit. A purchase that the customer cancels isn't an error for the app.
        case generic(StoreKitError)
        /// An error of the purchase.
        case purchase(Product.PurchaseError)

        /// Creates the failure with an error of the simulator.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            self = Product.PurchaseError(code.error).map { .purchase($0) } ?? .generic(StoreKitError(code.error))
        }
    }

    /// An error of the verification of transactions. The simulated App Store reports every one as `.invalidSignature`.
    public enum Verification: SKTestFailure {
        /// The reason for which a signed value isn't verified.
        case verification(VerificationResult<Any>.VerificationError)

        /// Creates the failure with an error of the simulator.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            self = .verification(.invalidSignature)
        }
    }

    /// An error of a refund request.
    public enum RefundRequest: SKTestFailure {
        /// An error of StoreKit. The customer who cancels sends no request.
        case generic(StoreKitError)
        /// An error of the request.
        case refundRequest(Transaction.RefundRequestError)

        /// Creates the failure with an error of the simulator.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.error {
            case .duplicateRefundRequest: self = .refundRequest(.duplicateRequest)
            case .failedRefundRequest: self = .refundRequest(.failed)
            case .ineligibleRefundRequest: self = .refundRequest(.ineligible)
            default: self = .generic(StoreKitError(code.error))
            }
        }
    }
}
