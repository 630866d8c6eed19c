import Foundation
import StoreKit

/// Converts the payment queue's reports to events, synchronously and in order.
final class PaymentQueueObserver: NSObject, Sendable {
    struct State: Sendable {
        var queue = StoreKit1Queue<ObjectIdentifier, SKPaymentTransaction, HeldPayment>()
        /// Decides about payments begun in the App Store in the place of the policy.
        var storePaymentHandler: (@Sendable (SKPayment, SKProduct) -> Bool)?
        /// Processes StoreKit's reports, by calling its argument.
        var processReport: ReportProcessor?
    }

    /// An event, and the functions that receive it. Not a tuple, because `Locked` would wrap its functions.
    private struct Report: Sendable {
        let event: QueueEvent
        let receive: (@Sendable (QueueEvent) -> Void)?
        let process: ReportProcessor?
    }

    private let queue: SKPaymentQueue
    let state = Locked(State())

    init(queue: SKPaymentQueue) {
        self.queue = queue
    }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        state.withLock { $0.queue.receive = receive }
    }

    func deactivate() {
        state.withLock { $0.queue.receive = nil }
    }

    /// Reports all transactions in the queue.
    func reportQueue() {
        let transactions = queue.transactions
        if !transactions.isEmpty { report(transactions) }
    }

    /// The greatest token, after everything in the queue has one.
    func newestToken() -> TransactionToken {
        let transactions = queue.transactions
        return state.withLock { state in
            // The counts nearly always agree. Then no transaction has to be examined.
            if state.queue.count != transactions.count {
                for transaction in transactions { _ = state.stamp(transaction, in: queue) }
            }
            return state.queue.newest
        }
    }

    func transaction(for token: TransactionToken) -> SKPaymentTransaction? {
        state.withLock { $0.queue.object(for: token) }
    }

    /// The objects of transactions that are in the queue, or whose removal is still being reported.
    func objects(for tokens: [TransactionToken]) -> [SKPaymentTransaction?] {
        state.withLock { state in tokens.map { state.queue.lastObject(for: $0) } }
    }

    func forget(_ tokens: [TransactionToken]) {
        state.withLock { $0.queue.forget(tokens) }
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
        // Created under the lock, and passed on outside.
        let report = report { state in .updatedTransactions(transactions.map { state.stamp($0, in: queue) }) }
        report.receive?(report.event)
    }

    /// Passes on an event that StoreKit reports.
    func send(_ event: (inout State) -> QueueEvent) {
        let report = report(event)
        guard let receive = report.receive else { return }
        if let process = report.process { process { receive(report.event) } } else { receive(report.event) }
    }

    private func report(_ event: (inout State) -> QueueEvent) -> Report {
        state.withLock { state in
            Report(event: event(&state), receive: state.queue.receive, process: state.processReport)
        }
    }
}

/// Processes a report of StoreKit, by calling its argument once before it returns.
package typealias ReportProcessor = @Sendable (() -> Void) -> Void

extension PaymentQueueObserver: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        send { state in .updatedTransactions(transactions.map { state.stamp($0, in: queue) }) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        send { state in .removedTransactions(transactions.compactMap { state.remove($0, from: queue) }) }
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
    mutating func stamp(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) -> StoreTransaction {
        let description = Self.description(of: transaction)
        let token = self.queue.stamp(
            transaction, description, queue: { queue.transactions.map(ObjectIdentifier.init) })
        return StoreTransaction(transaction, payment: description.payment, token: token)
    }

    fileprivate mutating func remove(
        _ transaction: SKPaymentTransaction, from queue: SKPaymentQueue
    ) -> TransactionToken? {
        self.queue.remove(
            ObjectIdentifier(transaction), transactionID: transaction.transactionIdentifier,
            payment: PaymentRequest(transaction.paymentOrNil), hasFailed: transaction.transactionState == .failed,
            queue: { queue.transactions.map(ObjectIdentifier.init) })
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
        let (policy, value) = state.withLock {
            state -> ((@Sendable (StoreTransaction, AppStorefront) -> Bool)?, StoreTransaction) in
            (state.queue.policies.shouldContinueTransaction, state.stamp(transaction, in: paymentQueue))
        }
        let storefront = AppStorefront(countryCode: newStorefront.countryCode, id: newStorefront.identifier)
        return policy?(value, storefront) ?? true
    }
}

extension StoreKit1Backend {
    /// Replaces the policies. The queue's delegate is set only if a policy needs it.
    public func apply(_ policies: StorePolicies) {
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
