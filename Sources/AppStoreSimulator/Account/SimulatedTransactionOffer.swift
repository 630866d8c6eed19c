import Foundation

/// The offer of a paid or future period of a subscription.
public struct SimulatedTransactionOffer: Sendable, Hashable {
    /// The kinds of offers. Raw values are those of `offerType` in signed transactions.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// For new subscribers.
        case introductory = 1
        /// For current and former subscribers, with a signature of the app's server.
        case promotional = 2
        /// For customers with an offer code.
        case code = 3
        /// For former subscribers.
        case winBack = 4
    }

    /// The customers that the offer is for.
    public var kind: Kind
    /// The terms of the offer. For a product that is bought once, the offer is paid up front, and its period has no
    /// length.
    public var terms: SimulatedSubscription.Offer

    package init(_ kind: Kind, _ terms: SimulatedSubscription.Offer) {
        self.kind = kind
        self.terms = terms
    }

    /// The price of a product that is bought once, for a customer with an offer code.
    init(codeOffer id: String, price: Decimal) {
        self.init(.code, .payUpFront(price, for: .days(0), id: id))
    }
}

// The words of Apple's signed payloads.
extension SimulatedTransactionOffer {
    private var isForOnePurchase: Bool { terms.period.numberOfUnits == 0 }

    package var paymentModeWord: String { isForOnePurchase ? "ONE_TIME" : terms.paymentMode.word }

    /// The length of one period, as an ISO 8601 duration; `nil` for a product that is bought once.
    package var periodDuration: String? { isForOnePurchase ? nil : terms.period.duration }
}

// A free trial and an offer that is paid up front are one long period; a pay-as-you-go offer has several periods.
extension SimulatedTransactionOffer {
    /// The number of the offer's periods that the first payment covers.
    var periodsOfFirstPayment: Int { terms.paymentMode == .payAsYouGo ? 1 : terms.numberOfPeriods }

    var furtherPayments: Int { terms.paymentMode == .payAsYouGo ? max(0, terms.numberOfPeriods - 1) : 0 }
}
