import Foundation

extension StoreError {
    // The raw values in SKError.h for which StoreKit 2 has a name. Every other value becomes `storeKit`.
    private static let storeKitCodes: [Int: Code] = [
        0: .unknown, 2: .userCancelled, 4: .purchaseNotAllowed, 5: .notAvailableInStorefront,
        11: .invalidOfferIdentifier, 12: .invalidOfferSignature, 13: .missingOfferParameters,
        14: .invalidOfferPrice, 18: .ineligibleForOffer, 19: .unsupported, 21: .paymentMethodRequired,
    ]

    /// Creates the error for an error of StoreKit or the network, by its domain and code.
    ///
    /// An `SKError` that carries a network error's code, or one underneath, is a network error: StoreKit sometimes
    /// wraps them.
    package init(storeKitError error: any Error, during what: String) {
        let error = error as NSError
        let text = error.userInfo[NSLocalizedDescriptionKey] as? String ?? "\(error.domain) \(error.code)"
        self.init(Self.code(of: error), "\(what): \(text)", underlying: error)
    }

    /// Creates the error for StoreKit 1's error of a payment. An `SKError` that doesn't say why is an interruption.
    package init(paymentError error: any Error, for productID: String) {
        let meaning = StoreError(storeKitError: error, during: "The purchase of \"\(productID)\"")
        let error = error as NSError
        let isUnexplained =
            error.domain == "SKErrorDomain" && error.code == 0 && error.userInfo[NSUnderlyingErrorKey] == nil
        self = isUnexplained ? .purchaseInterrupted(productID, underlying: error) : meaning
    }

    /// The error of a purchase that StoreKit ended without a result.
    package static func purchaseInterrupted(_ productID: String, underlying error: (any Error)?) -> StoreError {
        StoreError(
            .purchaseInterrupted,
            "StoreKit ended the purchase of \"\(productID)\" without a result. The transaction may still arrive.",
            underlying: error)
    }

    /// The raw value of the `SKError.Code` with the same meaning; `nil` if `SKError` has no such code.
    package var storeKitCode: Int? {
        guard code != .storeKit else { return (underlying as NSError?)?.code }
        guard code != .purchaseInterrupted else { return 0 }
        return Self.storeKitCodes.first { $0.value == code }?.key
    }

    /// The text that StoreKit or the network has for customers.
    var storeKitText: String? {
        // StoreKit's text for a declined approval says that the customer canceled, and for an interruption that the
        // error is unknown.
        guard code != .approvalDeclined, code != .purchaseInterrupted, let cause = underlying as NSError? else {
            return nil
        }
        guard cause.domain == "SKErrorDomain" || cause.domain == NSURLErrorDomain else { return nil }
        return cause.userInfo[NSLocalizedDescriptionKey] as? String
    }

    private static func code(of error: NSError) -> Code {
        switch error.domain {
        case NSURLErrorDomain:
            return networkCode(error.code)
        case "SKErrorDomain":
            if error.code != 0, let code = storeKitCodes[error.code] { return code }
            if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSURLErrorDomain {
                return networkCode(cause.code)
            }
            // NSURLError's codes are the negative numbers from -999 down; SKError has none below 0.
            if error.code <= -999 { return networkCode(error.code) }
            return error.code == 0 ? .unknown : .storeKit
        default:
            return .unknown
        }
    }

    private static func networkCode(_ code: Int) -> Code {
        code == NSURLErrorTimedOut ? .timedOut : .networkError
    }
}
