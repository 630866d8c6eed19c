import AppReceipt
import Foundation

/// Every transaction that is not finished yet, and who owns it.
///
/// This is where "no transaction is lost" and "deliver, then finish" are decided: an entry leaves only when the queue says
/// that it was removed.
struct TransactionLedger: Sendable {
    /// Who is to deliver and finish a transaction, or what it waits for.
    enum Owner: Sendable, Hashable {
        /// Nobody yet: it is with the App Store, or waits for approval.
        case nobody
        /// Every subscriber: it is offered to all of them.
        case subscribers
        /// The caller of the call that was answered with it.
        case caller
        /// A closure or the installed delivery, which is delivering it at this moment.
        case delivery
        /// The timer after which it is delivered or offered again.
        case pendingRetry
        /// The downloads of its hosted content: it is delivered, and finished when they have ended.
        case downloads
        /// The queue: it has been told to finish it, and has not said yet that it is gone.
        case finished
    }

    struct Entry: Sendable {
        var transaction: StoreTransaction
        var owner: Owner
        /// Since when it has had this owner.
        var since: Date
        /// The approval that it answers.
        var pending: PendingPurchase?
        /// How often somebody has given it back undelivered.
        var releases = 0

        /// Whether there is nothing left to deliver.
        var isDelivered: Bool { owner == .downloads || owner == .finished }

        fileprivate mutating func setOwner(_ owner: Owner, pending: PendingPurchase?, now: Date) {
            self.owner = owner
            since = now
            self.pending = pending ?? self.pending
        }
    }

    private(set) var entries: [TransactionToken: Entry] = [:]
    /// What has been delivered in this process, by key, so that a redelivery can be told.
    private var deliveredKeys: Set<String> = []

    subscript(token: TransactionToken) -> Entry? { entries[token] }
}

// Arriving and leaving.
extension TransactionLedger {
    enum Arrival: Equatable {
        /// To be attributed.
        case news
        /// Reported before in this state, or as far: it changes nothing.
        case duplicate
        /// Finished before: it is to be finished once more.
        case finishAgain
        /// Delivered before, and all its content is there now: it is to be finished.
        case complete
    }

    /// A transaction was reported.
    mutating func report(_ transaction: StoreTransaction, now: Date) -> Arrival {
        guard var entry = entries[transaction.token] else {
            entries[transaction.token] = Entry(transaction: transaction, owner: .nobody, since: now)
            return .news
        }
        let before = entry.transaction
        // What was seen in the queue may be told after what was reported since: an outcome is never taken back.
        guard transaction.state.finality >= before.state.finality else { return .duplicate }
        entry.transaction = transaction
        defer { entries[transaction.token] = entry }
        switch entry.owner {
        case .nobody:
            return before.state == transaction.state ? .duplicate : .news
        case .finished:
            guard before.state == .failed, transaction.holdsContent else { return .finishAgain }
            entry.owner = .nobody
            return .news
        case .downloads:
            guard !transaction.hasUnfinishedDownloads else { return .duplicate }
            entry.owner = .finished
            return .complete
        case .subscribers, .caller, .delivery, .pendingRetry:
            return .duplicate
        }
    }

    /// A download has moved on. False when it belongs to no entry.
    mutating func update(_ download: StoreDownload) -> Bool {
        entries[download.id.transaction]?.transaction.update(download) ?? false
    }

    /// Whether an entry that is delivered has all its content now. True once: it is to be finished then.
    mutating func contentHasEnded(of token: TransactionToken) -> Bool {
        guard let entry = entries[token], entry.owner == .downloads, !entry.transaction.hasUnfinishedDownloads else { return false }
        entries[token]?.owner = .finished
        return true
    }

    /// The queue says that an entry is gone.
    mutating func remove(_ token: TransactionToken) {
        entries[token] = nil
    }

    /// Gives a transaction another owner, unless somebody has finished it in the meantime.
    mutating func setOwner(_ owner: Owner, of token: TransactionToken, pending: PendingPurchase? = nil, now: Date) {
        guard entries[token]?.isDelivered == false else { return }
        entries[token]?.setOwner(owner, pending: pending, now: now)
    }

    /// Somebody could not deliver what it was given: it waits to be offered again. How often that has happened to it; `nil` when it
    /// is being delivered by somebody else, is finished, or is not known.
    mutating func release(_ token: TransactionToken, now: Date) -> Int? {
        guard let entry = entries[token], entry.owner == .subscribers || entry.owner == .caller else { return nil }
        entries[token]?.setOwner(.pendingRetry, pending: nil, now: now)
        entries[token]?.releases += 1
        return entry.releases + 1
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
        switch entry.owner {
        case .finished:
            return .finished
        case .nobody where !entry.transaction.holdsContent && entry.transaction.state != .failed:
            return .notFinishable(entry.transaction.state)
        case .nobody, .subscribers, .caller, .delivery, .pendingRetry, .downloads:
            entries[token]?.owner = entry.transaction.isDownloading ? .downloads : .finished
            if entry.transaction.holdsContent { deliveredKeys.insert(entry.transaction.deliveryKey) }
            return entry.transaction.isDownloading ? .whenDownloaded : .finish
        }
    }

    /// The delivery of a transaction has succeeded, of one that was only offered too. True when the queue is to be told: not
    /// while its content is still being downloaded, and not when it has been told before.
    mutating func delivered(_ token: TransactionToken) -> Bool {
        guard let entry = entries[token] else { return false }
        deliveredKeys.insert(entry.transaction.deliveryKey)
        switch entry.owner {
        case .subscribers, .caller, .delivery, .pendingRetry: break
        case .nobody, .downloads, .finished: return false
        }
        entries[token]?.owner = entry.transaction.hasUnfinishedDownloads ? .downloads : .finished
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
        entries.values.filter { $0.owner == .subscribers || $0.owner == .caller }
            .inOrder { $0.transaction.token < $1.transaction.token }
    }

    /// What no call has, or waits for: offered, or waiting for an approval. Oldest first.
    var unclaimed: [Entry] {
        entries.values.filter { $0.owner == .subscribers || ($0.owner == .nobody && $0.transaction.state == .deferred) }
            .inOrder { $0.transaction.token < $1.transaction.token }
    }

    /// Everything paid for that is not finished, whoever has it. Oldest first.
    var unfinished: [Entry] {
        entries.values.filter { $0.transaction.holdsContent && $0.owner != .finished }
            .inOrder { $0.transaction.token < $1.transaction.token }
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
        let id = state == .restored ? originalID : id
        return id ?? "\(productID)@\(purchaseDate?.timeIntervalSince1970 ?? 0)"
    }
}
