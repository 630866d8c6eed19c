import Foundation
import StoreKit

extension StoreError {
    /// Gives an error of StoreKit 2 its meaning. What lies underneath a network or system error is looked at as StoreKit 1's are.
    ///
    /// StoreKit's own text may name the customer's account: it is for the customer, and does not go into the message.
    init(storeKit2Error error: any Error, during what: String) {
        switch error {
        case let error as StoreError: self = error
        case is CancellationError: self = .cancelled(what)
        case let error as Product.PurchaseError: self.init(Code(error), "\(what): \(error)", underlying: error)
        case let error as StoreKitError: self.init(error, during: what)
        default: self = StoreError(refundError: error, during: what) ?? StoreError(storeKitError: error, during: what)
        }
    }

    private init(_ error: StoreKitError, during what: String) {
        if #available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *), case .notEntitled = error {
            self.init(.notEntitled, "\(what): the app lacks the entitlement for in-app purchases.", underlying: error)
            return
        }
        switch error {
        case .userCancelled: self.init(.userCancelled, "\(what): the customer cancelled.", underlying: error)
        case .networkError(let cause): self.init(storeKitError: cause, during: what)
        case .systemError(let cause):
            let meaning = StoreError(storeKitError: cause, during: what)
            self = meaning.code == .unknown ? StoreError(.systemError, "\(what): the system failed.", underlying: cause) : meaning
        case .notAvailableInStorefront: self.init(.notAvailableInStorefront, "\(what): not sold in this storefront.", underlying: error)
        default: self.init(.unknown, "\(what): StoreKit does not say why.", underlying: error)
        }
    }

    /// An app transaction whose signature doesn't verify.
    static func unverifiedAppTransaction(_ cause: any Error) -> StoreError {
        StoreError(.unverified, "The app transaction is not signed by the App Store: \(cause)", underlying: cause)
    }

    /// A transaction whose signature does not check out.
    static func unverified(_ productID: String, _ cause: any Error) -> StoreError {
        StoreError(.unverified, "The transaction for \"\(productID)\" is not signed by the App Store: \(cause)", underlying: cause)
    }
}

extension StoreError.Code {
    fileprivate init(_ error: Product.PurchaseError) {
        switch error {
        case .invalidQuantity: self = .invalidQuantity
        case .productUnavailable: self = .productUnavailable
        case .purchaseNotAllowed: self = .purchaseNotAllowed
        case .ineligibleForOffer: self = .ineligibleForOffer
        case .invalidOfferIdentifier: self = .invalidOfferIdentifier
        case .invalidOfferPrice: self = .invalidOfferPrice
        case .invalidOfferSignature: self = .invalidOfferSignature
        case .missingOfferParameters: self = .missingOfferParameters
        @unknown default: self = .unknown
        }
    }
}
