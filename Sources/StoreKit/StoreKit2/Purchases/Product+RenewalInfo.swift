import AppStoreSimulator
public import Foundation

extension Product.SubscriptionInfo {
    /// How a subscription continues after its current period.
    public struct RenewalInfo: Hashable, Sendable {
        /// Why a subscription has ended, or was not renewed.
        public struct ExpirationReason: RawRepresentable, Hashable, Sendable {
            /// The customer turned the renewal off.
            public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
            /// The price could not be collected.
            public static let billingError = ExpirationReason(rawValue: 2)
            /// The customer did not agree to a higher price.
            public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
            /// The product was not for sale at the time of the renewal.
            public static let productUnavailable = ExpirationReason(rawValue: 4)
            /// Something else.
            public static let unknown = ExpirationReason(rawValue: 5)
            /// The subscription has left its bundle.
            public static var unbundled: ExpirationReason { ExpirationReason(rawValue: 6) }

            /// The type of the raw value.
            public typealias RawValue = Int

            /// The raw value.
            public let rawValue: Int

            /// Makes a value, which may be one that has no name here.
            public init(rawValue: Int) {
                self.rawValue = rawValue
            }
        }

        /// What the customer has answered to a higher price.
        @frozen public enum PriceIncreaseStatus: Hashable, Sendable, BitwiseCopyable {
            /// There is none.
            case noIncreasePending
            /// Nothing yet.
            case pending
            /// Yes, or no consent was needed.
            case agreed
        }

        let text: SimulatedSignedText
        let renewal: SimulatedRenewal

        /// The identifier of the first transaction of the subscription.
        public let originalTransactionID: UInt64

        init(_ status: SimulatedSignedStatus) {
            text = status.renewalText
            renewal = status.renewal
            originalTransactionID = status.originalNumber
        }

        /// Whether two say the same, signed at the same time.
        public static func == (left: RenewalInfo, right: RenewalInfo) -> Bool {
            left.renewal == right.renewal && left.text.seal == right.text.seal
        }

        /// Hashes what it says.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(renewal)
            hasher.combine(text.seal.signedDate)
        }

        /// The product of the current period.
        public var currentProductID: String { renewal.productID }

        /// Whether it is set to renew.
        public var willAutoRenew: Bool { renewal.willAutoRenew }

        /// The product as which it renews.
        public var autoRenewPreference: String? { renewal.autoRenewPreference }

        /// Why it has ended, or was not renewed; `nil` while it is paid.
        public var expirationReason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason? {
            renewal.expirationReason.map { ExpirationReason(rawValue: $0.rawValue) }
        }

        /// What the customer has answered to a higher price.
        public var priceIncreaseStatus: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus {
            switch renewal.priceIncrease {
            case nil: .noIncreasePending
            case .pending?: .pending
            case .agreed?: .agreed
            }
        }

        /// Whether the App Store is trying to collect the price of a renewal.
        public var isInBillingRetry: Bool { renewal.isInBillingRetry }

        /// Until when the customer may use it although its renewal was not paid.
        public var gracePeriodExpirationDate: Date? { renewal.gracePeriodExpirationDate }

        /// The offer of the next period.
        public var offer: Transaction.Offer? { renewal.offer.map { Transaction.Offer($0) } }

        /// The identifiers of the win-back offers that the customer may use, the best first.
        public var eligibleWinBackOfferIDs: [String] { renewal.eligibleWinBackOfferIDs }

        /// When the subscription began, not counting what had expired long before.
        public var recentSubscriptionStartDate: Date { renewal.recentSubscriptionStartDate ?? text.seal.signedDate }

        /// When it renews; `nil` when it is not going to.
        public var renewalDate: Date? { renewal.renewalDate }

        /// The price of the next period, in ``currency``; `nil` when there is none.
        public var renewalPrice: Decimal? { renewal.renewalPrice }

        /// The currency of ``renewalPrice``.
        public var currency: Locale.Currency? { renewal.currencyCode.map { Locale.Currency($0) } }

        /// The app's token for its user.
        public var appAccountToken: UUID? { renewal.applicationUsername.flatMap(UUID.init(uuidString:)) }

        /// The identifier of the app's download, the same on all of the customer's devices.
        public var appTransactionID: String { text.seal.appTransactionID }

        /// Where it was made.
        public var environment: AppStore.Environment { AppStore.Environment(rawValue: text.seal.environment) }

        /// When it was signed.
        public var signedDate: Date { text.seal.signedDate }

        /// What ties it to the device.
        public var deviceVerification: Data { text.deviceVerification }

        /// The salt of ``deviceVerification``.
        public var deviceVerificationNonce: UUID { text.seal.nonce }

        /// The payload that was signed, JSON.
        public var jsonRepresentation: Data { text.payload }
    }
}

// What later versions have replaced.
extension Product.SubscriptionInfo.RenewalInfo {
    /// The currency of ``renewalPrice``, ISO 4217.
    @available(iOS, deprecated: 16.0)
    public var currencyCode: String? { renewal.currencyCode }

    /// Where it was made.
    @available(iOS, deprecated: 16.0)
    public var environmentStringRepresentation: String { text.seal.environment }

    /// The identifier of the offer of the next period.
    @available(iOS, deprecated: 18.0)
    public var offerID: String? { renewal.offer?.terms.id }

    /// The kind of the offer of the next period.
    @available(iOS, deprecated: 18.0)
    public var offerType: Transaction.OfferType? { renewal.offer.map { Transaction.OfferType(rawValue: $0.kind.rawValue) } }

    /// How the offer of the next period is paid.
    @available(iOS, deprecated: 18.0)
    public var offerPaymentModeStringRepresentation: String? { renewal.offer?.terms.paymentMode.word }

    /// The length of one period of the offer, as an ISO 8601 duration.
    @available(iOS, deprecated: 18.4)
    public var offerPeriodStringRepresentation: String? { renewal.offer?.terms.period.duration }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The payload that was signed.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
