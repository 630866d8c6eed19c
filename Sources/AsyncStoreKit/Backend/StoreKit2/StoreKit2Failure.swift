/// An error of StoreKit 2, as the engine knows it. An environment makes it from StoreKit's error types.
package enum StoreKit2Failure: Sendable {
    /// A `Product.PurchaseError`, by the code of the same name.
    case purchase(StoreError.Code)
    case userCancelled
    case network(any Error)
    case system(any Error)
    case notAvailableInStorefront
    case notEntitled
    case invalidPresentationContext
    case unknown
}

extension StoreError {
    /// Creates the error for an error of StoreKit 2. Network and system errors are read as those of StoreKit 1.
    ///
    /// StoreKit's own text may name the customer's account. It's for the customer, and isn't part of the message.
    package init(_ failure: StoreKit2Failure, during what: String, underlying error: (any Error)?) {
        switch failure {
        case .purchase(let code): self.init(code, "\(what): \(code.refusal)", underlying: error)
        case .userCancelled: self.init(.userCancelled, "\(what): the customer canceled.", underlying: error)
        case .network(let cause): self.init(storeKitError: cause, during: what)
        case .system(let cause):
            let meaning = StoreError(storeKitError: cause, during: what)
            self =
                meaning.code == .unknown
                ? StoreError(.systemError, "\(what): the system failed.", underlying: cause) : meaning
        case .notAvailableInStorefront:
            self.init(.notAvailableInStorefront, "\(what): not sold in this storefront.", underlying: error)
        case .notEntitled:
            self.init(
                .notEntitled, "\(what): the app lacks the entitlement for in-app purchases.", underlying: error)
        case .invalidPresentationContext:
            self.init(.invalidPresentationContext, "\(what): the sheet can't be presented there.", underlying: error)
        case .unknown: self.init(.unknown, "\(what): StoreKit does not say why.", underlying: error)
        }
    }

    /// The error for a transaction whose signature isn't valid.
    /// - Parameter reason: StoreKit's error, in words.
    package static func unverified(
        _ productID: String, _ reason: String, underlying error: (any Error)? = nil
    ) -> StoreError {
        StoreError(
            .unverified, "The transaction for \"\(productID)\" is not signed by the App Store: \(reason)",
            underlying: error)
    }

    /// The error for an app transaction whose signature isn't valid.
    /// - Parameter reason: StoreKit's error, in words.
    package static func unverifiedAppTransaction(_ reason: String, underlying error: (any Error)? = nil) -> StoreError {
        StoreError(
            .unverified, "The app transaction is not signed by the App Store: \(reason)", underlying: error)
    }
}

extension StoreError.Code {
    /// Why StoreKit 2 refuses a purchase, in words.
    fileprivate var refusal: String {
        switch self {
        case .invalidQuantity: "the quantity is not allowed."
        case .productUnavailable: "the product is not for sale."
        case .purchaseNotAllowed: "purchases are not allowed on this device."
        case .ineligibleForOffer: "the customer is not eligible for the offer."
        case .invalidOfferIdentifier: "the product has no such offer."
        case .invalidOfferPrice: "the price of the offer is no longer valid."
        case .invalidOfferSignature: "the signature of the offer is not valid."
        case .missingOfferParameters: "the offer is not described completely."
        case .paymentMethodRequired: "the customer has to set up a payment method."
        case .seatsUnavailable: "the product has no seats."
        default: "StoreKit refuses it."
        }
    }
}

/// The results of a refund request other than success.
package enum StoreKit2RefundFailure: Sendable {
    case userCancelled
    case duplicateRequest
    case ineligible
    /// - Parameter reason: StoreKit's error, in words.
    case failed(reason: String)
}

extension StoreError {
    /// Creates the error for a refund request that wasn't sent.
    package init(refund failure: StoreKit2RefundFailure, during what: String, underlying error: (any Error)? = nil) {
        switch failure {
        case .userCancelled: self.init(.userCancelled, "The customer did not ask for a refund.", underlying: error)
        case .duplicateRequest:
            self.init(.refundDuplicate, "\(what): a refund was requested before.", underlying: error)
        case .ineligible:
            self.init(.refundIneligible, "\(what): the transaction can't be refunded.", underlying: error)
        case .failed(let reason):
            self.init(.refundFailed, "\(what): the refund request failed: \(reason)", underlying: error)
        }
    }
}

extension StoreSheet {
    /// Returns the identifier of a transaction as StoreKit 2 has it.
    /// - Throws: ``StoreError/Code/unknownTransaction``
    package static func number(ofTransaction id: String) throws(StoreError) -> UInt64 {
        guard let number = UInt64(id) else {
            throw StoreError(
                .unknownTransaction, "\"\(id)\" isn't the identifier of a transaction, so no refund can be requested.")
        }
        return number
    }
}
