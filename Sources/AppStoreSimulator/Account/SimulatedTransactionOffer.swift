/// The offer at whose price a period of a subscription was paid, or is going to be.
public struct SimulatedTransactionOffer: Sendable, Hashable {
    /// The kinds of offers. Raw values are those of `offerType` in signed transactions.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// For new subscribers.
        case introductory = 1
        /// For present and former subscribers, by a signature of the app's server.
        case promotional = 2
        /// By a code.
        case code = 3
        /// For former subscribers.
        case winBack = 4
    }

    /// For whom the offer is.
    public var kind: Kind
    /// Its terms.
    public var terms: SimulatedSubscription.Offer

    package init(_ kind: Kind, _ terms: SimulatedSubscription.Offer) {
        self.kind = kind
        self.terms = terms
    }
}
