/// An error as the simulated App Store reports it: a domain and a code, like Apple's.
public struct SimulatedError: Error, Sendable, Hashable {
    /// The domain, such as `SKErrorDomain` or `NSURLErrorDomain`.
    public var domain: String
    /// The code in that domain.
    public var code: Int
    /// What a customer would read.
    public var message: String

    /// Makes an error.
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
    /// `SKError.paymentNotAllowed`.
    public static let paymentNotAllowed = SimulatedError(code: 4, message: "This device is not allowed to make payments")
    /// `SKError.storeProductNotAvailable`.
    public static let storeProductNotAvailable = SimulatedError(code: 5, message: "The product is not available in this storefront")
    /// `NSURLErrorNotConnectedToInternet`.
    public static let notConnectedToInternet = SimulatedError(
        domain: "NSURLErrorDomain", code: -1009, message: "The Internet connection appears to be offline")
}
