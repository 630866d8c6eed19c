import Foundation

/// Every transaction that is not finished yet, and in whose hands it is.
///
/// This is where "no transaction is lost" and "deliver, then finish" are decided: an entry leaves only when the queue says
/// that it was removed.
struct TransactionLedger: Sendable {
    /// In whose hands a transaction is.
    enum Holder: Sendable, Hashable {
        /// With the App Store, or waiting for approval: there is nothing to deliver.
        case inProgress
        /// Nobody's: offered to every subscriber.
        case offered
        /// A call's that answered with it; its caller finishes it.
        case handedOver
        /// A closure's or the installed delivery's, at this moment.
        case delivering
        /// The installed delivery's, which could not deliver it yet.
        case owed
        /// Delivered, and finished as soon as its hosted content has been downloaded.
        case delivered
        /// Finished by this store; the queue has not said yet that it is gone.
        case finished
    }

    struct Entry: Sendable {
        var transaction: StoreTransaction
        var holder: Holder
        /// Since when it has been in these hands.
        var since: Date
        /// The approval that it answers.
        var pending: PendingPurchase?

        fileprivate mutating func hand(to holder: Holder, pending: PendingPurchase?, now: Date) {
            self.holder = holder
            since = now
            self.pending = pending ?? self.pending
        }
    }

    private(set) var entries: [TransactionToken: Entry] = [:]
    /// What has been delivered in this process, by key, so that a repetition can be told.
    private var deliveredKeys: Set<String> = []

    subscript(token: TransactionToken) -> Entry? { entries[token] }
}

// Arriving and leaving.
extension TransactionLedger {
    enum Arrival: Equatable {
        /// To be attributed.
        case news
        /// Reported before in this state, and still in somebody's hands.
        case repetition
        /// Finished before: it is to be finished once more.
        case finishAgain
        /// Delivered before, and all its content is there now: it is to be finished.
        case complete
    }

    /// A transaction was reported.
    mutating func report(_ transaction: StoreTransaction, now: Date) -> Arrival {
        guard var entry = entries[transaction.id] else {
            entries[transaction.id] = Entry(transaction: transaction, holder: .inProgress, since: now)
            return .news
        }
        let before = entry.transaction
        // What was seen in the queue may be told after what was reported since: an outcome is never taken back.
        guard transaction.state.finality >= before.state.finality else { return .repetition }
        entry.transaction = transaction
        defer { entries[transaction.id] = entry }
        switch entry.holder {
        case .inProgress:
            return before.state == transaction.state ? .repetition : .news
        case .finished:
            guard before.state == .failed, transaction.holdsContent else { return .finishAgain }
            entry.holder = .inProgress
            return .news
        case .delivered:
            guard !transaction.hasUnfinishedDownloads else { return .repetition }
            entry.holder = .finished
            return .complete
        case .offered, .handedOver, .delivering, .owed:
            return .repetition
        }
    }

    /// A download has moved on. False when it belongs to no entry.
    mutating func update(_ download: StoreDownload) -> Bool {
        entries[download.id.transaction]?.transaction.update(download) ?? false
    }

    /// Whether an entry that is delivered has all its content now. True once: it is to be finished then.
    mutating func contentHasEnded(of token: TransactionToken) -> Bool {
        guard let entry = entries[token], entry.holder == .delivered, !entry.transaction.hasUnfinishedDownloads else { return false }
        entries[token]?.holder = .finished
        return true
    }

    /// The queue says that an entry is gone.
    mutating func remove(_ token: TransactionToken) {
        entries[token] = nil
    }

    /// Puts a transaction into somebody's hands.
    mutating func hand(_ token: TransactionToken, to holder: Holder, pending: PendingPurchase? = nil, now: Date) {
        entries[token]?.hand(to: holder, pending: pending, now: now)
    }
}

// Finishing.
extension TransactionLedger {
    enum Finish: Equatable {
        /// The queue is to be told.
        case finish
        /// Its content is being downloaded: the queue is told when that has ended.
        case whenDownloaded
        /// It has been told before, or knows already.
        case finished
        /// There is nothing to finish yet.
        case notFinishable(StoreTransaction.State)
        /// Never heard of it.
        case unknown
    }

    /// Somebody says that the transaction is to be finished.
    mutating func finish(_ token: TransactionToken, newest: @autoclosure () -> TransactionToken) -> Finish {
        guard let entry = entries[token] else {
            let newest = newest()
            return token.source == newest.source && token <= newest ? .finished : .unknown
        }
        switch entry.holder {
        case .finished:
            return .finished
        case .inProgress where !entry.transaction.holdsContent && entry.transaction.state != .failed:
            return .notFinishable(entry.transaction.state)
        case .inProgress, .offered, .handedOver, .delivering, .owed, .delivered:
            entries[token]?.holder = entry.transaction.isDownloading ? .delivered : .finished
            if entry.transaction.holdsContent { deliveredKeys.insert(entry.transaction.deliveryKey) }
            return entry.transaction.isDownloading ? .whenDownloaded : .finish
        }
    }

    /// The delivery of a transaction has succeeded, of one that was only offered too. True when the queue is to be told: not
    /// while its content is still being downloaded, and not when it has been told before.
    mutating func delivered(_ token: TransactionToken) -> Bool {
        guard let entry = entries[token] else { return false }
        deliveredKeys.insert(entry.transaction.deliveryKey)
        switch entry.holder {
        case .offered, .handedOver, .delivering, .owed: break
        case .inProgress, .delivered, .finished: return false
        }
        entries[token]?.holder = entry.transaction.hasUnfinishedDownloads ? .delivered : .finished
        return !entry.transaction.hasUnfinishedDownloads
    }

    /// Whether this purchase has been delivered before in this process.
    func isRedelivery(_ transaction: StoreTransaction) -> Bool {
        !deliveredKeys.isEmpty && deliveredKeys.contains(transaction.deliveryKey)
    }
}

// Asking.
extension TransactionLedger {
    /// What a new subscriber is offered: unfinished, and not being delivered at the moment. Oldest first.
    var outstanding: [Entry] {
        entries.values.filter { $0.holder == .offered || $0.holder == .handedOver }
            .sorted { $0.transaction.id < $1.transaction.id }
    }

    /// What no call has, or waits for: offered, or waiting for an approval. Oldest first.
    var unclaimed: [Entry] {
        entries.values.filter { $0.holder == .offered || ($0.holder == .inProgress && $0.transaction.state == .deferred) }
            .sorted { $0.transaction.id < $1.transaction.id }
    }

    /// Everything paid for that is not finished, whoever has it. Oldest first.
    var unfinished: [Entry] {
        entries.values.filter { $0.transaction.holdsContent && $0.holder != .finished }
            .sorted { $0.transaction.id < $1.transaction.id }
    }
}

extension StoreTransaction.State {
    /// How far it is from being undecided: a failure may be followed by a purchase, as when terms had to be accepted first.
    fileprivate var finality: Int {
        switch self {
        case .purchasing, .deferred: 0
        case .failed: 1
        case .purchased, .restored: 2
        }
    }
}

extension StoreTransaction {
    /// Stays the same when the purchase is reported again, restored, or delivered in another launch.
    ///
    /// A restored transaction goes by its original's identifier. A renewal has an original too, but is a purchase of its
    /// own, so it goes by its own.
    package var deliveryKey: String {
        let id = state == .restored ? originalTransactionID : transactionID
        return id ?? "\(productID)@\(date?.timeIntervalSince1970 ?? 0)"
    }
}
