import AppStoreSimulator

extension Transaction {
    /// The customers that an offer is for.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// For new subscribers.
        public static let introductory = OfferType(rawValue: 1)
        /// For current and former subscribers, with a signature of the app's server.
        public static let promotional = OfferType(rawValue: 2)
        /// For customers with an offer code.
        public static let code = OfferType(rawValue: 3)
        /// For former subscribers.
        public static var winBack: OfferType { OfferType(rawValue: 4) }

        /// The type of the raw value.
        public typealias RawValue = Int

        /// The raw value.
        public let rawValue: Int

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// The offer that was applied to a transaction.
    public struct Offer: Hashable, Sendable {
        /// How the customer pays an offer.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// The offer is free.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// The customer pays the offer's price each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// The customer pays the offer's price once, for a limited time.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// The customer pays the offer's price once, for permanent access.
            public static var oneTime: PaymentMode { PaymentMode(rawValue: "ONE_TIME") }

            /// The type of the raw value.
            public typealias RawValue = String

            /// The raw value.
            public let rawValue: String

            /// Creates a value from any raw value, even one without a constant.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }
        }

        /// The identifier of the offer; `nil` for an introductory offer.
        public let id: String?
        /// The customers that the offer is for.
        public let type: Transaction.OfferType
        /// How the customer pays the offer.
        public let paymentMode: Transaction.Offer.PaymentMode?
        /// The length of one period of the offer.
        public let period: Product.SubscriptionPeriod?

        init(_ offer: SimulatedTransactionOffer) {
            id = offer.terms.id
            type = Transaction.OfferType(rawValue: offer.kind.rawValue)
            paymentMode = PaymentMode(rawValue: offer.paymentModeWord)
            period = offer.periodDuration.map { _ in Product.SubscriptionPeriod(offer.terms.period) }
        }
    }
}
