/// The offer that applies to a signed transaction or to a subscription's next period.
public struct SignedTransactionOffer: Hashable, Sendable, Codable {
    /// The kind of offer.
    public let kind: Kind
    /// The offer's identifier in App Store Connect; `nil` for introductory offers.
    public let identifier: String?
    /// The payment mode.
    public let payment: Payment?
    /// The duration of the offer in ISO 8601, such as `P1M`.
    public let period: String?

    /// Creates an offer.
    public init(kind: Kind, identifier: String? = nil, payment: Payment? = nil, period: String? = nil) {
        self.kind = kind
        self.identifier = identifier
        self.payment = payment
        self.period = period
    }

    /// The kinds of offers, an open set (`offerType`).
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: Int64
        /// Creates a kind from its raw value.
        public init(rawValue: Int64) {
            self.rawValue = rawValue
        }
        /// For new customers.
        public static let introductory = Kind(rawValue: 1)
        /// For customers that the app chooses.
        public static let promotional = Kind(rawValue: 2)
        /// For customers with an offer code.
        public static let offerCode = Kind(rawValue: 3)
        /// For former subscribers.
        public static let winBack = Kind(rawValue: 4)
        /// For customers who are about to cancel.
        public static let retention = Kind(rawValue: 5)
    }

    /// The payment modes of offers, an open set (`offerDiscountType`).
    public struct Payment: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a payment mode from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// Free of charge.
        public static let freeTrial = Payment(rawValue: "FREE_TRIAL")
        /// A payment for each period.
        public static let payAsYouGo = Payment(rawValue: "PAY_AS_YOU_GO")
        /// One payment for all periods.
        public static let payUpFront = Payment(rawValue: "PAY_UP_FRONT")
        /// A one-time payment.
        public static let oneTime = Payment(rawValue: "ONE_TIME")
    }
}
