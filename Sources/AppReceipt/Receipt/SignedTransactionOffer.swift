/// The offer that applies to a signed transaction or to a subscription's next period.
public struct SignedTransactionOffer: Hashable, Sendable, Codable {
    /// What kind of offer it is.
    public let kind: Kind
    /// The offer's identifier in App Store Connect; offers for new customers have none.
    public let identifier: String?
    /// How the offer is paid.
    public let payment: Payment?
    /// How long the offer lasts, as an ISO 8601 duration such as `P1M`.
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
        /// The number in the payload.
        public let rawValue: Int64
        /// Creates a kind by its number.
        public init(rawValue: Int64) {
            self.rawValue = rawValue
        }
        /// For new customers.
        public static let introductory = Kind(rawValue: 1)
        /// For customers the app chooses.
        public static let promotional = Kind(rawValue: 2)
        /// By a code.
        public static let offerCode = Kind(rawValue: 3)
        /// For customers who have left.
        public static let winBack = Kind(rawValue: 4)
        /// For customers who are about to cancel.
        public static let retention = Kind(rawValue: 5)
    }

    /// The ways an offer is paid, an open set (`offerDiscountType`).
    public struct Payment: RawRepresentable, Hashable, Sendable, Codable {
        /// The word in the payload.
        public let rawValue: String
        /// Creates a way by its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// Not at all.
        public static let freeTrial = Payment(rawValue: "FREE_TRIAL")
        /// Period by period.
        public static let payAsYouGo = Payment(rawValue: "PAY_AS_YOU_GO")
        /// All at the beginning.
        public static let payUpFront = Payment(rawValue: "PAY_UP_FRONT")
        /// Once.
        public static let oneTime = Payment(rawValue: "ONE_TIME")
    }
}
