import AppStoreSimulator
public import Foundation

extension Product.SubscriptionInfo {
    /// The time that one payment covers.
    public typealias BillingPeriod = Product.SubscriptionPeriod

    /// How a subscription is billed.
    public struct BillingPlanType: RawRepresentable, Hashable, Sendable {
        /// Monthly billing with a commitment for the subscription period.
        public static let monthly = BillingPlanType(rawValue: "MONTHLY")
        /// One payment for the subscription period.
        public static let upFront = BillingPlanType(rawValue: "BILLED_UPFRONT")

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The commitment of a billing plan.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The price of the whole commitment.
        public let price: Decimal
        /// The price, formatted for the storefront.
        public let displayPrice: String
        /// The length of the commitment.
        public let period: Product.SubscriptionPeriod
    }

    /// The terms of a billing plan.
    public struct PricingTerms: Hashable, Sendable {
        /// The price of a billing period.
        public let billingPrice: Decimal
        /// The price of a billing period, formatted for the storefront.
        public let billingDisplayPrice: String
        /// The time that one payment covers.
        public let billingPeriod: Product.SubscriptionInfo.BillingPeriod
        /// The billing plan.
        public let billingPlanType: Product.SubscriptionInfo.BillingPlanType
        /// The commitment of the plan.
        public let commitmentInfo: Product.SubscriptionInfo.CommitmentInfo
        /// The offers of the plan.
        public let subscriptionOffers: [Product.SubscriptionOffer]

        /// Returns the plan's offers of one type.
        public subscript(offers type: Product.SubscriptionOffer.OfferType) -> [Product.SubscriptionOffer] {
            subscriptionOffers.filter { $0.type == type }
        }
    }

    /// The billing plans in the storefront: up-front billing, and monthly billing for some subscriptions.
    public var pricingTerms: [Product.SubscriptionInfo.PricingTerms] {
        let period = Product.SubscriptionPeriod(subscription.period)
        let text = display.text(of: product.price)
        let upFront = PricingTerms(
            billingPrice: product.price, billingDisplayPrice: text, billingPeriod: period, billingPlanType: .upFront,
            commitmentInfo: CommitmentInfo(price: product.price, displayPrice: text, period: period),
            subscriptionOffers: offers(
                subscription.introductoryOffer, subscription.promotionalOffers, subscription.winBackOffers))
        guard let plan = subscription.monthlyPlan(in: display.storefront) else { return [upFront] }
        let monthly = PricingTerms(
            billingPrice: plan.price, billingDisplayPrice: display.text(of: plan.price),
            billingPeriod: Product.SubscriptionPeriod(SimulatedSubscription.billingPeriod), billingPlanType: .monthly,
            commitmentInfo: CommitmentInfo(
                price: plan.commitmentPrice, displayPrice: display.text(of: plan.commitmentPrice), period: period),
            subscriptionOffers: offers(plan.introductoryOffer, plan.promotionalOffers, plan.winBackOffers))
        return [upFront, monthly]
    }

    private func offers(
        _ introductory: SimulatedSubscription.Offer?, _ promotional: [SimulatedSubscription.Offer],
        _ winBack: [SimulatedSubscription.Offer]
    ) -> [Product.SubscriptionOffer] {
        (introductory.map { [Product.SubscriptionOffer($0, .introductory, display)] } ?? [])
            + promotional.map { Product.SubscriptionOffer($0, .promotional, display) }
            + winBack.map { Product.SubscriptionOffer($0, .winBack, display) }
    }

    /// A subscription that a bundle includes.
    public struct BundledSubscription: Hashable, Sendable {
        /// The product identifier.
        public let id: Product.ID
        /// The name that customers see.
        public let displayName: String
        /// The description that customers see.
        public let description: String
        /// The price of the subscription outside the bundle.
        public let price: Decimal
        /// The price, formatted for the storefront.
        public let displayPrice: String
        /// Whether the customer can share the subscription with their family.
        public let isFamilyShareable: Bool
        /// The subscription's group.
        public let subscriptionGroupID: String
        /// The rank in the group: 1 is the highest level of service.
        public let subscriptionGroupLevel: Int
        /// The name of the group that customers see.
        public let subscriptionGroupDisplayName: String
    }

    /// The subscriptions that a bundle includes; empty for other products.
    public var bundledSubscriptions: [Product.SubscriptionInfo.BundledSubscription] {
        guard let bundle = product.bundle, !bundle.isSuite else { return [] }
        return bundle.productIDs.compactMap { launch.store.catalog[$0] }.compactMap { member in
            guard let subscription = member.subscription else { return nil }
            let text = member.localization(for: display.localeIdentifier)
            return BundledSubscription(
                id: member.productID, displayName: text?.displayName ?? "", description: text?.description ?? "",
                price: member.price, displayPrice: display.text(of: member.price),
                isFamilyShareable: member.isFamilyShareable, subscriptionGroupID: subscription.groupID,
                subscriptionGroupLevel: subscription.groupLevel, subscriptionGroupDisplayName: subscription.groupName)
        }
    }
}
