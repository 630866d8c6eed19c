import Foundation
import StoreKit

extension StoreError {
    init(storeKit2Error error: any Error, during what: String) {
        switch error {
        case let error as StoreError: self = error
        case is CancellationError: self = .cancelledRequest(during: what)
        case let cause as Product.PurchaseError: self.init(storeKit2: Code(cause), during: what, underlying: cause)
        case let cause as StoreKitError: self.init(cause, during: what)
        default: self = StoreError(refundError: error, during: what) ?? StoreError(storeKitError: error, during: what)
        }
    }

    private init(_ error: StoreKitError, during what: String) {
        switch error {
        case .networkError(let cause): self.init(storeKitError: cause, during: what)
        case .systemError(let cause): self.init(systemError: cause, during: what)
        default: self.init(storeKit2: Code(error), during: what, underlying: error)
        }
    }
}

/// Calls StoreKit 2, and throws its errors as store errors.
func convertingErrors<Value: Sendable>(
    during what: String, _ call: () async throws -> Value
) async throws(StoreError) -> Value {
    do {
        return try await call()
    } catch {
        throw StoreError(storeKit2Error: error, during: what)
    }
}

extension StoreError.Code {
    fileprivate init(_ error: StoreKitError) {
        if #available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *), case .notEntitled = error {
            self = .notEntitled
            return
        }
        switch error {
        case .userCancelled: self = .userCancelled
        case .notAvailableInStorefront: self = .notAvailableInStorefront
        default: self = Self.later(error) ?? .unknown
        }
    }

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
        // Later SDKs have more cases; `@unknown default` would ask for each of them.
        default: self = Self.later(error) ?? Self.seats(error) ?? .unknown
        }
    }
}
