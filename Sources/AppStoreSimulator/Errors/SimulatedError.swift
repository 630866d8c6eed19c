/// An error of the simulated App Store, with Apple's domain and code.
public struct SimulatedError: Error, Sendable, Hashable {
    /// The domain, such as `SKErrorDomain` or `NSURLErrorDomain`.
    public var domain: String
    /// The code in that domain.
    public var code: Int
    /// The message for customers.
    public var message: String

    /// Creates an error.
    public init(domain: String = SimulatedError.storeKitDomain, code: Int, message: String = "") {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// The domain of StoreKit's own errors.
    public static let storeKitDomain = "SKErrorDomain"

    /// `SKError.unknown`.
    public static let unknown = SimulatedError(code: 0, message: "An unknown error occurred")
    /// `SKError.paymentCancelled`: the customer closed the sheet.
    public static let paymentCancelled = SimulatedError(code: 2, message: "The payment was cancelled")
    /// `SKError.paymentInvalid`.
    public static let paymentInvalid = SimulatedError(code: 3, message: "The payment is not valid")
    /// `SKError.paymentNotAllowed`, `Product.PurchaseError.purchaseNotAllowed`.
    public static let purchaseNotAllowed = SimulatedError(
        code: 4, message: "This device is not allowed to make payments")
    /// `SKError.storeProductNotAvailable`.
    public static let storeProductNotAvailable = SimulatedError(
        code: 5, message: "The product is not available in this storefront")
    /// `Product.PurchaseError.invalidQuantity` of StoreKit 2.
    public static let invalidQuantity = SimulatedError(code: 3, message: "The quantity is not valid")
    /// `SKError.invalidOfferIdentifier`, `Product.PurchaseError.invalidOfferIdentifier`.
    public static let invalidOfferIdentifier = SimulatedError(
        code: 11, message: "The offer is not one of the product's")
    /// `SKError.invalidSignature`, `Product.PurchaseError.invalidOfferSignature`.
    public static let invalidOfferSignature = SimulatedError(
        code: 12, message: "The signature of the offer is not valid")
    /// `SKError.missingOfferParams`, `Product.PurchaseError.missingOfferParameters`.
    public static let missingOfferParameters = SimulatedError(code: 13, message: "A parameter of the offer is missing")
    /// `SKError.invalidOfferPrice`, `Product.PurchaseError.invalidOfferPrice`.
    public static let invalidOfferPrice = SimulatedError(code: 14, message: "The price of the offer is not valid")
    /// `SKError.ineligibleForOffer`, `Product.PurchaseError.ineligibleForOffer`.
    public static let ineligibleForOffer = SimulatedError(
        code: 18, message: "The customer is not eligible for the offer")

    /// The domain of errors that exist only in StoreKit 2.
    public static let storeKit2Domain = "StoreKit.StoreKitError"

    /// `StoreKitError.notAvailableInStorefront` of StoreKit 2.
    public static let notAvailableInStorefront = SimulatedError(
        domain: storeKit2Domain, code: 1, message: "The product is not available in this storefront")
    /// `StoreKitError.notEntitled` of StoreKit 2.
    public static let notEntitled = SimulatedError(
        domain: storeKit2Domain, code: 2, message: "The app lacks the entitlement for in-app purchases")
    /// `StoreKitError.unsupported` of StoreKit 2.
    public static let unsupported = SimulatedError(
        domain: storeKit2Domain, code: 3, message: "The request is not supported")

    /// `Product.PurchaseError.multiSeatPurchaseDisabled` of StoreKit 2.
    public static let multiSeatPurchaseDisabled = SimulatedError(
        domain: "StoreKit.Product.PurchaseError", code: 9, message: "The product can't be bought for several people")

    /// `NSURLErrorNotConnectedToInternet`.
    public static let notConnectedToInternet = SimulatedError(
        domain: "NSURLErrorDomain", code: -1009, message: "The Internet connection appears to be offline")
}

extension SimulatedError {
    /// The error of requests and payments while an input isn't possible on the App Store.
    init(_ error: SimulatorError) {
        self.init(domain: Self.simulatorDomain, code: 1, message: error.message)
    }

    /// The domain of errors that say what a test has asked for and the App Store doesn't allow.
    package static let simulatorDomain = "AppStoreSimulator.SimulatorError"
}
