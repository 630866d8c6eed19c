import AppStoreSimulator
import AsyncStoreKit

/// Converts the reports of a simulated queue to events. Tokens are assigned synchronously, and events are delivered in
/// order.
final class SimulatedPaymentQueueObserver: SimulatedQueueObserver {
    struct State: Sendable {
        var queue = StoreKit1Queue<UInt64, SimulatedTransaction, SimulatedPayment>()
    }

    let state = Locked(State())

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        state.withLock { $0.queue.receive = receive }
    }

    func deactivate() {
        state.withLock { $0.queue.receive = nil }
    }

    func newestToken(in launch: SimulatedLaunch) -> TransactionToken {
        let transactions = launch.transactions
        return state.withLock { state in
            if state.queue.count != transactions.count {
                for transaction in transactions { _ = state.stamp(transaction, in: launch) }
            }
            return state.queue.newest
        }
    }

    func report(_ transactions: [SimulatedTransaction], in launch: SimulatedLaunch) {
        guard !transactions.isEmpty else { return }
        send { state in .updatedTransactions(transactions.map { state.stamp($0, in: launch) }) }
    }

    func send(_ event: QueueEvent) {
        send { _ in event }
    }

    private func send(_ event: (inout State) -> QueueEvent) {
        // Create the event under the lock, and send it after the lock is released.
        let (receive, event) = state.withLock { state in (state.queue.receive, event(&state)) }
        receive?(event)
    }

    func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent) {
        switch event {
        case .updatedTransactions(let transactions): report(transactions, in: launch)
        case .removedTransactions(let transactions):
            send { state in .removedTransactions(transactions.compactMap { state.remove($0, from: launch) }) }
        case .restoreFinished: send(.restoreFinished)
        case .restoreFailed(let error): send(.restoreFailed(StoreError(error, during: "The restore")))
        case .changedStorefront: send(.storefrontChanged)
        case .updatedDownloads(let downloads):
            send { state in .updatedDownloads(downloads.compactMap { state.download($0) }) }
        case .revokedEntitlements(let productIDs):
            send(.revokedEntitlements(PurchaseRevocation(productIDs: Set(productIDs))))
        }
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct
    ) -> Bool {
        let policy = state.withLock { $0.queue.policies.promotedPurchase }
        let product = StoreProduct(product, SimulatedDisplay(of: launch), engine: .storeKit1)
        let request = PaymentRequest(payment)
        let decision = policy.decision(on: product)
        let id = PromotedPayment.ID()
        send { state in
            if decision == .hold { state.queue.held[id] = payment }
            return .promotedPayment(
                PromotedPayment(
                    id: id, payment: request, product: product, decision: decision,
                    isContinuedByQueue: decision == .continue))
        }
        return decision == .continue
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront
    ) -> Bool {
        let (policy, value) = state.withLock {
            state -> ((@Sendable (StoreTransaction, AppStorefront) -> Bool)?, StoreTransaction) in
            (state.queue.policies.shouldContinueTransaction, state.stamp(transaction, in: launch))
        }
        return policy?(value, AppStorefront(storefront)) ?? true
    }
}

extension SimulatedPaymentQueueObserver.State {
    fileprivate mutating func stamp(_ transaction: SimulatedTransaction, in launch: SimulatedLaunch) -> StoreTransaction
    {
        let token = queue.stamp(
            transaction, Self.description(of: transaction), queue: { launch.transactions.map(\.object) })
        return StoreTransaction(transaction, token: token)
    }

    fileprivate mutating func remove(
        _ transaction: SimulatedTransaction, from launch: SimulatedLaunch
    ) -> TransactionToken? {
        queue.remove(Self.description(of: transaction), queue: { launch.transactions.map(\.object) })
    }

    /// Returns the value of a download; `nil` if its transaction has left the queue.
    fileprivate func download(_ download: SimulatedDownload) -> StoreDownload? {
        guard let token = queue.token(where: { $0.id == download.transactionID }),
            let index = queue.object(for: token)?.downloads.firstIndex(where: { $0.id == download.id })
        else { return nil }
        return StoreDownload(download, id: StoreDownload.ID(transaction: token, index: index))
    }

    private static func description(
        of transaction: SimulatedTransaction
    ) -> StoreKit1Queue<UInt64, SimulatedTransaction, SimulatedPayment>.Description {
        .init(
            identity: transaction.object, transactionID: transaction.transactionID,
            payment: PaymentRequest(transaction.payment), hasFailed: transaction.state == .failed)
    }
}
