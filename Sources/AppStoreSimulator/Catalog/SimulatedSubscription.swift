public import Foundation

/// What an auto-renewable subscription has besides its price.
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

        /// The identifier of a promotional offer; `nil` for an introductory one.
        public var identifier: String?
        /// How the offer is paid.
        public var paymentMode: PaymentMode
        /// The price; zero for a free trial.
        public var price: Decimal
        /// The length of one period of the offer.
        public var period: SimulatedPeriod
        /// How many periods the offer lasts.
        public var numberOfPeriods: Int

        /// Makes an offer.
        public init(identifier: String? = nil, paymentMode: PaymentMode, price: Decimal, period: SimulatedPeriod, numberOfPeriods: Int = 1)
        {
            self.identifier = identifier
            self.paymentMode = paymentMode
            self.price = price
            self.period = period
            self.numberOfPeriods = numberOfPeriods
        }
    }

    /// The identifier of the group in which the subscription competes.
    public var groupIdentifier: String
    /// The rank in the group: 1 is the highest level of service.
    public var groupLevel: Int
    /// The time after which the subscription renews.
    public var period: SimulatedPeriod
    /// The offer for new subscribers.
    public var introductoryOffer: Offer?
    /// The offers for former subscribers, which a server signs.
    public var promotionalOffers: [Offer]

    /// Makes a subscription.
    public init(
        groupIdentifier: String, groupLevel: Int = 1, period: SimulatedPeriod, introductoryOffer: Offer? = nil,
        promotionalOffers: [Offer] = []
    ) {
        self.groupIdentifier = groupIdentifier
        self.groupLevel = groupLevel
        self.period = period
        self.introductoryOffer = introductoryOffer
        self.promotionalOffers = promotionalOffers
    }
}
