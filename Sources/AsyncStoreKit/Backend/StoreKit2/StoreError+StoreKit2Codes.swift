extension StoreError {
    /// Creates the error for an error of StoreKit 2, by its code.
    ///
    /// StoreKit's own text may name the customer's account. It's for the customer, and isn't part of the message.
    package init(storeKit2 code: Code, during what: String, underlying error: (any Error)? = nil) {
        self.init(code, "\(what): \(code.refusal)", underlying: error)
    }

    /// Creates the error for an error of the system, which is read as one of StoreKit 1.
    package init(systemError cause: any Error, during what: String) {
        let meaning = StoreError(storeKitError: cause, during: what)
        self =
            meaning.code == .unknown
            ? StoreError(.systemError, "\(what): the system failed.", underlying: cause) : meaning
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
    /// Why StoreKit 2 refuses a call, in words.
    fileprivate var refusal: String {
        switch self {
        case .userCancelled: "the customer canceled."
        case .notAvailableInStorefront: "not sold in this storefront."
        case .notEntitled: "the app lacks the entitlement for in-app purchases."
        case .invalidPresentationContext: "the sheet can't be presented there."
        case .refundDuplicate: "a refund was requested before."
        case .refundIneligible: "the transaction can't be refunded."
        case .refundFailed: "the refund request failed."
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
        default: "StoreKit does not say why."
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
