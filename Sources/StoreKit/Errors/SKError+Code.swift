extension SKError {
    /// The code of a StoreKit error. Raw values are those of Apple's `SKErrorCode`.
    public enum Code: Int, Sendable {
        /// The cause is unknown.
        case unknown = 0
        /// The client is not allowed to make the request.
        case clientInvalid = 1
        /// The customer canceled the payment.
        case paymentCancelled = 2
        /// The payment is not valid, for instance because of its product identifier.
        case paymentInvalid = 3
        /// The device is not allowed to make the payment.
        case paymentNotAllowed = 4
        /// The product is not available in the storefront.
        case storeProductNotAvailable = 5
        /// The customer has not allowed access to cloud service information.
        case cloudServicePermissionDenied = 6
        /// The device could not connect to the network.
        case cloudServiceNetworkConnectionFailed = 7
        /// The customer has revoked the permission to use the cloud service.
        case cloudServiceRevoked = 8
        /// The customer has yet to acknowledge Apple's privacy policy.
        case privacyAcknowledgementRequired = 9
        /// The app uses a payment's request data without being entitled to.
        case unauthorizedRequestData = 10
        /// The identifier of the subscription offer is not valid.
        case invalidOfferIdentifier = 11
        /// The signature of the subscription offer is not valid.
        case invalidSignature = 12
        /// A parameter of the subscription offer is missing.
        case missingOfferParams = 13
        /// The price of the subscription offer is not valid.
        case invalidOfferPrice = 14
        /// The overlay was canceled.
        case overlayCancelled = 15
        /// The configuration of the overlay is not valid.
        case overlayInvalidConfiguration = 16
        /// The overlay took too long.
        case overlayTimeout = 17
        /// The customer is not eligible for the subscription offer.
        case ineligibleForOffer = 18
        /// The platform doesn't support the overlay.
        case unsupportedPlatform = 19
        /// The overlay was presented in a scene that is not in the foreground.
        case overlayPresentedInBackgroundScene = 20
        /// The purchase needs a payment method that the customer has to set up.
        case paymentMethodBindingConfigurationRequired = 21
    }

    /// ``Code/unknown``.
    public static var unknown: SKError.Code { .unknown }
    /// ``Code/clientInvalid``.
    public static var clientInvalid: SKError.Code { .clientInvalid }
    /// ``Code/paymentCancelled``.
    public static var paymentCancelled: SKError.Code { .paymentCancelled }
    /// ``Code/paymentInvalid``.
    public static var paymentInvalid: SKError.Code { .paymentInvalid }
    /// ``Code/paymentNotAllowed``.
    public static var paymentNotAllowed: SKError.Code { .paymentNotAllowed }
    /// ``Code/storeProductNotAvailable``.
    public static var storeProductNotAvailable: SKError.Code { .storeProductNotAvailable }
    /// ``Code/cloudServicePermissionDenied``.
    public static var cloudServicePermissionDenied: SKError.Code { .cloudServicePermissionDenied }
    /// ``Code/cloudServiceNetworkConnectionFailed``.
    public static var cloudServiceNetworkConnectionFailed: SKError.Code { .cloudServiceNetworkConnectionFailed }
    /// ``Code/cloudServiceRevoked``.
    public static var cloudServiceRevoked: SKError.Code { .cloudServiceRevoked }
    /// ``Code/privacyAcknowledgementRequired``.
    public static var privacyAcknowledgementRequired: SKError.Code { .privacyAcknowledgementRequired }
    /// ``Code/unauthorizedRequestData``.
    public static var unauthorizedRequestData: SKError.Code { .unauthorizedRequestData }
    /// ``Code/invalidOfferIdentifier``.
    public static var invalidOfferIdentifier: SKError.Code { .invalidOfferIdentifier }
    /// ``Code/invalidSignature``.
    public static var invalidSignature: SKError.Code { .invalidSignature }
    /// ``Code/missingOfferParams``.
    public static var missingOfferParams: SKError.Code { .missingOfferParams }
    /// ``Code/invalidOfferPrice``.
    public static var invalidOfferPrice: SKError.Code { .invalidOfferPrice }
    /// ``Code/overlayCancelled``.
    public static var overlayCancelled: SKError.Code { .overlayCancelled }
    /// ``Code/overlayInvalidConfiguration``.
    public static var overlayInvalidConfiguration: SKError.Code { .overlayInvalidConfiguration }
    /// ``Code/overlayTimeout``.
    public static var overlayTimeout: SKError.Code { .overlayTimeout }
    /// ``Code/ineligibleForOffer``.
    public static var ineligibleForOffer: SKError.Code { .ineligibleForOffer }
    /// ``Code/unsupportedPlatform``.
    public static var unsupportedPlatform: SKError.Code { .unsupportedPlatform }
    /// ``Code/overlayPresentedInBackgroundScene``.
    public static var overlayPresentedInBackgroundScene: SKError.Code { .overlayPresentedInBackgroundScene }
    /// ``Code/paymentMethodBindingConfigurationRequired``.
    public static var paymentMethodBindingConfigurationRequired: SKError.Code {
        .paymentMethodBindingConfigurationRequired
    }
}

extension SKError.Code {
    /// Returns whether an error is a StoreKit error with this code, for `catch SKError.paymentCancelled`.
    ///
    /// An error whose number isn't a case of ``Code`` matches no code, not even ``unknown``.
    public static func ~= (match: Self, error: any Error) -> Bool {
        (error as? SKError)?.errorCode == match.rawValue
    }
}
