package import AppStoreSimulator
public import Foundation

/// A reduced price of a subscription: an introductory offer, or a promotional one.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents never change, but a subclass could add properties that do.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// How the customer pays an offer.
    @available(iOS, deprecated: 18.0)
    public enum PaymentMode: UInt, Sendable {
        /// The customer pays the offer's price each period.
        case payAsYouGo = 0
        /// The customer pays the offer's price once.
        case payUpFront = 1
        /// The offer is free.
        case freeTrial = 2
    }

    /// The customers that an offer is for.
    @available(iOS, deprecated: 18.0)
    public enum `Type`: UInt, Sendable {
        /// For new subscribers.
        case introductory = 0
        /// For current and former subscribers, with a signature of the app's server.
        case subscription = 1
    }

    private struct Contents {
        var offer = SimulatedSubscription.Offer(paymentMode: .payAsYouGo, price: 0, period: .init(0, .day))
        var type: `Type` = .introductory
        var priceLocale = Locale(identifier: "")
        var subscriptionPeriod = SKProductSubscriptionPeriod()
    }

    private let contents: Contents

    /// Creates an offer without an identifier and a price.
    public override init() {
        contents = Contents()
    }

    package init(_ offer: SimulatedSubscription.Offer, type: SKProductDiscount.`Type`, priceLocale: Locale) {
        contents = Contents(
            offer: offer, type: type, priceLocale: priceLocale,
            subscriptionPeriod: SKProductSubscriptionPeriod(offer.period))
    }

    /// The price, in the currency of ``priceLocale``; zero for a free trial.
    open var price: NSDecimalNumber {
        NSDecimalNumber(decimal: contents.offer.price)
    }

    /// The locale for formatting the price.
    open var priceLocale: Locale {
        contents.priceLocale
    }

    /// The identifier of a promotional offer; `nil` for an introductory one.
    open var identifier: String? {
        contents.offer.id
    }

    /// The length of one period of the offer.
    open var subscriptionPeriod: SKProductSubscriptionPeriod {
        contents.subscriptionPeriod
    }

    /// The number of periods that the offer lasts.
    open var numberOfPeriods: Int {
        contents.offer.numberOfPeriods
    }

    /// How the customer pays the offer.
    open var paymentMode: SKProductDiscount.PaymentMode {
        switch contents.offer.paymentMode {
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        case .freeTrial: .freeTrial
        }
    }

    /// The customers that the offer is for.
    open var type: SKProductDiscount.`Type` {
        contents.type
    }
}
