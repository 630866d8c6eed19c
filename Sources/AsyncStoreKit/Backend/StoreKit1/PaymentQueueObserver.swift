import Foundation
import StoreKit

/// Converts the payment queue's reports to events, synchronously and in order.
final class PaymentQueueObserver: NSObject, Sendable {
    struct State: Sendable {
        var queue = StoreKit1Queue<ObjectIdentifier, SKPaymentTransaction, HeldPayment>()
        /// Accepts or holds promoted payments instead of the policy.
        var storePaymentHandler: (@Sendable (SKPayment, SKProduct) -> Bool)?
    }

    private let queue: SKPaymentQueue
    let state = Locked(State())

    init(queue: SKPaymentQueue) {
        self.queue = queue
    }

    func reportQueue() {
        let transactions = queue.transactions
        if !transactions.isEmpty { report(transactions) }
    }

    /// The greatest token, after everything in the queue has one.
    func newestToken() -> TransactionToken {
        let transactions = queue.transactions
        let newest = state.withLock { $0.queue.count == transactions.count ? $0.queue.newest : nil }
        // The counts nearly always agree. Then no transaction has to be examined.
        return newest
            ?? withLock(for: transactions) { state, present in
                for transaction in transactions { _ = state.stamp(transaction, among: present) }
                return state.queue.newest
            }
    }

    /// Calls a closure under the lock, with the transactions in the queue, if transactions can't be told apart without
    /// them.
    ///
    /// The queue is read before the lock is taken: a thread that reports may hold the queue's own lock and wait for
    /// this one. If a transaction got a token in the meantime, it may be missing from the result, so the queue is read
    /// again.
    fileprivate func withLock<Result: Sendable>(
        for transactions: [SKPaymentTransaction], _ body: (inout State, _ present: [SKPaymentTransaction]) -> Result
    ) -> Result {
        let objects = transactions.map { (ObjectIdentifier($0), $0.transactionIdentifier) }
        var newest: TransactionToken?
        var present: [SKPaymentTransaction] = []
        while true {
            let (result, latest) = state.withLock { state -> (Result?, TransactionToken) in
                let latest = state.queue.newest
                let isUnambiguous = latest == newest || !state.queue.needsQueue(for: objects)
                return (isUnambiguous ? body(&state, present) : nil, latest)
            }
            if let result { return result }
            (newest, present) = (latest, queue.transactions)
        }
    }

    func transaction(for token: TransactionToken) -> SKPaymentTransaction? {
        state.withLock { $0.queue.object(for: token) }
    }

    /// The objects of transactions that are in the queue, or whose removal is still being reported.
    func objects(for tokens: [TransactionToken]) -> [SKPaymentTransaction?] {
        state.withLock { state in tokens.map { state.queue.lastObject(for: $0) } }
    }

    /// Returns the token of a transaction. A queued transaction that hasn't been reported yet is reported first.
    func token(for transaction: SKPaymentTransaction) -> TransactionToken? {
        let id = transaction.transactionIdentifier
        if let token = knownToken(for: transaction, id) { return token }
        guard queue.transactions.contains(where: { $0 === transaction }) else { return nil }
        report([transaction])
        return knownToken(for: transaction, id)
    }

    private func knownToken(for transaction: SKPaymentTransaction, _ id: String?) -> TransactionToken? {
        state.withLock { $0.queue.knownToken(for: ObjectIdentifier(transaction), transactionID: id) }
    }

    private func report(_ transactions: [SKPaymentTransaction]) {
        send(about: transactions) { state, present in
            .updatedTransactions(transactions.map { state.stamp($0, among: present) })
        }
    }

    /// Passes on an event that StoreKit reports. It's created under the lock, and passed on outside.
    func send(_ event: (inout State) -> QueueEvent) {
        receive(state.withLock { event(&$0) })
    }

    private func send(
        about transactions: [SKPaymentTransaction],
        _ event: (inout State, _ present: [SKPaymentTransaction]) -> QueueEvent
    ) {
        receive(withLock(for: transactions, event))
    }

    private func receive(_ event: QueueEvent) {
        state.withLock { $0.queue.receive }?(event)
    }
}

extension PaymentQueueObserver: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        report(transactions)
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        send(about: transactions) { state, present in
            .removedTransactions(transactions.compactMap { state.remove($0, among: present) })
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        send { _ in .restoreFinished }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        send { _ in .restoreFailed(StoreError(storeKitError: error, during: "The restore")) }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        send { _ in .storefrontChanged }
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
    {
        send { _ in .revokedEntitlements(PurchaseRevocation(productIDs: Set(productIdentifiers))) }
    }
}

extension PaymentQueueObserver.State {
    /// - Parameter present: The transactions in the queue, if they're needed.
    fileprivate mutating func stamp(
        _ transaction: SKPaymentTransaction, among present: [SKPaymentTransaction]
    ) -> StoreTransaction {
        let description = Self.description(of: transaction)
        let token = queue.stamp(transaction, description, queue: { present.map(ObjectIdentifier.init) })
        return StoreTransaction(transaction, payment: description.payment, token: token)
    }

    fileprivate mutating func remove(
        _ transaction: SKPaymentTransaction, among present: [SKPaymentTransaction]
    ) -> TransactionToken? {
        queue.remove(Self.description(of: transaction), queue: { present.map(ObjectIdentifier.init) })
    }

    private static func description(
        of transaction: SKPaymentTransaction
    ) -> StoreKit1Queue<ObjectIdentifier, SKPaymentTransaction, HeldPayment>.Description {
        .init(
            identity: ObjectIdentifier(transaction), transactionID: transaction.transactionIdentifier,
            payment: PaymentRequest(transaction.paymentOrNil), hasFailed: transaction.transactionState == .failed)
    }
}

extension PaymentQueueObserver: SKPaymentQueueDelegate {
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    ) -> Bool {
        let value = withLock(for: [transaction]) { state, present in state.stamp(transaction, among: present) }
        let policy = state.withLock { $0.queue.policies.shouldContinueTransaction }
        let storefront = AppStorefront(countryCode: newStorefront.countryCode, id: newStorefront.identifier)
        return policy?(value, storefront) ?? true
    }
}

extension StoreKit1Backend {
    /// Replaces the policies. The queue's delegate is set only if a policy needs it.
    public func apply(_ policies: PaymentQueuePolicies) {
        observer.state.withLock { $0.queue.policies = policies }
        let queue = environment.queue
        if policies.needsDelegate {
            queue.delegate = observer
        } else if queue.delegate === observer {
            queue.delegate = nil
        }
    }
}

/// A payment that StoreKit asked about, kept to be added later.
// @unchecked because: the payment isn't modified, only passed back to the queue.
struct HeldPayment: @unchecked Sendable {
    let payment: SKPayment
}
