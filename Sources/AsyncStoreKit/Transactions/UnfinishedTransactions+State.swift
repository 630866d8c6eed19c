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

    /// The state of one purchase. It outlives the entries of the purchase.
    struct Purchase: Sendable {
        /// An event that a purchase has once, although StoreKit may report it again.
        enum Event: Sendable {
            case paid, restored, upgraded, revoked
        }

        /// The entries that represent the purchase.
        var tokens: [TransactionToken] = []
        /// The number of the last change. The purchase with the least number is forgotten first.
        private(set) var lastChange: UInt64 = 0
        /// The account that the payment named, inside another `nil` while only a restore has reported the purchase.
        ///
        /// In StoreKit 1, a restored transaction names the account of the restore.
        var payer: PurchaseAccount??
        /// Whether a closure, a delivery, a caller, or a loop was given the purchase.
        private(set) var wasReceived = false
        /// Whether the purchase was delivered successfully.
        private(set) var isDelivered = false
        /// The events for analytics and logs that the purchase has had.
        var events: Set<Event> = []

        /// Changes the purchase, in one access to the dictionary that has it.
        mutating func change<Result>(_ number: UInt64, _ change: (inout Purchase) -> Result) -> Result {
            lastChange = number
            return change(&self)
        }

        /// Returns whether the purchase was received before.
        mutating func markReceived() -> Bool {
            defer { wasReceived = true }
            return wasReceived
        }

        mutating func markDelivered() {
            (wasReceived, isDelivered) = (true, true)
        }
    }

    /// Returns the key that identifies a purchase; `nil` while nothing is paid.
    static func key(of transaction: StoreTransaction) -> String? {
        guard transaction.holdsContent else { return nil }
        // Without an identifier nothing proves that two transactions are the same purchase.
        return transaction.id == nil
            ? "\(transaction.deliveryKey)#\(transaction.token.serial)" : transaction.deliveryKey
    }
}

/// The entries of the ledger by what the app can do with them.
extension UnfinishedTransactions {
    /// The entries that a new subscriber is offered: unfinished, and not being delivered. Oldest first.
    var outstanding: [Entry] {
        entries.values.filter { ($0.state == .offered || $0.state == .withCaller) && !wasDelivered($0.transaction) }
            .inOrder { $0.transaction.token < $1.transaction.token }
    }

    /// The entries that no call has or waits for: offered, or waiting for an approval. Oldest first.
    var unclaimed: [Entry] {
        entries.values.filter { $0.state == .offered || ($0.state == .open && $0.transaction.state == .deferred) }
            .inOrder { $0.transaction.token < $1.transaction.token }
    }

    /// Every paid transaction that isn't finished, with any owner. Oldest first.
    var unfinished: [Entry] {
        entries.values.filter { $0.transaction.holdsContent && $0.state != .finished && !$0.hasLeft }
            .inOrder { $0.transaction.token < $1.transaction.token }
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
