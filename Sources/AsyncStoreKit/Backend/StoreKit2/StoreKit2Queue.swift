import AppReceipt
import Foundation

/// The transactions of StoreKit 2 as entries of a queue: the token of each entry, and which transactions are held back
/// or finished.
///
/// One transaction is one entry, whether it arrives as the answer to a payment, as an update, in a list, or with a
/// restore. Payments that end without a transaction are local entries that StoreKit doesn't have. The queue is
/// pure: it returns the events to deliver.
///
/// StoreKit's lists are read while transactions change, and are sometimes empty or out of date. So every read
/// carries the moment at which it began. A row is ignored if something newer is known of its transaction. A transaction
/// that a list lacks leaves the queue only if a second list, read at least ``absenceInterval`` later, lacks it, too.
struct StoreKit2Queue: Sendable {
    /// A number that grows with each event. A read doesn't have the events after the moment at which it began.
    typealias Moment = UInt64

    /// A transaction in the queue.
    private struct Record: Sendable {
        let token: TransactionToken
        var signedTransaction: StoreKit2SignedTransaction
        /// What the text of the signed transaction says; `nil` if it can't be decoded.
        var info: Shared<SignedTransactionInfo>?
        let firstEvent: Moment
        var lastEvent: Moment
        /// Whether StoreKit's list of unfinished transactions is expected to have it. The list need not have what a
        /// restore brought, what one of Apple's views sold and may have finished, or what StoreKit has finished because
        /// the app acknowledged a revocation.
        var isExpectedInList: Bool
        /// The beginning of the first read since the last event that lacks the transaction.
        var missingSince: Date?

        var value: StoreTransaction {
            StoreTransaction(signedTransaction, info, token: token, isRestored: false)
        }
    }

    /// The history of a transaction in this process, whether or not the queue has it.
    private struct Past: Sendable {
        /// Whether StoreKit is being asked to finish it.
        var isFinishing = false
        /// When finishing it last began or ended. StoreKit reports some finished transactions again minutes later, with
        /// a new signature.
        var finished: Moment?
        var revocation: StoreKit2Revocation?
        /// The entry of the revocation, until it's finished.
        var revocationEntry: TransactionToken?
        /// Whether an invalid signature of it was reported.
        var isUnverified = false
    }

    /// How far apart two reads that lack a transaction have to begin for it to leave the queue, in seconds.
    let absenceInterval: TimeInterval

    private(set) var newest = TransactionToken.ofNewQueue()
    private var moment: Moment = 0
    private var records = [UInt64: Record]()
    private var ids = [TransactionToken: UInt64]()
    /// Entries outside the queue that can be finished: revoked transactions, and those that lists lack.
    private var finishable = [TransactionToken: StoreKit2SignedTransaction]()
    /// Entries that StoreKit doesn't have. Of a payment that waits for an approval, the request and when it ends.
    private var localEntries = [TransactionToken: (request: PaymentRequest, end: Date)?]()
    private var past = [UInt64: Past]()
    private var payments = StoreKit2Payments()
    private let memo: DecodedTransactions

    init(absenceInterval: TimeInterval = 10, memo: DecodedTransactions = DecodedTransactions()) {
        self.absenceInterval = absenceInterval
        self.memo = memo
    }

    private mutating func nextMoment() -> Moment {
        moment += 1
        return moment
    }

    private mutating func newToken() -> TransactionToken {
        newest = newest.next
        return newest
    }
}

// Payments.
extension StoreKit2Queue {
    /// Records that a payment is about to be submitted.
    mutating func paymentWillStart(_ id: CallID, _ productID: String) {
        payments.running[id] = (productID, nextMoment())
    }

    /// Records the end of a call of `purchase`.
    /// - Parameters:
    ///   - ownedBefore: The transactions that the customer had before. StoreKit answers a purchase of an owned product
    ///     with one of them.
    ///   - requestEnd: When a request for approval ends.
    mutating func paymentDidEnd(
        _ id: CallID, _ request: PaymentRequest, _ result: Result<StoreKit2PurchaseResult, StoreError>,
        ownedBefore: Set<UInt64> = [], requestEnd: Date = .distantFuture
    ) -> [QueueEvent] {
        let start = payments.running.removeValue(forKey: id)?.start ?? nextMoment()
        let answer: StoreTransaction
        var (reversal, isEarlier): ([QueueEvent], Bool) = ([], false)
        switch result {
        case .success(.success(let transaction)):
            payments.removeHeldTransaction(transaction.id)
            if let error = transaction.verificationError {
                past[transaction.id, default: Past()].isUnverified = true
                answer = makeLocalEntry(request, .failed, error)
            } else {
                // StoreKit answers a purchase of an owned product with the transaction that the customer had before.
                isEarlier =
                    ownedBefore.contains(transaction.id) || past[transaction.id]?.finished != nil
                    || records[transaction.id].map { $0.firstEvent < start } ?? false
                reversal = reinstate(transaction)
                answer = record(transaction, isApproval: false)
                // A list may lack that transaction. The signed number shows that this payment didn't buy it.
                let isConsumable = answer.signedInfo?.productKind == .consumable
                if isConsumable, answer.quantity != request.quantity { isEarlier = true }
            }
        case .success(.pending): answer = makeLocalEntry(request, .deferred, nil, until: requestEnd)
        case .success(.userCancelled):
            answer = makeLocalEntry(request, .failed, StoreError(.userCancelled, "The customer closed the sheet."))
        // Never a cancellation: the customer may have paid.
        case .success(.unknown):
            answer = makeLocalEntry(request, .failed, StoreError(.unknown, "StoreKit has returned an unknown result."))
        case .failure(let error): answer = makeLocalEntry(request, .failed, error)
        }
        return reversal + [.answeredPayment(id, answer, isPreexisting: isEarlier)] + releaseHeldTransactions()
    }

    /// Drops the payments that still wait for approval and whose requests have ended, in the order of their calls.
    mutating func requestsEnded(at date: Date) -> [QueueEvent] {
        localEntries.filter { $0.value.map { $0.end <= date } ?? false }.keys.inOrder(by: <).flatMap {
            finish($0).events
        }
    }

    /// Stops holding back transactions for a payment that no call awaits any longer, or that was overtaken.
    mutating func release(_ id: CallID) -> [QueueEvent] {
        payments.running.removeValue(forKey: id) == nil ? [] : releaseHeldTransactions()
    }

    var heldTransactions: Set<UInt64> { payments.heldTransactions }

    /// Reports the transactions whose products have no running payment.
    /// - Parameter ids: Transactions to report although a payment for their product is running.
    mutating func releaseHeldTransactions(_ ids: Set<UInt64> = []) -> [QueueEvent] {
        payments.takeReleasedTransactions(and: ids).map { transaction in
            if let error = transaction.verificationError { return reportUnverified(transaction, error) }
            return .unsolicitedTransactions([record(transaction, isApproval: true)])
        }
    }
}

// Updates and lists.
extension StoreKit2Queue {
    mutating func transactionUpdated(_ transaction: StoreKit2SignedTransaction) -> [QueueEvent] {
        // A list tells whether it is unfinished.
        if transaction.isVerified, transaction.version.isUpgraded, records[transaction.id] == nil {
            return [.upgradedTransaction(value(of: transaction))]
        }
        return transactionReported(transaction, readAt: nil)
    }

    /// Records what one of Apple's views has sold.
    mutating func adopt(_ transaction: StoreKit2SignedTransaction) -> [QueueEvent] {
        // It answers no payment of the store.
        let events = transactionReported(transaction, readAt: nil) + releaseHeldTransactions([transaction.id])
        records[transaction.id]?.isExpectedInList = false
        return events
    }

    /// A read of a list of StoreKit's.
    struct Read: Sendable, Equatable {
        fileprivate let moment: Moment
        /// When the read began.
        let date: Date
    }

    /// Records that a list is about to be read.
    mutating func beginRead(at date: Date) -> Read { Read(moment: nextMoment(), date: date) }

    /// Records StoreKit's list of unfinished transactions, or a part of it. New transactions are reported in one batch.
    mutating func endRead(_ read: Read, _ unfinished: [StoreKit2SignedTransaction], isComplete: Bool = true)
        -> [QueueEvent]
    {
        let unlisted = isComplete ? recordAbsence(of: Set(unfinished.map(\.id)), from: read) : []
        var events: [QueueEvent] = unlisted.isEmpty ? [] : [.unlistedTransactions(unlisted)]
        var new: [StoreTransaction] = []
        for event in Self.oldestFirst(unfinished).flatMap({ transactionReported($0, readAt: read) }) {
            if case .unsolicitedTransactions(let batch) = event { new += batch } else { events.append(event) }
        }
        if !new.isEmpty { events.append(.unsolicitedTransactions(new)) }
        return events
    }

    /// Returns the entries that this read and an earlier one lack, in order.
    private mutating func recordAbsence(of listed: Set<UInt64>, from read: Read) -> [TransactionToken] {
        var unlisted: [TransactionToken] = []
        for (id, record) in records where record.lastEvent <= read.moment && !isFinishing(id) {
            if listed.contains(id) {
                records[id]?.missingSince = nil
                records[id]?.isExpectedInList = true
            } else if let since = record.missingSince, since <= read.date {
                if read.date.timeIntervalSince(since) >= absenceInterval { unlisted.append(record.token) }
            } else if record.isExpectedInList {
                // The first read that lacks it, or the clock was set back since: the absence begins now.
                records[id]?.missingSince = read.date
            }
        }
        return unlisted.inOrder(by: <)
    }

    /// Forgets entries that left the queue because lists lack them. They can still be finished.
    mutating func forget(_ tokens: [TransactionToken]) {
        for token in tokens {
            guard let id = ids[token], let transaction = records[id]?.signedTransaction else { continue }
            removeRecord(of: id)
            finishable[token] = transaction
        }
    }

    /// - Parameter read: The read of the list that has it, or `nil` for an update.
    private mutating func transactionReported(_ transaction: StoreKit2SignedTransaction, readAt read: Read?)
        -> [QueueEvent]
    {
        if let error = transaction.verificationError {
            guard past[transaction.id]?.isUnverified != true else { return [] }
            return payments.includes(transaction.productID) ? hold(transaction) : [reportUnverified(transaction, error)]
        }
        guard isCurrent(transaction, read) else {
            return past[transaction.id]?.finished == nil ? [] : reinstate(transaction)
        }
        guard transaction.version.revocationDate == nil else { return revoke(transaction) }
        let known = records[transaction.id]
        // Reporting ten thousand unchanged transactions at every read would cost the store time for nothing.
        if let known, known.signedTransaction.version == transaction.version { return [] }
        let reversal = reinstate(transaction)
        guard known != nil || !payments.includes(transaction.productID) else { return reversal + hold(transaction) }
        return reversal + [.unsolicitedTransactions([record(transaction, isApproval: true)])]
    }

    private mutating func reportUnverified(_ transaction: StoreKit2SignedTransaction, _ error: StoreError) -> QueueEvent
    {
        past[transaction.id, default: Past()].isUnverified = true
        let payment = PaymentRequest(productID: transaction.productID)
        return .unsolicitedTransactions([makeLocalEntry(payment, .failed, error)])
    }

    private mutating func hold(_ transaction: StoreKit2SignedTransaction) -> [QueueEvent] {
        payments.hold(transaction)
        return []
    }

    /// Whether nothing newer is known of a transaction.
    private func isCurrent(_ transaction: StoreKit2SignedTransaction, _ read: Read?) -> Bool {
        let (id, version) = (transaction.id, transaction.version)
        if let known = records[id] {
            if let read, known.lastEvent > read.moment { return false }
            if known.signedTransaction.version.signedDate > version.signedDate { return false }
        }
        if let moment = past[id]?.finished, version.revocationDate == nil {
            // Finishing causes updates on macOS. Only a list that was read afterwards shows that the transaction has to
            // be finished again.
            guard let read, moment <= read.moment, !isFinishing(id) else { return false }
        }
        return past[id]?.revocation?.isFollowed(by: version, readAt: read?.moment) ?? true
    }

    /// Reports once that a refund was reversed. The revocation can't be acknowledged any longer, because StoreKit would
    /// finish the purchase.
    private mutating func reinstate(_ transaction: StoreKit2SignedTransaction) -> [QueueEvent] {
        guard past[transaction.id]?.revocation?.reverse(by: transaction.version) == true else { return [] }
        if let token = past[transaction.id]?.revocationEntry { finishable[token] = nil }
        past[transaction.id]?.revocationEntry = nil
        return [.reinstatedTransactions([value(of: transaction)])]
    }

    private mutating func revoke(_ transaction: StoreKit2SignedTransaction) -> [QueueEvent] {
        let revocation = StoreKit2Revocation(transaction.version, at: nextMoment())
        payments.removeHeldTransaction(transaction.id)
        var events: [QueueEvent] = []
        if let token = removeRecord(of: transaction.id) { events.append(.removedTransactions([token])) }
        let token = past[transaction.id]?.revocationEntry ?? newToken()
        past[transaction.id, default: Past()].revocation = revocation
        past[transaction.id]?.revocationEntry = token
        finishable[token] = transaction
        return events + [.revokedEntitlements(PurchaseRevocation(transactions: [value(of: transaction, token)]))]
    }

    private func value(of transaction: StoreKit2SignedTransaction, _ token: TransactionToken = .none)
        -> StoreTransaction
    {
        StoreTransaction(transaction, memo.info(of: transaction), token: token, isRestored: false)
    }

    /// Returns the transactions in the order in which the customer bought them.
    private static func oldestFirst(_ transactions: [StoreKit2SignedTransaction]) -> [StoreKit2SignedTransaction] {
        transactions.inOrder { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
    }

    /// Records what the customer owns as the rows of a restore, oldest first.
    mutating func restore(_ owned: [StoreKit2SignedTransaction], for account: UUID?) -> [QueueEvent] {
        var reversals: [QueueEvent] = []
        let values = Self.oldestFirst(owned).compactMap { transaction -> StoreTransaction? in
            guard transaction.isVerified, transaction.version.revocationDate == nil,
                past[transaction.id]?.revocation?.isReversed(by: transaction.version) ?? true
            else { return nil }
            let info = memo.info(of: transaction)
            if let account, info?.value.facts.accountID != account { return nil }
            reversals += reinstate(transaction)
            if records[transaction.id] == nil {
                insertRecord(transaction, newToken(), isExpectedInList: false)
            }
            return records[transaction.id].map { record in
                StoreTransaction(transaction, info, token: record.token, isRestored: true)
            }
        }
        return reversals + (values.isEmpty ? [] : [.restoredTransactions(values)]) + [.restoreFinished]
    }

    /// Returns the transaction that StoreKit has to finish; `nil` if there is none, and the entry has left.
    mutating func finish(_ token: TransactionToken) -> (transaction: StoreKit2SignedTransaction?, events: [QueueEvent])
    {
        let known = ids[token].flatMap { records[$0]?.signedTransaction } ?? finishable[token]
        if let transaction = known {
            let moment = nextMoment()
            past[transaction.id, default: Past()].isFinishing = true
            // Acknowledging a revocation doesn't deliver the purchase: if the revocation is reversed, it's news.
            if past[transaction.id]?.revocationEntry != token { past[transaction.id]?.finished = moment }
            return (transaction, [])
        }
        return (nil, localEntries.removeValue(forKey: token) == nil ? [] : [.removedTransactions([token])])
    }

    /// Whether StoreKit is being asked to finish a transaction.
    func isFinishing(_ id: UInt64) -> Bool { past[id]?.isFinishing ?? false }

    mutating func didFinish(_ token: TransactionToken, _ transaction: StoreKit2SignedTransaction) -> [QueueEvent] {
        let moment = nextMoment()
        past[transaction.id, default: Past()].isFinishing = false
        if past[transaction.id]?.revocationEntry == token { past[transaction.id]?.revocationEntry = nil }
        finishable[token] = nil
        guard past[transaction.id]?.finished != nil else { return [] }
        past[transaction.id]?.finished = moment
        payments.removeHeldTransaction(transaction.id)
        return removeRecord(of: transaction.id).map { [.removedTransactions([$0])] } ?? []
    }

    /// Records a transaction, and returns it with its token.
    /// - Parameter isApproval: Whether a new transaction can be the approval of a pending payment. The answer to
    ///   another payment can't.
    private mutating func record(_ transaction: StoreKit2SignedTransaction, isApproval: Bool) -> StoreTransaction {
        let info = memo.info(of: transaction)
        if var known = records[transaction.id] {
            (known.signedTransaction, known.info) = (transaction, info)
            (known.lastEvent, known.missingSince) = (nextMoment(), nil)
            records[transaction.id] = known
            return known.value
        }
        let wasRevoked = past[transaction.id]?.revocation != nil
        var token: TransactionToken?
        if isApproval, !wasRevoked {
            // An approval is recognized by its payment, and takes the place of the oldest one that is equal.
            let payment = PaymentRequest(answeredBy: value(of: transaction))
            token = localEntries.filter { $0.value?.request == payment }.keys.min()
        }
        if let token { localEntries[token] = nil }
        return insertRecord(transaction, token ?? newToken(), isExpectedInList: !wasRevoked).value
    }

    @discardableResult
    private mutating func insertRecord(
        _ transaction: StoreKit2SignedTransaction, _ token: TransactionToken, isExpectedInList: Bool
    ) -> Record {
        let moment = nextMoment()
        let record = Record(
            token: token, signedTransaction: transaction, info: memo.info(of: transaction), firstEvent: moment,
            lastEvent: moment, isExpectedInList: isExpectedInList, missingSince: nil)
        records[transaction.id] = record
        ids[token] = transaction.id
        return record
    }

    @discardableResult
    private mutating func removeRecord(of id: UInt64) -> TransactionToken? {
        guard let record = records.removeValue(forKey: id) else { return nil }
        ids[record.token] = nil
        return record.token
    }

    private mutating func makeLocalEntry(
        _ payment: PaymentRequest, _ state: StoreTransaction.State, _ error: StoreError?, until end: Date? = nil
    ) -> StoreTransaction {
        let token = newToken()
        localEntries.updateValue(end.map { (payment.recognizable, $0) }, forKey: token)
        return StoreTransaction(
            token: token, state: state, productID: payment.productID, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, offerID: payment.offer?.id, error: error)
    }
}
