import AppReceipt
import Foundation

/// Every transaction that isn't finished yet, who owns it, and what the app has received and delivered in this process.
///
/// This is where "no transaction is lost", "deliver, then finish", and "never twice at once" are decided. Several
/// entries can represent one purchase: StoreKit 1 restores a purchase as a new transaction. Such entries share a
/// delivery key. One of them is delivered at a time, and a successful delivery finishes all of them.
struct UnfinishedTransactions: Sendable {
    struct Entry: Sendable {
        var transaction: StoreTransaction
        var state = State.open
        /// The time since which the entry has been in this state.
        var since: Date
        /// The key of the purchase; `nil` while nothing is paid.
        fileprivate var key: String?
        /// The approval that the transaction answers.
        var pending: PendingPurchase?
        /// The number of times that the transaction was returned undelivered.
        var releases = 0
        /// Whether the developer was warned that the transaction isn't finished.
        fileprivate(set) var isOverdue = false
        /// Whether the queue has removed the transaction while it is being delivered.
        fileprivate(set) var hasLeft = false
        /// Whether the next report is delivered again, because the app has been in the background since the last.
        fileprivate var isRepeatable = false

        /// Whether there is nothing left to deliver.
        var isDelivered: Bool { state == .downloading || state == .finished }

        fileprivate mutating func setState(_ state: State, now: Date) {
            self.state = state
            since = now
        }
    }

    private struct Departure: Sendable {
        /// The key of the purchase.
        let key: String
        let transaction: StoreTransaction
        /// Whether the entry left because the queue's lists lack it. Such a transaction can still be finished.
        let isUnlisted: Bool
    }

    private(set) var entries = [TransactionToken: Entry]()
    /// What the tokens of the queue have in common; `nil` before the first report.
    private var source: UInt64?
    private var purchases = [String: Purchase]()
    /// The number of changes of purchases so far.
    private var changes: UInt64 = 0
    /// The number of purchases without an entry that are always remembered: StoreKit reports some of them again.
    static let limit = 1_000
    /// The entries that a closure or the installed delivery was given, with the keys of their purchases.
    private var deliveries = [TransactionToken: String]()
    /// The entries that left undelivered. A caller or a loop that has one of them may still deliver it.
    private var departures = [TransactionToken: Departure]()
    /// The deliveries that the app's delivery ledger contains.
    var earlierDeliveries = EarlierDeliveries()
    /// The contexts of purchases that aren't delivered yet, and everything that the delivery ledger has to record.
    var contexts = PurchaseContexts()
    private var deliveryEnds: [DeliveryEnd] = []

    subscript(token: TransactionToken) -> Entry? { entries[token] }
}

/// The end of a delivery: a purchase was delivered, or it was rejected or has left the queue.
package typealias DeliveryEnd = (productID: String, isDelivered: Bool)

// Arriving and leaving.
extension UnfinishedTransactions {
    enum Arrival: Equatable {
        /// The report is new, and has to be attributed.
        case new
        /// The report changes nothing: the transaction was reported before in this state, or in a later one.
        case duplicate
        /// The transaction was finished before, and has to be finished again.
        case finishAgain
        /// The transaction was delivered before, and all its content is there now. It has to be finished.
        case complete
    }

    mutating func report(_ transaction: StoreTransaction, now: Date) -> Arrival {
        source = transaction.token.source
        let key = Self.key(of: transaction)
        guard let place = entries.index(forKey: transaction.token) else {
            entries[transaction.token] = Entry(transaction: transaction, since: now, key: key)
            if let key { add(transaction, to: key) }
            return .new
        }
        var entry = entries.values[place]
        let before = entry.transaction
        // A report can be older than one that arrived before it: an outcome is never reverted.
        guard transaction.state.finality >= before.state.finality else { return .duplicate }
        entry.transaction = transaction
        if entry.key != key {
            if let key { add(transaction, to: key) }
            if let old = entry.key {
                purchases[old]?.tokens.removeAll { $0 == transaction.token }
            }
            entry.key = key
        }
        defer { entries.values[place] = entry }
        switch entry.state {
        case .open where !before.holdsContent:
            return before.state == transaction.state ? .duplicate : .new
        case .finished:
            // A failed payment was finished, and is paid after all: the transaction has to be delivered.
            guard before.state == .failed, transaction.holdsContent else { return .finishAgain }
            entry.state = .open
            return .new
        case .downloading:
            return transaction.hasUnfinishedDownloads ? .duplicate : .complete
        case .open, .offered, .withCaller, .delivering, .retrying:
            return .duplicate
        }
    }

    private mutating func add(_ transaction: StoreTransaction, to key: String) {
        change(key) { purchase in
            purchase.tokens.append(transaction.token)
            if transaction.state == .purchased { purchase.payer = .some(transaction.account) }
        }
    }

    /// Changes a purchase, and forgets others if there are many.
    private mutating func change<Result>(_ key: String, _ change: (inout Purchase) -> Result) -> Result {
        if purchases.count >= entries.count + 2 * Self.limit { forgetOldPurchases() }
        changes &+= 1
        return purchases[key, default: Purchase()].change(changes, change)
    }

    /// Forgets the purchases without an entry that have changed least recently.
    private mutating func forgetOldPurchases() {
        let delivering = Set(deliveries.values)
        let past = purchases.filter { $0.value.tokens.isEmpty && !delivering.contains($0.key) }
        let oldestFirst = past.inOrder { $0.value.lastChange < $1.value.lastChange }
        for (key, _) in oldestFirst.dropLast(Self.limit) { purchases[key] = nil }
        departures = departures.filter { purchases[$0.value.key] != nil }
    }

    /// Returns `true` once for each event of a purchase, while the purchase is remembered.
    mutating func isFirst(_ event: Purchase.Event, of transaction: StoreTransaction) -> Bool {
        change(Self.key(of: transaction) ?? transaction.deliveryKey) { $0.events.insert(event).inserted }
    }

    /// Records that a purchase is no longer revoked.
    mutating func revocationReversed(of transaction: StoreTransaction) {
        purchases[Self.key(of: transaction) ?? transaction.deliveryKey]?.events.remove(.revoked)
    }

    /// Updates a download. Returns `false` if no entry has it.
    @discardableResult
    mutating func update(_ download: StoreDownload) -> Bool {
        entries[download.id.transaction]?.transaction.update(download) ?? false
    }

    /// Returns `true` once, when a delivered entry has all its content: then it has to be finished.
    mutating func contentHasEnded(of token: TransactionToken) -> Bool {
        guard let entry = entries[token], entry.state == .downloading, !entry.transaction.hasUnfinishedDownloads else {
            return false
        }
        entries[token]?.state = .finished
        return true
    }

    /// Records that an entry has left the queue. It's kept until its delivery has ended.
    /// - Parameter isUnlisted: Whether the queue's lists lack it.
    mutating func remove(_ token: TransactionToken, isUnlisted: Bool = false) {
        guard deliveries[token] == nil else {
            entries[token]?.hasLeft = true
            return
        }
        guard let entry = entries.removeValue(forKey: token), let key = entry.key else { return }
        if purchases[key]?.isDelivered == false {
            departures[token] = Departure(key: key, transaction: entry.transaction, isUnlisted: isUnlisted)
            deliveryEnds.append((entry.transaction.productID, false))
        }
        purchases[key]?.tokens.removeAll { $0 == token }
    }

    /// Removes an entry that the queue's lists lack. Returns `false` for one that stays, because it is being delivered
    /// or finished.
    ///
    /// The transaction can still be finished: a list that lacks a transaction is no proof that it is finished.
    mutating func removeUnlisted(_ token: TransactionToken) -> Bool {
        guard let entry = entries[token], entry.state != .delivering, !entry.isDelivered, deliveries[token] == nil
        else {
            return false
        }
        remove(token, isUnlisted: true)
        return true
    }

    /// Changes the state of an entry, unless it has been finished in the meantime.
    mutating func setState(_ state: State, of token: TransactionToken, now: Date) {
        guard let place = entries.index(forKey: token), !entries.values[place].isDelivered else { return }
        entries.values[place].setState(state, now: now)
    }

    /// Records that the app has returned: StoreKit may repeat reports.
    mutating func expectReportsAgain() {
        for (token, entry) in entries where entry.state == .offered && wasReceived(entry.transaction) {
            entries[token]?.isRepeatable = true
        }
    }

    /// Whether to deliver a repeated report: the app was in the background since, and no delivery is running.
    mutating func repetitionReported(of token: TransactionToken) -> Bool {
        guard let entry = entries[token], entry.isRepeatable, entry.state == .offered,
            !isBeingDelivered(entry.transaction)
        else {
            return false
        }
        entries[token]?.isRepeatable = false
        return true
    }

    /// Records why the customer bought a transaction's product.
    mutating func setContext(_ context: TransactionContext?, of token: TransactionToken) {
        if let context { entries[token]?.transaction.report.context = context }
    }

    /// Forgets why the customer bought, for the purchases of an account or for all.
    mutating func eraseContexts(of account: String?) {
        contexts.erase(account: account)
        for (token, entry) in entries where account == nil || entry.transaction.applicationUsername == account {
            entries[token]?.transaction.report.context = nil
        }
    }

    /// Records the approval that a transaction answers.
    mutating func setPendingPurchase(_ pending: PendingPurchase?, of token: TransactionToken) {
        if let pending { entries[token]?.pending = pending }
    }

    /// Gives back a transaction that could not be delivered, so that it is offered again. Returns the number of times
    /// that this has happened to it, or `nil` if it is being delivered, is finished, or is unknown.
    mutating func release(_ token: TransactionToken, now: Date) -> Int? {
        guard let entry = entries[token], entry.state == .offered || entry.state == .withCaller else { return nil }
        markReceived(entry.transaction)
        entries[token]?.setState(.retrying, now: now)
        entries[token]?.releases += 1
        return entry.releases + 1
    }
}

// Delivering.
extension UnfinishedTransactions {
    /// Records that a caller or a loop receives a purchase. Returns whether the app has received it before.
    @discardableResult
    mutating func markReceived(_ transaction: StoreTransaction) -> Bool {
        guard let key = Self.key(of: transaction) else { return false }
        let wasReceived = change(key) { $0.markReceived() }
        return wasReceived || earlierDeliveries.contains(transaction)
    }

    /// Records that a closure or the installed delivery receives a purchase, and has it until ``endDelivery(of:)``.
    /// Returns whether the app has received it before.
    mutating func beginDelivery(of transaction: StoreTransaction) -> Bool {
        guard let key = Self.key(of: transaction) else { return false }
        deliveries[transaction.token] = key
        return markReceived(transaction)
    }

    /// Records that a delivery has ended. Returns the other entries of its purchase, or `nil` if another delivery of
    /// the same purchase is running, or none was.
    mutating func endDelivery(of token: TransactionToken) -> [TransactionToken]? {
        guard let key = deliveries.removeValue(forKey: token) else { return nil }
        if entries[token]?.hasLeft == true { remove(token) }
        return deliveries.values.contains(key) ? nil : purchases[key]?.tokens.filter { $0 != token }
    }

    /// Whether a closure or the installed delivery is delivering a purchase, by this entry or by another.
    func isBeingDelivered(_ transaction: StoreTransaction) -> Bool {
        guard !deliveries.isEmpty, let key = Self.key(of: transaction) else { return false }
        return deliveries.values.contains(key)
    }

    /// Whether a purchase is known to be for no account, or for another one.
    func isKnownToBeForAnother(_ transaction: StoreTransaction, than account: PurchaseAccount) -> Bool {
        guard let payer = Self.key(of: transaction).flatMap({ purchases[$0]?.payer }) else { return false }
        return payer?.isSame(account) != true
    }

    /// Whether a purchase was delivered: in this process, or in an earlier one by the delivery ledger.
    func wasDelivered(_ transaction: StoreTransaction) -> Bool {
        Self.key(of: transaction).flatMap { purchases[$0]?.isDelivered } == true
            || earlierDeliveries.contains(transaction)
    }

    /// Whether the app has received a purchase before in this process, or has delivered it in an earlier one.
    func wasReceived(_ transaction: StoreTransaction) -> Bool {
        Self.key(of: transaction).flatMap { purchases[$0]?.wasReceived } == true
            || earlierDeliveries.contains(transaction)
    }

    private mutating func markDelivered(_ key: String, _ transaction: StoreTransaction, isRejected: Bool = false) {
        change(key) { $0.markDelivered() }
        deliveryEnds.append((transaction.productID, !isRejected))
        if let delivery = earlierDeliveries.newDelivery(of: transaction) { contexts.record(.delivered(delivery)) }
        contexts.delivered(transaction)
    }

    /// The key of the purchase of an entry, or of one that left undelivered.
    private func key(of token: TransactionToken) -> String? {
        if let key = deliveries[token] { return key }
        guard let entry = entries[token] else { return departures[token]?.key }
        return entry.key
    }

    /// The other entries of the purchase of an entry, which may have left undelivered before they came.
    func siblings(of token: TransactionToken) -> [TransactionToken] {
        guard let key = key(of: token), let tokens = purchases[key]?.tokens, tokens != [token] else { return [] }
        return tokens.filter { $0 != token }
    }

    /// Whether an entry has to wait for another one: the app has the purchase, or is about to get it.
    func waits(_ transaction: StoreTransaction) -> Bool {
        isBeingDelivered(transaction)
            || siblings(of: transaction.token).contains { entries[$0]?.state.isActive ?? false }
    }
}

// Finishing.
extension UnfinishedTransactions {
    enum Finish: Equatable {
        /// The queue has to be asked.
        case finish
        /// The content is being downloaded: the queue is asked when that has ended.
        case whenDownloaded
        /// The queue was asked before.
        case finished
        /// The queue has removed the transaction. The other entries of its purchase have to be finished.
        case departed
        /// There is nothing to finish yet.
        case notFinishable(StoreTransaction.State)
        /// The transaction never was in this queue.
        case unknown
    }

    /// Whether a token is one of the queue's. A transaction whose entry is gone is treated as finished.
    func isOfQueue(_ token: TransactionToken) -> Bool { token.source == source }

    /// - Parameter keepsContent: Whether the downloaded content is still needed.
    mutating func finish(_ token: TransactionToken, keepsContent: Bool = false) -> Finish {
        guard let entry = entries[token] else {
            if let departure = departures.removeValue(forKey: token) {
                markDelivered(departure.key, departure.transaction)
                return departure.isUnlisted ? .finish : .departed
            }
            return isOfQueue(token) ? .finished : .unknown
        }
        guard entry.state != .finished else { return .finished }
        guard entry.state != .open || entry.transaction.holdsContent || entry.transaction.state == .failed else {
            return .notFinishable(entry.transaction.state)
        }
        let isDownloading = entry.transaction.isDownloading || keepsContent
        entries[token]?.state = isDownloading ? .downloading : .finished
        if let key = entry.key { markDelivered(key, entry.transaction) }
        return isDownloading ? .whenDownloaded : .finish
    }

    /// Records that a delivery has succeeded. Returns whether the queue has to be asked to finish the transaction: not
    /// while its content is still being downloaded, and not if the queue was asked before or has removed it.
    /// - Parameter keepsContent: Whether the downloaded content is still needed.
    mutating func delivered(_ token: TransactionToken, isRejected: Bool = false, keepsContent: Bool = false) -> Bool {
        guard let entry = entries[token] else {
            guard let departure = departures.removeValue(forKey: token) else { return false }
            markDelivered(departure.key, departure.transaction, isRejected: isRejected)
            return departure.isUnlisted
        }
        if let key = entry.key { markDelivered(key, entry.transaction, isRejected: isRejected) }
        guard entry.state.isActive || entry.state == .open && entry.transaction.holdsContent else { return false }
        let isDownloading = entry.transaction.hasUnfinishedDownloads || keepsContent
        entries[token]?.state = isDownloading ? .downloading : .finished
        return !isDownloading && !entry.hasLeft
    }
}

// Warnings, and the ends of deliveries.
extension UnfinishedTransactions {
    /// Returns the ends of deliveries since the last call, without those of products that wait for another delivery.
    mutating func takeDeliveryEnds() -> [DeliveryEnd] {
        guard !deliveryEnds.isEmpty else { return [] }
        defer { deliveryEnds.removeAll(keepingCapacity: true) }
        let waiting = entries.values.filter { $0.state == .retrying || $0.state == .delivering }
        let productIDs = Set(waiting.map(\.transaction.productID))
        return deliveryEnds.filter { !productIDs.contains($0.productID) }
    }

    /// Marks the outstanding entries that have been outstanding since a date or longer, and returns them. Each entry is
    /// marked once. Also returns the date since which the oldest of the others has been outstanding.
    mutating func markOverdue(since date: Date) -> (overdue: [Entry], next: Date?) {
        let open = outstanding.filter { !$0.isOverdue }
        let overdue = open.filter { $0.since <= date }
        for entry in overdue { entries[entry.transaction.token]?.isOverdue = true }
        return (overdue, open.lazy.filter { $0.since > date }.map(\.since).min())
    }
}
