public import Foundation

/// A discount for a limited time: an introductory, promotional, or win-back offer.
public struct StoreOffer: Sendable, Hashable {
    /// To whom an offer is made.
    ///
    /// The set is open: later versions may add kinds, so a `switch` needs a `default`.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        /// To new subscribers. StoreKit applies the offer automatically.
        public static let introductory = Kind(description: "introductory")
        /// To present and former subscribers, with a signature of the app's server.
        public static let promotional = Kind(description: "promotional")
        /// To former subscribers whom the App Store finds eligible.
        public static let winBack = Kind(description: "winBack")
        /// Redeemed with a code. A product doesn't list such offers; a transaction names them.
        public static let offerCode = Kind(description: "offerCode")
        /// To subscribers who were about to cancel. A product doesn't list such offers; a transaction names them.
        public static let retention = Kind(description: "retention")
    }

    /// How an offer is paid.
    ///
    /// The set is open: later versions may add modes, so a `switch` needs a `default`.
    public struct PaymentMode: Sendable, Hashable, CustomStringConvertible {
        /// The name of the mode.
        public let description: String

        /// The price is paid each period.
        public static let payAsYouGo = PaymentMode(description: "payAsYouGo")
        /// The price is paid once.
        public static let payUpFront = PaymentMode(description: "payUpFront")
        /// Nothing is paid.
        public static let freeTrial = PaymentMode(description: "freeTrial")
        /// The price is paid once, for a product that isn't a subscription.
        public static let oneTime = PaymentMode(description: "oneTime")
    }

    /// The identifier; `nil` for an introductory offer.
    public let id: String?
    /// To whom the offer is made.
    public let kind: Kind
    /// The price, in the product's currency.
    public let price: Decimal
    /// The price as customers read it in the product's locale.
    public let displayPrice: String
    /// How the offer is paid.
    public let paymentMode: PaymentMode
    /// The length of one period.
    public let period: StoreSubscriptionPeriod
    /// How many periods the offer lasts.
    public let periodCount: Int

    package init(
        id: String?, kind: Kind, price: Decimal, displayPrice: String, paymentMode: PaymentMode,
        period: StoreSubscriptionPeriod,
        periodCount: Int
    ) {
        self.id = id
        self.kind = kind
        self.price = price
        self.displayPrice = displayPrice
        self.paymentMode = paymentMode
        self.period = period
        self.periodCount = periodCount
    }
}
