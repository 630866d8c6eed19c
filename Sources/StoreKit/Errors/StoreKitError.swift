package import AppStoreSimulator
public import Foundation

/// A StoreKit 2 error.
public enum StoreKitError: Error, LocalizedError, Sendable {
    /// The cause is unknown.
    case unknown
    /// The customer canceled.
    case userCancelled
    /// The App Store cannot be reached.
    case networkError(URLError)
    /// A system component below StoreKit failed.
    case systemError(any Error)
    /// The product isn't sold in this storefront.
    case notAvailableInStorefront
    /// The app lacks the entitlement for in-app purchases.
    case notEntitled
    /// The App Store or the device doesn't support the request.
    case unsupported
    /// A sheet can't be presented in the given scene or window.
    case invalidPresentationContext

    /// The error message for customers.
    public var errorDescription: String? {
        switch self {
        case .unknown: "An unknown error occurred."
        case .userCancelled: "The request was cancelled."
        case .networkError: "The App Store cannot be reached."
        case .systemError: "The App Store failed."
        case .notAvailableInStorefront: "The product is not available in this storefront."
        case .notEntitled: "The app may not sell in-app purchases."
        case .unsupported: "The request is not supported."
        case .invalidPresentationContext: "The sheet can't be presented here."
        }
    }
}

extension StoreKitError {
    /// Creates the error that StoreKit 2 throws for an error of the simulator.
    package init(_ error: SimulatedError) {
        switch (error.domain, error.code) {
        case (SimulatedError.storeKitDomain, 0): self = .unknown
        case (SimulatedError.storeKitDomain, 2): self = .userCancelled
        case (SimulatedError.storeKit2Domain, 1): self = .notAvailableInStorefront
        case (SimulatedError.storeKit2Domain, 2): self = .notEntitled
        case (SimulatedError.storeKit2Domain, 3): self = .unsupported
        case (SimulatedError.storeKit2Domain, 4): self = .invalidPresentationContext
        case ("NSURLErrorDomain", let code):
            let userInfo = error.message.isEmpty ? [:] : [NSLocalizedDescriptionKey: error.message]
            self = .networkError(URLError(URLError.Code(rawValue: code) ?? .unknown, userInfo: userInfo))
        default: self = .systemError(error.foundationError)
        }
    }
}
