package import AppStoreSimulator
public import Foundation

/// A reduced price of a subscription: an introductory offer, or a promotional one.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents are behind a lock.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// How an offer is paid.
    @available(iOS, deprecated: 18.0)
    public enum PaymentMode: UInt, Sendable {
        /// The offer's price is paid each period.
        case payAsYouGo = 0
        /// The offer's price is paid once.
        case payUpFront = 1
        /// Nothing is paid.
        case freeTrial = 2
    }

    /// For whom an offer is.
    @available(iOS, deprecated: 18.0)
    public enum `Type`: UInt, Sendable {
        /// For new subscribers.
        case introductory = 0
        /// For present and former subscribers, by a signature of the app's server.
        case subscription = 1
    }

    private struct Contents {
        var offer = SimulatedSubscription.Offer(paymentMode: .payAsYouGo, price: 0, period: .init(0, .day))
        var type: `Type` = .introductory
        var priceLocale = Locale(identifier: "")
        var subscriptionPeriod = SKProductSubscriptionPeriod()
    }

    private let contents = Protected(Contents())

    package convenience init(_ offer: SimulatedSubscription.Offer, type: SKProductDiscount.`Type`, priceLocale: Locale) {
        self.init()
        let new = Contents(
            offer: offer, type: type, priceLocale: priceLocale, subscriptionPeriod: SKProductSubscriptionPeriod(offer.period))
        contents.withLock { $0 = new }
    }

    /// The price, in the currency of ``priceLocale``; zero for a free trial.
    open var price: NSDecimalNumber {
        NSDecimalNumber(decimal: contents.current.offer.price)
    }

    /// The locale by which the price is formatted.
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

    /// How many periods the offer lasts.
    open var numberOfPeriods: Int {
        contents.current.offer.numberOfPeriods
    }

    /// How the offer is paid.
    open var paymentMode: SKProductDiscount.PaymentMode {
        switch contents.current.offer.paymentMode {
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        case .freeTrial: .freeTrial
        }
    }

    /// For whom the offer is.
    open var type: SKProductDiscount.`Type` {
        contents.current.type
    }
}
