extension StoreError {
    /// The code of an error. Errors of StoreKit 2 have StoreKit's names.
    ///
    /// The set is open: later versions may add codes, so a `switch` needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        // Codes that StoreKit 2 has, too: `StoreKitError`.

        /// An error that no other code describes; see ``StoreError/underlying``.
        public static let unknown = Code("unknown")
        /// The customer closed a sheet or a sign-in. Purchases and restores don't throw this code: they return
        /// ``PurchaseOutcome/userCancelled`` and ``RestoreOutcome/userCancelled``.
        public static let userCancelled = Code("userCancelled")
        /// The network failed; see ``StoreError/underlying``.
        public static let networkError = Code("networkError")
        /// The system failed; see ``StoreError/underlying``.
        public static let systemError = Code("systemError")
        /// The product is not sold in this storefront.
        public static let notAvailableInStorefront = Code("notAvailableInStorefront")
        /// The app lacks an entitlement of the developer's account.
        public static let notEntitled = Code("notEntitled")
        /// The platform or the engine doesn't support the call.
        public static let unsupported = Code("unsupported")
        /// The sheet can't be presented from this window or view controller.
        public static let invalidPresentationContext = Code("invalidPresentationContext")

        // Codes that StoreKit 2 has, too: `Product.PurchaseError`.

        /// The quantity is not within 1 to 10.
        public static let invalidQuantity = Code("invalidQuantity")
        /// The App Store doesn't have the product, or doesn't sell it.
        public static let productUnavailable = Code("productUnavailable")
        /// Purchases aren't allowed on the device, or for the person who uses it.
        public static let purchaseNotAllowed = Code("purchaseNotAllowed")
        /// The customer isn't eligible for the offer.
        public static let ineligibleForOffer = Code("ineligibleForOffer")
        /// The product doesn't have the offer.
        public static let invalidOfferIdentifier = Code("invalidOfferIdentifier")
        /// The price of the offer is no longer valid.
        public static let invalidOfferPrice = Code("invalidOfferPrice")
        /// The signature of the offer isn't valid.
        public static let invalidOfferSignature = Code("invalidOfferSignature")
        /// A parameter of the offer is missing.
        public static let missingOfferParameters = Code("missingOfferParameters")

        /// The purchase needs a payment method that the customer has to set up. StoreKit calls the error
        /// `paymentMethodBindingConfigurationRequired`.
        public static let paymentMethodRequired = Code("paymentMethodRequired")
        /// StoreKit ended the purchase without a result. Usually the customer has to finish something first: confirm
        /// the payment with the bank, accept new terms, or add a payment method in the App Store.
        ///
        /// The transaction may still arrive, on ``PurchaseStore/transactions`` or at the installed delivery, in this
        /// launch or a later one. Don't tell the customer that the purchase failed. StoreKit says "unknown error" in
        /// this case, so the code also covers failures for which StoreKit gives no reason.
        public static let purchaseInterrupted = Code("purchaseInterrupted")
        /// This system, engine or SDK doesn't have the kind of offer, such as win-back offers before iOS 18. Thrown
        /// before anything is bought.
        public static let offerUnavailable = Code("offerUnavailable")

        /// The product doesn't have the billing plan: in this storefront, on this system, with the SDK that the app was
        /// built with, or over StoreKit 1. Thrown before anything is bought.
        public static let billingPlanUnavailable = Code("billingPlanUnavailable")
        /// The customer can't buy seats: of this product, with the SDK that the app was built with, or over StoreKit 1.
        /// StoreKit calls the error `multiSeatPurchaseDisabled`.
        public static let seatsUnavailable = Code("seatsUnavailable")

        /// An error that only StoreKit 1 has. ``StoreError/underlying`` has the number, as an `SKError.Code`.
        public static let storeKit = Code("storeKit")

        // Calls.

        /// The task was canceled. A payment that StoreKit has continues, and a purchase whose delivery closure hadn't
        /// returned is offered again.
        public static let taskCancelled = Code("taskCancelled")
        /// No response arrived within the time limit. A payment that StoreKit has continues.
        public static let timedOut = Code("timedOut")
        /// The last reference to the store was dropped.
        public static let storeClosed = Code("storeClosed")
        /// The store can no longer reach the App Store. Over a simulated App Store, a newer launch has begun.
        public static let backendUnavailable = Code("backendUnavailable")
        /// No product identifier was given, or a file of identifiers can't be used.
        public static let invalidProductIDs = Code("invalidProductIDs")
        /// Purchases may not be sent to the URL.
        public static let invalidURL = Code("invalidURL")
        /// Another restore is running.
        public static let restoreInProgress = Code("restoreInProgress")
        /// The approver has declined a purchase, or the customer has withdrawn it.
        public static let approvalDeclined = Code("approvalDeclined")

        /// StoreKit 2 carries an account only as a UUID: ``PurchaseAccount/token(_:)``. Thrown before anything is
        /// bought.
        public static let invalidAccount = Code("invalidAccount")
        /// The context of the purchase can't be encoded, or is larger than 4,096 bytes. Thrown before anything is
        /// bought.
        public static let invalidContext = Code("invalidContext")

        // Transactions.

        /// The signature of the transaction isn't valid; see ``StoreError/underlying``. The customer may have paid, so
        /// the transaction is neither delivered nor finished. It's reported once in every launch.
        public static let unverified = Code("unverified")

        // Codes that StoreKit 2 has, too: `Transaction.RefundRequestError`.

        /// The customer has already requested a refund of the transaction.
        public static let refundDuplicate = Code("refundDuplicate")
        /// The App Store didn't accept the refund request.
        public static let refundFailed = Code("refundFailed")

        /// The transaction can't be refunded.
        public static let refundIneligible = Code("refundIneligible")

        /// The transaction left the queue without an outcome, because it was finished elsewhere.
        public static let transactionRemoved = Code("transactionRemoved")
        /// The transaction can't be finished, because it's still being purchased or waits for approval.
        public static let transactionNotFinishable = Code("transactionNotFinishable")
        /// The transaction doesn't belong to this store.
        public static let unknownTransaction = Code("unknownTransaction")
        /// The transaction was finished before.
        public static let transactionFinished = Code("transactionFinished")

        // Deliveries.

        /// The delivery closure threw an error. The transaction is unfinished, and is offered on
        /// ``PurchaseStore/transactions``.
        public static let deliveryFailed = Code("deliveryFailed")
        /// The installed delivery rejected the purchase. The transaction is finished.
        public static let deliveryRejected = Code("deliveryRejected")
        /// The installed delivery couldn't deliver the purchase yet. The transaction is unfinished, and the delivery is
        /// tried again.
        public static let deliveryPending = Code("deliveryPending")
        /// The purchase from the App Store has already continued.
        public static let purchaseIntentAlreadyUsed = Code("purchaseIntentAlreadyUsed")

        // Receipts.

        /// There is no receipt on the device.
        public static let receiptUnavailable = Code("receiptUnavailable")
        /// The receipt doesn't contain the transaction.
        public static let receiptIncomplete = Code("receiptIncomplete")
        /// The receipt couldn't be verified or read; see ``StoreError/underlying``.
        public static let receiptInvalid = Code("receiptInvalid")
        /// The device doesn't provide the identifier to which its receipts are bound yet.
        public static let deviceIdentifierUnavailable = Code("deviceIdentifierUnavailable")
    }
}

extension StoreError {
    /// Returns whether an error has a code.
    public static func == (left: StoreError, right: Code) -> Bool { left.code == right }
    /// Returns whether an error doesn't have a code.
    public static func != (left: StoreError, right: Code) -> Bool { left.code != right }
}

extension StoreError.Code {
    // Disfavored: `.unknown` in a pattern for another type of errors means a member of that type.
    /// Returns whether an error has a code, for `catch StoreError.Code.networkError`.
    @_disfavoredOverload
    public static func ~= (code: StoreError.Code, error: any Error) -> Bool { (error as? StoreError)?.code == code }

    /// Whether the same call may succeed later without a change.
    var isRetryable: Bool {
        switch self {
        case .networkError, .systemError, .timedOut, .restoreInProgress, .deliveryPending, .receiptIncomplete,
            .deviceIdentifierUnavailable:
            true
        default: false
        }
    }

    /// The text that a customer reads about an error with this code, unless StoreKit or the network has its own text.
    ///
    /// An app replaces the text with ``CustomerTexts/setReplacement(_:)``.
    public var customerText: CustomerText {
        switch self {
        case .userCancelled, .taskCancelled: .errorCancelled
        case .networkError: .errorNoConnection
        case .timedOut: .errorNoResponse
        case .systemError: .errorAppStoreProblem
        case .notAvailableInStorefront: .errorNotInCountry
        case .productUnavailable: .errorItemUnavailable
        case .purchaseNotAllowed: .errorPurchasesNotAllowed
        case .ineligibleForOffer: .errorNotEligibleForOffer
        case .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters:
            .errorOfferUnavailable
        case .offerUnavailable: .errorOfferNotOnDevice
        case .purchaseInterrupted: .errorPurchaseInterrupted
        case .billingPlanUnavailable: .errorPaymentPlanUnavailable
        case .paymentMethodRequired: .errorPaymentMethodRequired
        case .invalidQuantity, .seatsUnavailable: .errorQuantityUnavailable
        case .purchaseIntentAlreadyUsed: .errorPurchaseInProgress
        case .approvalDeclined: .errorPurchaseNotApproved
        case .transactionRemoved: .errorPurchaseResultUnknown
        case .transactionNotFinishable: .errorPurchaseIncomplete
        case .deliveryFailed, .deliveryPending: .errorPurchaseNotUnlockedYet
        case .deliveryRejected: .errorPurchaseNotUnlocked
        case .unverified: .errorPurchaseNotVerified
        case .refundIneligible: .errorNotRefundable
        case .refundDuplicate: .errorRefundAlreadyRequested
        case .refundFailed: .errorRefundNotRequested
        case .restoreInProgress: .errorAlreadyRestoring
        case .receiptUnavailable: .errorPurchasesNotFound
        case .receiptIncomplete, .deviceIdentifierUnavailable: .errorPurchasesNotChecked
        case .receiptInvalid: .errorPurchasesNotVerified
        case .unsupported: .errorNotOnDevice
        // Errors of the app, and errors without a reason: a later attempt gives the same result.
        default: .errorUnexpected
        }
    }
}
