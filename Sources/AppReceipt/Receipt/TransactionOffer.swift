/// The offer that applies to a transaction or to a subscription's next period.
public struct TransactionOffer: Hashable, Sendable, Codable {
    /// The kind of offer.
    public let kind: Kind
    /// The offer's identifier in App Store Connect; `nil` for introductory offers. In receipts, an offer code has its
    /// reference name.
    public let id: String?
    /// The payment mode; `nil` in receipts, except for free trials.
    public let paymentMode: PaymentMode?
    /// The duration of the offer in ISO 8601, such as `P1M`; only in signed data.
    public let period: String?

    /// Creates an offer.
    public init(kind: Kind, id: String? = nil, paymentMode: PaymentMode? = nil, period: String? = nil) {
        self.kind = kind
        self.id = id
        self.paymentMode = paymentMode
        self.period = period
    }

    /// Whether the period is free.
    public var isTrial: Bool { paymentMode == .freeTrial }

    /// The kinds of offers, an open set (`offerType`).
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: Int64
        /// Creates a kind from its raw value.
        public init(rawValue: Int64) {
            self.rawValue = rawValue
        }
        /// For new subscribers. StoreKit applies the offer automatically.
        public static let introductory = Kind(rawValue: 1)
        /// For present and former subscribers that the app chooses.
        public static let promotional = Kind(rawValue: 2)
        /// For customers with an offer code. A product doesn't list such offers.
        public static let offerCode = Kind(rawValue: 3)
        /// For former subscribers whom the App Store finds eligible.
        public static let winBack = Kind(rawValue: 4)
        /// For subscribers who are about to cancel. A product doesn't list such offers.
        public static let retention = Kind(rawValue: 5)
    }

    /// The payment modes of offers, an open set (`offerDiscountType`).
    public struct PaymentMode: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a payment mode from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// Nothing is paid.
        public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
        /// The price is paid each period.
        public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
        /// The price is paid once for all periods.
        public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
        /// The price is paid once, for a product that isn't a subscription.
        public static let oneTime = PaymentMode(rawValue: "ONE_TIME")
    }
}

extension TransactionOffer: CustomStringConvertible {
    /// The kind, and the identifier, the payment mode and the duration if they're known, on one line.
    public var description: String {
        [kind.description, id.map { "\"\($0)\"" }, paymentMode?.description, period].compactMap(\.self)
            .joined(separator: " ")
    }
}

extension TransactionOffer.Kind: CustomStringConvertible {
    /// The name of the kind, or the raw value of an unknown kind.
    public var description: String {
        switch self {
        case .introductory: "introductory"
        case .promotional: "promotional"
        case .offerCode: "offerCode"
        case .winBack: "winBack"
        case .retention: "retention"
        default: "\(rawValue)"
        }
    }
}

extension TransactionOffer.PaymentMode: CustomStringConvertible {
    /// The name of the payment mode, or the raw value of an unknown mode.
    public var description: String {
        switch self {
        case .freeTrial: "freeTrial"
        case .payAsYouGo: "payAsYouGo"
        case .payUpFront: "payUpFront"
        case .oneTime: "oneTime"
        default: rawValue
        }
    }
}
