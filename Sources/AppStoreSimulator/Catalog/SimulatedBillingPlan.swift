public import Foundation

/// The billing plan of a subscription. Raw values are those of `billingPlanType` in signed transactions.
public enum SimulatedBillingPlan: String, Sendable, Hashable, CaseIterable {
    /// One payment for the subscription period.
    case upFront = "BILLED_UPFRONT"
    /// Monthly payments with a commitment for the subscription period.
    case monthly = "MONTHLY"
}

/// The terms of monthly payments with a commitment for the subscription period.
public struct SimulatedMonthlyPlan: Sendable, Hashable {
    /// The price of a month.
    public var price: Decimal
    /// The price of the whole commitment.
    public var commitmentPrice: Decimal
    /// The offer of this plan for new subscribers.
    public var introductoryOffer: SimulatedSubscription.Offer?
    /// The offers of this plan for current and former subscribers, which a server signs.
    public var promotionalOffers: [SimulatedSubscription.Offer]
    /// The offers of this plan for customers whose subscription has expired. Each offer has an identifier.
    public var winBackOffers: [SimulatedSubscription.Offer]
    /// The offers of this plan for customers with an offer code. Each offer has an identifier.
    public var codeOffers: [SimulatedSubscription.Offer]
    /// The countries whose storefronts don't have the plan, as ISO 3166-1 alpha-3 codes.
    public var excludedCountryCodes: Set<String>

    /// Creates the terms of a monthly plan.
    public init(
        price: Decimal, commitmentPrice: Decimal, introductoryOffer: SimulatedSubscription.Offer? = nil,
        promotionalOffers: [SimulatedSubscription.Offer] = [], winBackOffers: [SimulatedSubscription.Offer] = [],
        codeOffers: [SimulatedSubscription.Offer] = [], excludedCountryCodes: Set<String> = ["USA", "SGP"]
    ) {
        self.price = price
        self.commitmentPrice = commitmentPrice
        self.introductoryOffer = introductoryOffer
        self.promotionalOffers = promotionalOffers
        self.winBackOffers = winBackOffers
        self.codeOffers = codeOffers
        self.excludedCountryCodes = excludedCountryCodes
    }

    /// Returns a plan with twelve payments of a price. As in the App Store, the storefronts of the United States and
    /// Singapore don't have the plan.
    public static func monthly(_ price: Decimal) -> SimulatedMonthlyPlan {
        SimulatedMonthlyPlan(price: price.inThousandths, commitmentPrice: price.inThousandths * 12)
    }
}

extension SimulatedSubscription {
    /// The length of a billing period of the monthly plan.
    package static let billingPeriod = SimulatedPeriod(1, .month)

    /// Returns the monthly plan if the storefront has the plan. Only yearly subscriptions have a monthly plan.
    package func monthlyPlan(in storefront: SimulatedStorefront?) -> SimulatedMonthlyPlan? {
        guard let monthlyPlan, period == SimulatedPeriod(1, .year) || period == SimulatedPeriod(12, .month),
            let storefront, !monthlyPlan.excludedCountryCodes.contains(storefront.countryCode)
        else { return nil }
        return monthlyPlan
    }

    /// Returns the subscription's terms under a plan: the period that one payment covers, and the plan's offers.
    func billed(_ plan: SimulatedBillingPlan?) -> SimulatedSubscription {
        guard plan == .monthly, let monthlyPlan else { return self }
        var terms = self
        terms.period = Self.billingPeriod
        terms.introductoryOffer = monthlyPlan.introductoryOffer
        terms.promotionalOffers = monthlyPlan.promotionalOffers
        terms.winBackOffers = monthlyPlan.winBackOffers
        terms.codeOffers = monthlyPlan.codeOffers
        return terms
    }
}
