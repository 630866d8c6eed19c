import AppStoreSimulator
public import Foundation

extension Product {
    /// A reduced price of a subscription for a limited time.
    public struct SubscriptionOffer: Hashable, Sendable {
        /// The customers that an offer is for.
        public struct OfferType: RawRepresentable, Hashable, Sendable {
            /// For new subscribers.
            public static let introductory = OfferType(rawValue: "Introductory")
            /// For current and former subscribers, with a signature of the app's server.
            public static let promotional = OfferType(rawValue: "Promotional")
            /// For former subscribers.
            public static let winBack = OfferType(rawValue: "WinBack")

            /// The type of the raw value.
            public typealias RawValue = String

            /// The raw value.
            public let rawValue: String

            /// Creates a value from any raw value, even one without a constant.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }
        }

        /// How the customer pays an offer.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// The customer pays the offer's price each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
            /// The customer pays the offer's price once.
            public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
            /// The offer is free.
            public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

            /// The type of the raw value.
            public typealias RawValue = String

            /// The raw value.
            public let rawValue: String

            /// Creates a value from any raw value, even one without a constant.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }
        }

        /// The older signature of a promotional offer.
        @available(iOS, deprecated: 26.0)
        public struct Signature: Hashable, Sendable {
            /// The identifier of the key that signed the offer.
            public var keyID: String
            /// The signed nonce, which prevents reuse of the signature.
            public var nonce: UUID
            /// The time of the signature, in milliseconds since 1970.
            public var timestamp: Int
            /// The signature.
            public var signature: Data

            /// Creates a signature from the values that the app's server sent.
            public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
                self.keyID = keyID
                self.nonce = nonce
                self.timestamp = timestamp
                self.signature = signature
            }
        }

        /// The identifier of the offer; `nil` for an introductory offer.
        public let id: String?
        /// The customers that the offer is for.
        public let type: Product.SubscriptionOffer.OfferType
        /// The price of one period of the offer; zero for a free trial.
        public let price: Decimal
        /// The length of one period of the offer.
        public let period: Product.SubscriptionPeriod
        /// The number of periods that the offer lasts.
        public let periodCount: Int
        /// How the customer pays the offer.
        public let paymentMode: Product.SubscriptionOffer.PaymentMode

        private let display: ProductDisplay

        init(_ offer: SimulatedSubscription.Offer, _ type: OfferType, _ display: ProductDisplay) {
            id = offer.id
            self.type = type
            price = offer.price
            period = Product.SubscriptionPeriod(offer.period)
            periodCount = offer.numberOfPeriods
            paymentMode =
                switch offer.paymentMode {
                case .payAsYouGo: .payAsYouGo
                case .payUpFront: .payUpFront
                case .freeTrial: .freeTrial
                }
            self.display = display
        }

        /// The price, formatted for the storefront.
        public var displayPrice: String {
            display.text(of: price)
        }
    }
}
