import AppStoreSimulator
public import Foundation

/// An error of StoreKit 2.
public enum StoreKitError: Error, LocalizedError, Sendable {
    /// Something went wrong that has no name.
    case unknown
    /// The customer did not want to.
    case userCancelled
    /// The App Store cannot be reached.
    case networkError(URLError)
    /// Something below StoreKit failed.
    case systemError(any Error)
    /// The product is not sold in this storefront.
    case notAvailableInStorefront
    /// The app lacks the entitlement for in-app purchases.
    case notEntitled
    /// The App Store or the device cannot do it.
    case unsupported
    /// A sheet can't be presented there.
    case invalidPresentationContext

    /// What a customer may read about the error.
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
    /// The error as StoreKit 2 throws it.
    init(_ error: SimulatedError) {
        switch (error.domain, error.code) {
        case (SimulatedError.storeKitDomain, 0): self = .unknown
        case (SimulatedError.storeKitDomain, 2): self = .userCancelled
        case (SimulatedError.storeKit2Domain, 1): self = .notAvailableInStorefront
        case (SimulatedError.storeKit2Domain, 2): self = .notEntitled
        case (SimulatedError.storeKit2Domain, 3): self = .unsupported
        case ("NSURLErrorDomain", let code):
            let userInfo = error.message.isEmpty ? [:] : [NSLocalizedDescriptionKey: error.message]
            self = .networkError(URLError(URLError.Code(rawValue: code) ?? .unknown, userInfo: userInfo))
        default: self = .systemError(error.foundationError)
        }
    }
}
