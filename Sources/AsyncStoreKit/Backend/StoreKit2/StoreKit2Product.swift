package import AppReceipt
package import Foundation

/// A product that StoreKit 2 has loaded, and the way to buy it.
package struct StoreKit2Product: Sendable {
    /// Decides whether a purchase continues when the account moves to another storefront.
    package typealias StorefrontPolicy = @Sendable (AppStorefront) -> Bool
    /// A purchase whose options have been checked. Presents the sheet, and returns the result.
    package typealias Purchase = StoreFunction<PresentationAnchor?, StoreKit2PurchaseResult>

    package let value: StoreProduct
    /// Checks the options of a payment, and returns the purchase. Asks the App Store for nothing.
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

package enum StoreKit2PurchaseResult: Sendable {
    case success(StoreKit2SignedTransaction)
    case pending
    case userCancelled
    /// A result that a later version of StoreKit has added. The customer may have paid.
    case unknown
}

/// The options of a payment for StoreKit 2, after they were checked.
package struct StoreKit2PurchaseOptions: Sendable, Hashable {
    /// The options, as the app gave them.
    package let requested: PurchaseOptions
    package let accountToken: UUID?
    /// A plan that the product has; `nil` leaves out the option.
    package let billingPlan: BillingPlan?

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
        requested = payment.options
        billingPlan = try Self.plan(requested.billingPlan, of: product)
        try requested.offer?.check(for: product, billingPlan)
        if requested.seats != nil, product.supportsMultiSeatPurchase == false { throw .seatsUnavailable(product.id) }
    }

    /// Returns a plan of the product. Without named plans, a subscription is billed up front without the option.
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

extension PurchaseOffer {
    /// Checks an offer. With a billing plan, the offer has to be one of the plan's, and of the same kind.
    fileprivate func check(for product: StoreProduct, _ plan: BillingPlan?) throws(StoreError) {
        let isWinBack = if case .winBack = form { true } else { false }
        if let terms = plan.flatMap(product.terms),
            !terms.offers.contains(where: { $0.id == id && ($0.kind == .winBack) == isWinBack })
        {
            throw StoreError(
                .invalidOfferIdentifier, "The plan \(terms.plan.rawValue) of \"\(product.id)\" has no offer \"\(id)\".")
        }
        switch form {
        case .promotional(let signed): _ = try signed.data(of: id)
        case .signed: break
        case .winBack:
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else {
                throw StoreError(.offerUnavailable, "Win-back offers need a later system.")
            }
            guard plan != nil || product.winBackOffers.contains(where: { $0.id == id }) else {
                throw StoreError(.invalidOfferIdentifier, "\"\(product.id)\" has no win-back offer \"\(id)\".")
            }
        }
    }
}

// The types of StoreKit 2.
extension PurchaseOffer.Signature {
    /// - Throws: ``StoreError/Code/invalidOfferSignature`` if the signature isn't base64.
    package func data(of offerID: String) throws(StoreError) -> Data {
        guard let data = Data(base64Encoded: signature) else {
            throw StoreError(.invalidOfferSignature, "The signature of offer \"\(offerID)\" is not base64.")
        }
        return data
    }

    /// Returns the timestamp as StoreKit's integer, which has 32 bits on some watches.
    /// - Throws: ``StoreError/Code/offerUnavailable`` if the integer can't have the value.
    func integerTimestamp<Value: FixedWidthInteger>() throws(StoreError) -> Value {
        guard let value = Value(exactly: timestamp) else {
            throw StoreError(
                .offerUnavailable,
                "The timestamp \(timestamp) of the offer's signature has more than the \(Value.bitWidth) bits of an"
                    + " integer on this device. Sign the offer as a JSON Web Signature, for promotional(id:jws:).")
        }
        return value
    }
}
