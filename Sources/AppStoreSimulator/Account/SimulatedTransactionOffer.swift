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
    /// The terms of the offer.
    public var terms: SimulatedSubscription.Offer

    package init(_ kind: Kind, _ terms: SimulatedSubscription.Offer) {
        self.kind = kind
        self.terms = terms
    }
}

// A free trial and an offer that is paid up front are one long period; a pay-as-you-go offer has several periods.
extension SimulatedTransactionOffer {
    /// The number of the offer's periods that the first payment covers.
    var periodsOfFirstPayment: Int { terms.paymentMode == .payAsYouGo ? 1 : terms.numberOfPeriods }

    /// The number of payments after the first.
    var furtherPayments: Int { terms.paymentMode == .payAsYouGo ? max(0, terms.numberOfPeriods - 1) : 0 }
}
