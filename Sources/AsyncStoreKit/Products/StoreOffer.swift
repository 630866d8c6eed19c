public import AppReceipt
public import Foundation

/// A discount for a limited time: an introductory, promotional, or win-back offer.
public struct StoreOffer: Sendable, Hashable {
    /// The kinds of offers.
    public typealias Kind = TransactionOffer.Kind
    /// How an offer is paid.
    public typealias PaymentMode = TransactionOffer.PaymentMode

    /// The identifier; `nil` for an introductory offer.
    public let id: String?
    /// The type of the offer.
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
        period: StoreSubscriptionPeriod, periodCount: Int
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
