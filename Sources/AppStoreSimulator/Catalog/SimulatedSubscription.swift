public import Foundation

/// The terms of an auto-renewable subscription.
public struct SimulatedSubscription: Sendable, Hashable {
    /// A reduced price for a time.
    public struct Offer: Sendable, Hashable {
        /// How an offer is paid. Raw values are those of `SKProductDiscount.PaymentMode`.
        public enum PaymentMode: UInt, Sendable, Hashable, CaseIterable {
            /// The offer's price is paid each period.
            case payAsYouGo = 0
            /// The offer's price is paid once.
            case payUpFront = 1
            /// Nothing is paid.
            case freeTrial = 2
        }

        /// The identifier of the offer; `nil` for an introductory one.
        public var id: String?
        /// How the offer is paid.
        public var paymentMode: PaymentMode
        /// The price; zero for a free trial.
        public var price: Decimal
        /// The length of one period of the offer.
        public var period: SimulatedPeriod
        /// How many periods the offer lasts.
        public var numberOfPeriods: Int

        /// Makes an offer.
        public init(id: String? = nil, paymentMode: PaymentMode, price: Decimal, period: SimulatedPeriod, numberOfPeriods: Int = 1) {
            self.id = id
            self.paymentMode = paymentMode
            self.price = price
            self.period = period
            self.numberOfPeriods = numberOfPeriods
        }

        /// Free for a period. Every offer but an introductory one has an identifier.
        public static func freeTrial(_ period: SimulatedPeriod, id: String? = nil) -> Offer {
            Offer(id: id, paymentMode: .freeTrial, price: 0, period: period)
        }

        /// A price that is paid once, for a period.
        public static func payUpFront(_ price: Decimal, for period: SimulatedPeriod, id: String? = nil) -> Offer {
            Offer(id: id, paymentMode: .payUpFront, price: price.inThousandths, period: period)
        }

        /// A price that is paid for each of the first periods.
        public static func payAsYouGo(_ price: Decimal, each period: SimulatedPeriod, times: Int, id: String? = nil) -> Offer {
            Offer(id: id, paymentMode: .payAsYouGo, price: price.inThousandths, period: period, numberOfPeriods: times)
        }
    }

    /// The identifier of the group in which the subscription competes.
    public var groupID: String
    /// The rank in the group: 1 is the highest level of service.
    public var groupLevel: Int
    /// The time after which the subscription renews.
    public var period: SimulatedPeriod
    /// The offer for new subscribers.
    public var introductoryOffer: Offer?
    /// The offers for former subscribers, which a server signs.
    public var promotionalOffers: [Offer]
    /// The offers for customers whose subscription has expired; each has an identifier.
    public var winBackOffers: [Offer]
    /// The offers that a customer gets by a code; each has an identifier. See
    /// ``SimulatedAppStore/redeemOfferCode(_:for:plan:)``.
    public var codeOffers: [Offer]
    /// The name of the group that customers see.
    public var groupName: String
    /// The terms of monthly payments with a commitment for the period; `nil` if the subscription is only paid up front.
    public var monthlyPlan: SimulatedMonthlyPlan?

    /// Makes a subscription.
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
