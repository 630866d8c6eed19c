package import AppReceipt
package import Foundation

/// A product that StoreKit 2 has loaded, and the way to buy it.
package struct StoreKit2Product: Sendable {
    /// Decides whether a purchase continues when the account moves to another storefront.
    package typealias StorefrontPolicy = @Sendable (AppStorefront) -> Bool
    /// A purchase whose options have been checked. Presents the sheet, and returns the result.
    package typealias Purchase = StoreFunction<PresentationAnchor?, StoreKit2PurchaseResult>

    package let value: StoreProduct
    /// Checks the options of a payment, and returns the purchase.
    ///
    /// Fails with ``StoreError/Code/invalidAccount``, ``StoreError/Code/billingPlanUnavailable``,
    /// ``StoreError/Code/seatsUnavailable``, ``StoreError/Code/invalidOfferSignature``,
    /// ``StoreError/Code/invalidOfferIdentifier`` and ``StoreError/Code/unsupported``, before the App Store is asked
    /// for anything.
    package let prepare: @Sendable (PaymentRequest, StorefrontPolicy?) -> Result<Purchase, StoreError>

    package init(
        value: StoreProduct,
        prepare: @escaping @Sendable (PaymentRequest, StorefrontPolicy?) throws(StoreError) -> Purchase
    ) {
        self.value = value
        self.prepare = { payment, policy in
            do throws(StoreError) {
                return .success(try prepare(payment, policy))
            } catch {
                return .failure(error)
            }
        }
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

/// The options of a payment for StoreKit 2, after they were checked.
package struct StoreKit2PurchaseOptions: Sendable, Hashable {
    /// An offer, with the parts of its signature that StoreKit 2 needs.
    package enum Offer: Sendable, Hashable {
        indirect case promotional(id: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int64)
        case signed(id: String, jws: String)
        case winBack(id: String)
    }

    package let quantity: Int
    package let accountToken: UUID?
    package let offer: Offer?
    package let introductoryOfferEligibilityJWS: String?
    /// A plan that the product has; `nil` leaves out the option.
    package let billingPlan: BillingPlan?
    package let seats: Int?
    package let simulatesAskToBuy: Bool

    /// Checks a payment for a product.
    /// - Throws: ``StoreError/Code/invalidAccount``, ``StoreError/Code/billingPlanUnavailable``,
    ///   ``StoreError/Code/seatsUnavailable``, ``StoreError/Code/invalidOfferSignature`` and
    ///   ``StoreError/Code/invalidOfferIdentifier``.
    package init(_ payment: PaymentRequest, for product: StoreProduct) throws(StoreError) {
        if let username = payment.applicationUsername {
            guard let token = UUID(uuidString: username) else {
                throw StoreError(
                    .invalidAccount, "StoreKit 2 needs a UUID as the account. The user name isn't one.")
            }
            accountToken = token
        } else {
            accountToken = nil
        }
        billingPlan = try Self.plan(payment.options.billingPlan, of: product)
        if let offer = payment.offer {
            self.offer = try Offer(offer, for: product, billingPlan)
        } else {
            offer = nil
        }
        quantity = payment.quantity
        introductoryOfferEligibilityJWS = payment.options.introductoryOfferEligibilityJWS
        seats = payment.options.seats
        if seats != nil, product.supportsMultiSeatPurchase == false { throw .seatsUnavailable(product.id) }
        simulatesAskToBuy = payment.options.simulatesAskToBuy
    }

    /// Returns a plan that the product has. Where StoreKit doesn't name plans, a subscription is billed up front
    /// without the option.
    private static func plan(_ plan: BillingPlan?, of product: StoreProduct) throws(StoreError) -> BillingPlan? {
        guard let plan else { return nil }
        if product.terms(of: plan) != nil { return plan }
        if plan == .upFront, product.billingPlans.isEmpty, product.subscriptionPeriod != nil { return nil }
        throw .billingPlanUnavailable(plan, product.id)
    }
}

extension StoreError {
    static func billingPlanUnavailable(
        _ plan: BillingPlan, _ productID: String, in place: String = "here"
    ) -> StoreError {
        StoreError(
            .billingPlanUnavailable, "\"\(productID)\" doesn't have the billing plan \(plan.rawValue) \(place).")
    }

    static func seatsUnavailable(_ productID: String) -> StoreError {
        StoreError(.seatsUnavailable, "\"\(productID)\" can't be bought with seats.")
    }
}

extension StoreKit2PurchaseOptions.Offer {
    /// Returns the timestamp of a signature as StoreKit's integer, which has 32 bits on some watches.
    /// - Throws: ``StoreError/Code/offerUnavailable`` if the integer can't have the value.
    static func integer<Value: FixedWidthInteger>(of timestamp: Int64) throws(StoreError) -> Value {
        guard let value = Value(exactly: timestamp) else {
            throw StoreError(
                .offerUnavailable,
                "The timestamp \(timestamp) of the offer's signature has more than the \(Value.bitWidth) bits of an"
                    + " integer on this device. Sign the offer as a JSON Web Signature, for promotional(id:jws:).")
        }
        return value
    }

    /// Checks an offer. With a billing plan, the offer has to be one of the plan's.
    fileprivate init(_ offer: PurchaseOffer, for product: StoreProduct, _ plan: BillingPlan?) throws(StoreError) {
        if let terms = plan.flatMap(product.terms), !terms.offers.contains(where: { $0.id == offer.id }) {
            throw StoreError(
                .invalidOfferIdentifier,
                "The plan \(terms.plan.rawValue) of \"\(product.id)\" has no offer \"\(offer.id)\".")
        }
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
                throw StoreError(.offerUnavailable, "Win-back offers need a later system.")
            }
            guard plan != nil || product.winBackOffers.contains(where: { $0.id == offer.id }) else {
                throw StoreError(.invalidOfferIdentifier, "\"\(product.id)\" has no win-back offer \"\(offer.id)\".")
            }
            self = .winBack(id: offer.id)
        }
    }
}
