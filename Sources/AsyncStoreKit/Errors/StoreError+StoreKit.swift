import Foundation

extension StoreError {
    // In the order of SKError.h's raw values, 0 to 20.
    private static let storeKitCodes: [Code] = [
        .unknown, .clientInvalid, .paymentCancelled, .paymentInvalid, .paymentNotAllowed, .productNotAvailable,
        .cloudServicePermissionDenied, .cloudServiceNetworkConnectionFailed, .cloudServiceRevoked,
        .privacyAcknowledgementRequired, .unauthorizedRequestData, .invalidOfferIdentifier, .invalidSignature,
        .missingOfferParameters, .invalidOfferPrice, .overlayCancelled, .overlayInvalidConfiguration, .overlayTimeout,
        .ineligibleForOffer, .unsupportedPlatform, .overlayPresentedInBackgroundScene,
    ]

    /// Gives an error of StoreKit or of the network its meaning, by domain and code.
    ///
    /// An `SKError` that carries a network error's code, or one underneath, is a network error: StoreKit has been seen to
    /// wrap them. Codes beyond those of `SKError.h` are ``Code/unknown``, with the original underneath.
    package init(storeKitError error: any Error, during what: String) {
        let error = error as NSError
        let text = error.userInfo[NSLocalizedDescriptionKey] as? String ?? "\(error.domain) \(error.code)"
        self.init(Self.code(of: error), "\(what): \(text)", underlying: error)
    }

    /// The raw value of the `SKError.Code` that means the same; `nil` for what StoreKit has no code for.
    package var storeKitCode: Int? { Self.storeKitCodes.firstIndex(of: code) }

    private static func code(of error: NSError) -> Code {
        switch error.domain {
        case NSURLErrorDomain:
            return networkCode(error.code)
        case "SKErrorDomain":
            if storeKitCodes.indices.contains(error.code), error.code != 0 { return storeKitCodes[error.code] }
            if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSURLErrorDomain {
                return networkCode(cause.code)
            }
            // NSURLError's codes are the negative numbers from -999 down; SKError has none below 0.
            return error.code <= -999 ? networkCode(error.code) : .unknown
        default:
            return .unknown
        }
    }

    private static func networkCode(_ code: Int) -> Code {
        code == NSURLErrorTimedOut ? .timedOut : .network
    }
}
