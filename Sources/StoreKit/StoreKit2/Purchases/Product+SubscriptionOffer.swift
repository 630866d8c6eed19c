import AppStoreSimulator
public import Foundation

extension Product {
    /// A reduced price of a subscription for a time.
    public struct SubscriptionOffer: Hashable, Sendable {
        /// For whom an offer is.
        public struct OfferType: RawRepresentable, Hashable, Sendable {
            /// For new subscribers.
            public static let introductory = OfferType(rawValue: "Introductory")
            /// For present and former subscribers, by a signature of the app's server.
            public static let promotional = OfferType(rawValue: "Promotional")
            /// For former subscribers.
            public static let winBack = OfferType(rawValue: "WinBack")

            /// The type of the raw value.
            public typealias RawValue = String

            /// The raw value.
            public let rawValue: String

            /// Makes a value, which may be one that has no name here.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }
        }

        /// How an offer is paid.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// The offer's price is paid each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
            /// The offer's price is paid once.
            public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
            /// Nothing is paid.
            public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

            /// The type of the raw value.
            public typealias RawValue = String

            /// The raw value.
            public let rawValue: String

            /// Makes a value, which may be one that has no name here.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }
        }

        /// The older signature of a promotional offer.
        @available(iOS, deprecated: 26.0)
        public struct Signature: Hashable, Sendable {
            /// The identifier of the key that signed.
            public var keyID: String
            /// What was signed so that nobody uses the signature twice.
            public var nonce: UUID
            /// When it was signed, in milliseconds since 1970.
            public var timestamp: Int
            /// The signature.
            public var signature: Data

            /// Makes a signature of what the app's server sent.
            public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
                self.keyID = keyID
                self.nonce = nonce
                self.timestamp = timestamp
                self.signature = signature
            }
        }

        /// The identifier of the offer; `nil` for an introductory one.
        public let id: String?
        /// For whom the offer is.
        public let type: Product.SubscriptionOffer.OfferType
        /// The price of one period of the offer; zero for a free trial.
        public let price: Decimal
        /// The length of one period of the offer.
        public let period: Product.SubscriptionPeriod
        /// How many periods the offer lasts.
        public let periodCount: Int
        /// How the offer is paid.
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

        /// The price in the words of the storefront.
        public var displayPrice: String {
            display.text(of: price)
        }
    }
}
