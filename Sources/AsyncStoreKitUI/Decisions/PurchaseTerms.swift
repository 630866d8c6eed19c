public import AppReceipt
public import AsyncStoreKit
import Foundation

/// The terms of a purchase: the price, the billing period, and the offer that comes first.
///
/// App Review asks for the price, the length of a subscription and the terms of an introductory offer wherever a
/// subscription is sold. Show ``summary``, or ``offer`` and ``price`` together.
///
/// | Product | ``summary`` |
/// |---|---|
/// | Not a subscription | $24.99 |
/// | Subscription | $4.99 per month |
/// | With a free trial, if the customer is eligible | 1 week free, then $4.99 per month |
/// | With monthly payments and a commitment | $4.99 per month for 12 months ($59.88 in total) |
public struct PurchaseTerms: Sendable, Hashable {
    /// The price, with the period of a subscription, and with the total of a commitment. For a purchase with
    /// `PurchaseOptions.seats`, the price of one seat.
    public let price: String
    /// The offer that applies first, such as "1 week free"; `nil` if none applies.
    public let offer: String?
    /// The offer and the price in one text.
    public let summary: String
    /// The offer that applies first. An introductory offer is here only if it's known that the customer is eligible.
    public let appliedOffer: StoreOffer?
    /// How the subscription is billed; `nil` if the purchase names no plan, which bills it up front.
    public let billingPlan: BillingPlan?
    /// Whether the purchase renews until the customer cancels.
    public let isRenewing: Bool

    /// Whether the purchase begins with a free trial.
    public var isTrial: Bool { appliedOffer?.paymentMode == .freeTrial }

    /// Returns `nil` if the product doesn't have the billing plan of the options, because the purchase would fail.
    /// - Parameters:
    ///   - product: The product.
    ///   - options: The options of the purchase: the quantity, the billing plan and the offer are used.
    ///   - eligible: The offers that the customer may use.
    ///   - texts: The texts in the customer's language.
    package init?(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions(), eligible: EligibleOffers?,
        in texts: CustomerTexts = .current
    ) {
        let plan = options.billingPlan.flatMap { product.terms(of: $0) }
        guard plan != nil || options.billingPlan == nil || options.billingPlan == .upFront else { return nil }
        billingPlan = options.billingPlan
        isRenewing = product.subscriptionPeriod != nil
        price = Self.price(of: product, plan, quantity: options.quantity, in: texts)
        let offers =
            plan?.offers ?? [product.introductoryOffer].compactMap { $0 } + product.promotionalOffers
            + product.winBackOffers
        if let named = options.offer {
            appliedOffer = offers.first { $0.id == named.id && $0.kind != .introductory }
        } else if options.introductoryOfferEligibilityJWS != nil {
            // The app's server decides, and the app doesn't read the decision.
            appliedOffer = nil
        } else {
            appliedOffer = offers.first { $0.kind == .introductory && eligible?.contains($0) == true }
        }
        offer = appliedOffer.map(texts.offer)
        summary = offer.map { [price] in texts.text(.priceAfterOffer, [.offer: $0, .price: price]) } ?? price
    }

    private static func price(
        of product: StoreProduct, _ plan: BillingPlanTerms?, quantity: Int, in texts: CustomerTexts
    ) -> String {
        if let plan {
            let price = texts.price(plan.billingDisplayPrice, per: plan.billingPeriod)
            guard plan.commitment.period.inMonths != plan.billingPeriod.inMonths else { return price }
            return texts.text(
                .priceOfCommitment,
                [
                    .price: price, .period: texts.period(plan.commitment.period.inMonths),
                    .total: plan.commitment.displayPrice,
                ])
        }
        if let period = product.subscriptionPeriod { return texts.price(product.displayPrice, per: period) }
        guard quantity > 1 else { return product.displayPrice }
        return product.priceFormatStyle.format(product.price * Decimal(quantity))
    }
}

extension StoreSubscriptionPeriod {
    /// The period in months if it has years: commitments are named in the unit of their payments.
    fileprivate var inMonths: StoreSubscriptionPeriod {
        unit == .year ? StoreSubscriptionPeriod(value: value &* 12, unit: .month) : self
    }
}
