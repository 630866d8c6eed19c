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
