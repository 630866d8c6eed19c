public import AppReceipt
public import Foundation

/// The terms of a billing plan of a subscription.
///
/// With the plan `monthly`, the customer pays every ``billingPeriod`` and commits to the whole
/// ``commitment``. Show both prices before the purchase.
public struct BillingPlanTerms: Sendable, Hashable {
    /// What the customer commits to.
    public struct Commitment: Sendable, Hashable {
        /// The price of the whole commitment, in the product's currency.
        public let price: Decimal
        /// The price of the whole commitment as customers read it.
        public let displayPrice: String
        /// The length of the commitment.
        public let period: StoreSubscriptionPeriod

        package init(price: Decimal, displayPrice: String, period: StoreSubscriptionPeriod) {
            self.price = price
            self.displayPrice = displayPrice
            self.period = period
        }
    }

    /// The plan.
    public let plan: BillingPlan
    /// The price of a billing period, in the product's currency.
    public let billingPrice: Decimal
    /// The price of a billing period as customers read it.
    public let billingDisplayPrice: String
    /// The time that one payment covers.
    public let billingPeriod: StoreSubscriptionPeriod
    /// What the customer commits to.
    public let commitment: Commitment
    /// The offers of this plan: introductory, promotional and win-back offers.
    public let offers: [StoreOffer]

    package init(
        plan: BillingPlan, billingPrice: Decimal, billingDisplayPrice: String, billingPeriod: StoreSubscriptionPeriod,
        commitment: Commitment, offers: [StoreOffer]
    ) {
        self.plan = plan
        self.billingPrice = billingPrice
        self.billingDisplayPrice = billingDisplayPrice
        self.billingPeriod = billingPeriod
        self.commitment = commitment
        self.offers = offers
    }
}
