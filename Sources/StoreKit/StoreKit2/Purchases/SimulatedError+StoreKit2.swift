package import AppStoreSimulator
import Foundation

extension SimulatedError {
    /// Creates the simulator's error for an error of StoreKit.
    package init(_ error: StoreKitError) {
        switch error {
        case .unknown: self = .unknown
        case .userCancelled: self = .paymentCancelled
        case .networkError(let error): self.init(domain: "NSURLErrorDomain", code: error.errorCode)
        case .systemError(let error):
            let error = error as NSError
            self.init(domain: error.domain, code: error.code, message: error.localizedDescription)
        case .notAvailableInStorefront: self = .notAvailableInStorefront
        case .notEntitled: self = .notEntitled
        case .unsupported: self = .unsupported
        case .invalidPresentationContext: self.init(domain: Self.storeKit2Domain, code: 4)
        }
    }

    /// Creates the simulator's error for an error of a purchase.
    package init(_ error: Product.PurchaseError) {
        switch error {
        case .invalidQuantity: self = .invalidQuantity
        case .productUnavailable: self = .storeProductNotAvailable
        case .purchaseNotAllowed: self = .purchaseNotAllowed
        case .ineligibleForOffer: self = .ineligibleForOffer
        case .invalidOfferIdentifier: self = .invalidOfferIdentifier
        case .invalidOfferPrice: self = .invalidOfferPrice
        case .invalidOfferSignature: self = .invalidOfferSignature
        case .missingOfferParameters: self = .missingOfferParameters
        case .paymentMethodBindingConfigurationRequired: self.init(code: 21)
        case .multiSeatPurchaseDisabled: self = .multiSeatPurchaseDisabled
        }
    }
}
