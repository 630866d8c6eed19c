import AppStoreSimulator
public import Foundation

extension Product.SubscriptionInfo {
    /// How a subscription continues after its current period.
    public struct RenewalInfo: Hashable, Sendable {
        /// The reason that a subscription expired or didn't renew.
        public struct ExpirationReason: RawRepresentable, Hashable, Sendable {
            /// The customer turned off renewal.
            public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
            /// The payment failed.
            public static let billingError = ExpirationReason(rawValue: 2)
            /// The customer didn't consent to a price increase.
            public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
            /// The product wasn't for sale at the time of the renewal.
            public static let productUnavailable = ExpirationReason(rawValue: 4)
            /// Another reason.
            public static let unknown = ExpirationReason(rawValue: 5)
            /// The subscription left its bundle.
            public static var unbundled: ExpirationReason { ExpirationReason(rawValue: 6) }

            /// The type of the raw value.
            public typealias RawValue = Int

            /// The raw value.
            public let rawValue: Int

            /// Creates a value from any raw value, even one without a constant.
            public init(rawValue: Int) {
                self.rawValue = rawValue
            }
        }

        /// The customer's answer to a price increase.
        @frozen public enum PriceIncreaseStatus: Hashable, Sendable, BitwiseCopyable {
            /// No price increase is pending.
            case noIncreasePending
            /// The customer hasn't answered.
            case pending
            /// The customer consented, or consent wasn't required.
            case agreed
        }

        let text: SimulatedSignedText
        let renewal: SimulatedRenewal

        /// The identifier of the first transaction of the subscription.
        public let originalTransactionID: UInt64

        init(_ status: SimulatedSignedStatus) {
            text = status.renewalText
            renewal = status.renewal
            originalTransactionID = status.transaction.originalNumber
        }

        /// Returns whether two values have the same contents and the same signature date.
        public static func == (left: RenewalInfo, right: RenewalInfo) -> Bool {
            left.renewal == right.renewal && left.text.seal == right.text.seal
        }

        /// Hashes the contents and the signature date.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(renewal)
            hasher.combine(text.seal.signedDate)
        }

        /// The product of the current period.
        public var currentProductID: String { renewal.productID }

        /// Whether the subscription is set to renew.
        public var willAutoRenew: Bool { renewal.willAutoRenew }

        /// The product that the subscription renews with.
        public var autoRenewPreference: String? { renewal.autoRenewPreference }

        /// The reason that the subscription expired or didn't renew; `nil` while the subscription is paid.
        public var expirationReason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason? {
            renewal.expirationReason.map { ExpirationReason(rawValue: $0.rawValue) }
        }

        /// The customer's answer to a price increase.
        public var priceIncreaseStatus: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus {
            switch renewal.priceIncrease {
            case nil: .noIncreasePending
            case .pending?: .pending
            case .agreed?: .agreed
            }
        }

        /// Whether the App Store is retrying the payment of a renewal.
        public var isInBillingRetry: Bool { renewal.isInBillingRetry }

        /// The end of the grace period, in which the customer keeps access although the renewal isn't paid.
        public var gracePeriodExpirationDate: Date? { renewal.gracePeriodExpirationDate }

        /// The offer of the next period.
        public var offer: Transaction.Offer? { renewal.offer.map { Transaction.Offer($0) } }

        /// The identifiers of the win-back offers that the customer is eligible for, best offer first.
        public var eligibleWinBackOfferIDs: [String] { renewal.eligibleWinBackOfferIDs }

        /// The start of the current run of the subscription, without periods that expired long before.
        public var recentSubscriptionStartDate: Date { renewal.recentSubscriptionStartDate ?? text.seal.signedDate }

        /// The date of the next renewal; `nil` if the subscription won't renew.
        public var renewalDate: Date? { renewal.renewalDate }

        /// The price of the next period, in ``currency``; `nil` without a next period.
        public var renewalPrice: Decimal? { renewal.renewalPrice }

        /// The currency of ``renewalPrice``.
        public var currency: Locale.Currency? { renewal.currencyCode.map { Locale.Currency($0) } }

        /// The app's token for its user, as set with the purchase.
        public var appAccountToken: UUID? { renewal.applicationUsername.flatMap(UUID.init(uuidString:)) }

        /// The identifier of the app's download, the same on all of the customer's devices.
        public var appTransactionID: String { text.seal.appTransactionID }

        /// The environment in which the App Store signed it.
        public var environment: AppStore.Environment { AppStore.Environment(rawValue: text.seal.environment) }

        /// The date of the signature.
        public var signedDate: Date { text.seal.signedDate }

        /// The data that ties the signed payload to the device.
        public var deviceVerification: Data { text.deviceVerification }

        /// The salt of ``deviceVerification``.
        public var deviceVerificationNonce: UUID { text.seal.nonce }

        /// The signed payload, JSON.
        public var jsonRepresentation: Data { text.payload }
    }
}

// Properties that later versions of StoreKit replace.
extension Product.SubscriptionInfo.RenewalInfo {
    /// The currency of ``renewalPrice``, ISO 4217.
    @available(iOS, deprecated: 16.0)
    public var currencyCode: String? { renewal.currencyCode }

    /// The environment in which the payload was signed.
    @available(iOS, deprecated: 16.0)
    public var environmentStringRepresentation: String { text.seal.environment }

    /// The identifier of the offer of the next period.
    @available(iOS, deprecated: 18.0)
    public var offerID: String? { renewal.offer?.terms.id }

    /// The kind of the offer of the next period.
    @available(iOS, deprecated: 18.0)
    public var offerType: Transaction.OfferType? {
        renewal.offer.map { Transaction.OfferType(rawValue: $0.kind.rawValue) }
    }

    /// How the customer pays the offer of the next period.
    @available(iOS, deprecated: 18.0)
    public var offerPaymentModeStringRepresentation: String? { renewal.offer?.paymentModeWord }

    /// The length of one period of the offer, as an ISO 8601 duration.
    @available(iOS, deprecated: 18.4)
    public var offerPeriodStringRepresentation: String? { renewal.offer?.terms.period.duration }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The signed payload.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
