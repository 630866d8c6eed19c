package import AppStoreSimulator
public import Foundation

/// A reduced price of a subscription: an introductory offer, or a promotional one.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents are behind a lock.
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

    private let contents = Protected(Contents())

    package convenience init(_ offer: SimulatedSubscription.Offer, type: SKProductDiscount.`Type`, priceLocale: Locale)
    {
        self.init()
        let new = Contents(
            offer: offer, type: type, priceLocale: priceLocale,
            subscriptionPeriod: SKProductSubscriptionPeriod(offer.period))
        contents.withLock { $0 = new }
    }

    /// The price, in the currency of ``priceLocale``; zero for a free trial.
    open var price: NSDecimalNumber {
        NSDecimalNumber(decimal: contents.current.offer.price)
    }

    /// The locale for formatting the price.
    open var priceLocale: Locale {
        contents.current.priceLocale
    }

    /// The identifier of a promotional offer; `nil` for an introductory one.
    open var identifier: String? {
        contents.current.offer.id
    }

    /// The length of one period of the offer.
    open var subscriptionPeriod: SKProductSubscriptionPeriod {
        contents.current.subscriptionPeriod
    }

    /// The number of periods that the offer lasts.
    open var numberOfPeriods: Int {
        contents.current.offer.numberOfPeriods
    }

    /// How the customer pays the offer.
    open var paymentMode: SKProductDiscount.PaymentMode {
        switch contents.current.offer.paymentMode {
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        case .freeTrial: .freeTrial
        }
    }

    /// The customers that the offer is for.
    open var type: SKProductDiscount.`Type` {
        contents.current.type
    }
}
