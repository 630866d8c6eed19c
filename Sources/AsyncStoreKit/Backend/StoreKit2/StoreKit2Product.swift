package import Foundation

/// A product that StoreKit 2 has loaded, and the way to buy it.
package struct StoreKit2Product: Sendable {
    /// Decides whether a purchase continues when the account moves to another storefront.
    package typealias StorefrontPolicy = @Sendable (AppStorefront) -> Bool
    /// A purchase whose options have been checked. Presents the sheet, and returns the result.
    package typealias Purchase =
        @Sendable (PresentationAnchor?) async throws(StoreError) -> StoreKit2PurchaseResult

    package let value: StoreProduct
    /// Checks the options of a payment, and returns the purchase.
    ///
    /// Throws ``StoreError/Code/invalidAccount``, ``StoreError/Code/invalidOfferSignature``,
    /// ``StoreError/Code/invalidOfferIdentifier`` and ``StoreError/Code/unsupported``, before the App Store is asked for
    /// anything.
    package let prepare: @Sendable (PaymentRequest, StorefrontPolicy?) throws(StoreError) -> Purchase

    package init(
        value: StoreProduct,
        prepare: @escaping @Sendable (PaymentRequest, StorefrontPolicy?) throws(StoreError) -> Purchase
    ) {
        self.value = value
        self.prepare = prepare
    }
}

/// The result of a purchase.
package enum StoreKit2PurchaseResult: Sendable {
    case success(StoreKit2Statement)
    case pending
    case userCancelled
    /// A result that a later version of StoreKit has added. The customer may have paid.
    case unknown
}

/// What a payment asks of StoreKit 2, checked.
package struct StoreKit2PurchaseOptions: Sendable, Hashable {
    /// An offer, with what StoreKit 2 needs of its signature.
    package enum Offer: Sendable, Hashable {
        indirect case promotional(id: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int64)
        case signed(id: String, jws: String)
        case winBack(id: String)
    }

    package let quantity: Int
    package let accountToken: UUID?
    package let offer: Offer?
    package let introductoryEligibility: String?
    package let simulatesAskToBuy: Bool

    /// Checks a payment for a product.
    /// - Throws: ``StoreError/Code/invalidAccount``, ``StoreError/Code/invalidOfferSignature`` and
    ///   ``StoreError/Code/invalidOfferIdentifier``.
    package init(_ payment: PaymentRequest, for product: StoreProduct) throws(StoreError) {
        if let username = payment.applicationUsername {
            guard let token = UUID(uuidString: username) else {
                throw StoreError(
                    .invalidAccount, "StoreKit 2 needs a UUID as the account. \"\(username)\" isn't a UUID.")
            }
            accountToken = token
        } else {
            accountToken = nil
        }
        if let offer = payment.offer {
            self.offer = try Offer(offer, for: product)
        } else {
            offer = nil
        }
        quantity = payment.quantity
        introductoryEligibility = payment.introductoryEligibility
        simulatesAskToBuy = payment.simulatesAskToBuy
    }
}

extension StoreKit2PurchaseOptions.Offer {
    fileprivate init(_ offer: PurchaseOffer, for product: StoreProduct) throws(StoreError) {
        switch offer.form {
        case .promotional(let signed):
            guard let signature = Data(base64Encoded: signed.signature) else {
                throw StoreError(.invalidOfferSignature, "The signature of offer \"\(offer.id)\" is not base64.")
            }
            self = .promotional(
                id: offer.id, keyID: signed.keyID, nonce: signed.nonce, signature: signature,
                timestamp: signed.timestamp)
        case .signed(let jws): self = .signed(id: offer.id, jws: jws)
        case .winBack:
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else {
                throw StoreError(.unsupported, "Win-back offers need a later system.")
            }
            guard product.winBackOffers.contains(where: { $0.id == offer.id }) else {
                throw StoreError(.invalidOfferIdentifier, "\"\(product.id)\" has no win-back offer \"\(offer.id)\".")
            }
            self = .winBack(id: offer.id)
        }
    }
}
