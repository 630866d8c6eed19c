import AppStoreSimulator
import AsyncStoreKit

/// Turns what the simulated queue says into events: synchronously stamped, and passed on in that order.
final class SimulatedBackendObserver: SimulatedQueueObserver {
    fileprivate struct State: Sendable {
        var stamper = TransactionStamper<UInt64>()
        var entries: [TransactionToken: SimulatedTransaction.ID] = [:]
        var receive: (@Sendable (QueueEvent) -> Void)?
    }

    private let state = Locked(State())

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        state.withLock { $0.receive = receive }
    }

    func deactivate() {
        state.withLock { $0.receive = nil }
    }

    func entry(for token: TransactionToken) -> SimulatedTransaction.ID? {
        state.withLock { $0.entries[token] }
    }

    func newestToken(in launch: SimulatedLaunch) -> TransactionToken {
        let transactions = launch.transactions
        return state.withLock { state in
            if state.stamper.count != transactions.count {
                for transaction in transactions { _ = state.stamp(transaction, in: launch) }
            }
            return state.stamper.newest
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
        // Made under the lock, passed on outside it.
        let (receive, event) = state.withLock { state in (state.receive, event(&state)) }
        receive?(event)
    }

    func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent) {
        switch event {
        case .updatedTransactions(let transactions): report(transactions, in: launch)
        case .removedTransactions(let transactions):
            send { state in .removedTransactions(transactions.compactMap { state.remove($0) }) }
        case .restoreFinished: send(.restoreFinished)
        case .restoreFailed(let error): send(.restoreFailed(StoreError(error, during: "The restore")))
        case .changedStorefront: send(.storefrontChanged)
        case .updatedDownloads, .revokedEntitlements: break
        }
    }

    func paymentQueue(_ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct) -> Bool {
        false
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront
    ) -> Bool {
        true
    }
}

extension SimulatedBackendObserver.State {
    fileprivate mutating func stamp(_ transaction: SimulatedTransaction, in launch: SimulatedLaunch) -> StoreTransaction {
        let payment = PaymentRequest(transaction.payment)
        let token = stamper.token(
            for: transaction.object, transactionID: transaction.transactionIdentifier, payment: payment,
            hasFailed: transaction.state == .failed,
            queue: { launch.transactions.map(\.object) })
        entries[token] = transaction.id
        return StoreTransaction(transaction, token: token)
    }

    fileprivate mutating func remove(_ transaction: SimulatedTransaction) -> TransactionToken? {
        let token = stamper.remove(transaction.object, transactionID: transaction.transactionIdentifier)
        if let token { entries[token] = nil }
        return token
    }
}
