public import Foundation

/// The terms of an auto-renewable subscription.
public struct SimulatedSubscription: Sendable, Hashable {
    /// A reduced price for a limited time.
    public struct Offer: Sendable, Hashable {
        /// How the customer pays an offer. Raw values are those of `SKProductDiscount.PaymentMode`.
        public enum PaymentMode: UInt, Sendable, Hashable, CaseIterable {
            /// The customer pays the offer's price each period.
            case payAsYouGo = 0
            /// The customer pays the offer's price once.
            case payUpFront = 1
            /// The offer is free.
            case freeTrial = 2
        }

        /// The identifier of the offer; `nil` for an introductory offer.
        public var id: String?
        /// How the customer pays the offer.
        public var paymentMode: PaymentMode
        /// The price; zero for a free trial.
        public var price: Decimal
        /// The length of one period of the offer.
        public var period: SimulatedPeriod
        /// The number of periods that the offer lasts.
        public var numberOfPeriods: Int

        /// Creates an offer.
        public init(
            id: String? = nil, paymentMode: PaymentMode, price: Decimal, period: SimulatedPeriod,
            numberOfPeriods: Int = 1
        ) {
            self.id = id
            self.paymentMode = paymentMode
            self.price = price
            self.period = period
            self.numberOfPeriods = numberOfPeriods
        }

        /// Returns a free period. Every offer except an introductory offer needs an identifier.
        public static func freeTrial(_ period: SimulatedPeriod, id: String? = nil) -> Offer {
            Offer(id: id, paymentMode: .freeTrial, price: 0, period: period)
        }

        /// Returns an offer with one payment for a period.
        public static func payUpFront(_ price: Decimal, for period: SimulatedPeriod, id: String? = nil) -> Offer {
            Offer(id: id, paymentMode: .payUpFront, price: price.inThousandths, period: period)
        }

        /// Returns an offer with a payment for each of the first periods.
        public static func payAsYouGo(_ price: Decimal, each period: SimulatedPeriod, times: Int, id: String? = nil)
            -> Offer
        {
            Offer(id: id, paymentMode: .payAsYouGo, price: price.inThousandths, period: period, numberOfPeriods: times)
        }
    }

    /// The identifier of the subscription's group.
    public var groupID: String
    /// The rank in the group: 1 is the highest level of service.
    public var groupLevel: Int
    /// The time after which the subscription renews.
    public var period: SimulatedPeriod
    /// The offer for new subscribers.
    public var introductoryOffer: Offer?
    /// The offers for current and former subscribers, which a server signs.
    public var promotionalOffers: [Offer]
    /// The offers for customers whose subscription has expired. Each offer has an identifier.
    public var winBackOffers: [Offer]
    /// The offers for customers with an offer code. Each offer has an identifier. See
    /// ``SimulatedAppStore/redeemOfferCode(_:for:plan:)``.
    public var codeOffers: [Offer]
    /// The name of the group that customers see.
    public var groupName: String
    /// The terms of monthly payments with a commitment for the period; `nil` for up-front payment only.
    public var monthlyPlan: SimulatedMonthlyPlan?

    /// Creates a subscription.
    public init(
        groupID: String, groupLevel: Int = 1, period: SimulatedPeriod, introductoryOffer: Offer? = nil,
        promotionalOffers: [Offer] = [], winBackOffers: [Offer] = [], codeOffers: [Offer] = [], groupName: String = "",
        monthlyPlan: SimulatedMonthlyPlan? = nil
    ) {
        self.groupID = groupID
        self.groupLevel = groupLevel
        self.period = period
        self.introductoryOffer = introductoryOffer
        self.promotionalOffers = promotionalOffers
        self.winBackOffers = winBackOffers
        self.codeOffers = codeOffers
        self.groupName = groupName
        self.monthlyPlan = monthlyPlan
    }
}
