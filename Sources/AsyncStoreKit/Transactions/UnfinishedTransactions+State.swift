extension UnfinishedTransactions {
    /// What happens with a transaction. The app has at most one entry of a purchase at a time; the others are open.
    enum State: Sendable, Hashable {
        /// The transaction is with the App Store, or waits for approval, or for another entry of its purchase, whose
        /// delivery settles this entry, too.
        case open
        /// All subscribers are offered the transaction.
        case offered
        /// The caller of the call that the transaction answered has it.
        case withCaller
        /// A closure, a restore, or the installed delivery has it.
        case delivering
        /// It's delivered or offered again after a pause.
        case retrying
        /// It's delivered, and finished when the downloads of its hosted content have ended.
        case downloading
        /// The payment queue was asked to finish it, and hasn't removed it yet.
        case finished

        /// Whether the app has the purchase, or is about to get it.
        var isActive: Bool {
            switch self {
            case .offered, .withCaller, .delivering, .retrying: true
            case .open, .downloading, .finished: false
            }
        }
    }
}

extension StoreTransaction.State {
    /// How final the state is: a failure may be followed by a purchase, as when terms had to be accepted first.
    var finality: Int {
        switch self {
        case .purchasing, .deferred: 0
        case .failed: 1
        case .purchased, .restored: 2
        }
    }
}
