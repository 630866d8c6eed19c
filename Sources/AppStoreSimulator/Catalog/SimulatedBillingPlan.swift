public import Foundation

/// How a subscription is billed. Raw values are those of `billingPlanType` in signed transactions.
public enum SimulatedBillingPlan: String, Sendable, Hashable, CaseIterable {
    /// Once for the subscription period.
    case upFront = "BILLED_UPFRONT"
    /// Every month, with a commitment for the subscription period.
    case monthly = "MONTHLY"
}

/// The terms of a subscription that customers can also pay monthly, with a commitment for its period.
public struct SimulatedMonthlyPlan: Sendable, Hashable {
    /// The price of a month.
    public var price: Decimal
    /// The price of the whole commitment.
    public var commitmentPrice: Decimal
    /// The offer of this plan for new subscribers.
    public var introductoryOffer: SimulatedSubscription.Offer?
    /// The offers of this plan for present and former subscribers, which a server signs.
    public var promotionalOffers: [SimulatedSubscription.Offer]
    /// The offers of this plan for customers whose subscription has expired; each has an identifier.
    public var winBackOffers: [SimulatedSubscription.Offer]
    /// The offers of this plan that a customer gets by a code; each has an identifier.
    public var codeOffers: [SimulatedSubscription.Offer]
    /// The countries whose storefronts don't have the plan, by ISO 3166-1 alpha-3.
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

    /// A price that is paid twelve times. As in the App Store, storefronts in the United States and Singapore don't
    /// have the plan.
    public static func monthly(_ price: Decimal) -> SimulatedMonthlyPlan {
        SimulatedMonthlyPlan(price: price.inThousandths, commitmentPrice: price.inThousandths * 12)
    }
}

extension SimulatedSubscription {
    /// The length of a billing period of the monthly plan.
    package static let billingPeriod = SimulatedPeriod(1, .month)

    /// Returns the monthly plan if a storefront has it. Only subscriptions of a year have one.
    package func monthlyPlan(in storefront: SimulatedStorefront?) -> SimulatedMonthlyPlan? {
        guard let monthlyPlan, period == SimulatedPeriod(1, .year) || period == SimulatedPeriod(12, .month),
            let storefront, !monthlyPlan.excludedCountryCodes.contains(storefront.countryCode)
        else { return nil }
        return monthlyPlan
    }

    /// Returns the terms by which a plan bills the subscription: the period that one payment covers, and the plan's
    /// offers.
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
