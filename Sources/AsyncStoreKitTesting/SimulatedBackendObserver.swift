import AppStoreSimulator
import AsyncStoreKit

/// Turns what the simulated queue says into events: synchronously stamped, and passed on in that order.
final class SimulatedBackendObserver: SimulatedQueueObserver {
    struct State: Sendable {
        var stamper = TransactionStamper<UInt64>()
        var entries: [TransactionToken: SimulatedTransaction.ID] = [:]
        var tokens: [SimulatedTransaction.ID: TransactionToken] = [:]
        var downloads: [TransactionToken: [SimulatedDownload.ID]] = [:]
        var hold: [PromotedPayment.ID: SimulatedPayment] = [:]
        var policies = StorePolicies()
        var receive: (@Sendable (QueueEvent) -> Void)?
    }

    let state = Locked(State())

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

    func paymentQueue(_ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct) -> Bool {
        let policy = state.withLock { $0.policies.promotedPurchase }
        let product = StoreProduct(product, SimulatedDisplay(of: launch), engine: .storeKit1)
        let request = PaymentRequest(payment)
        let decision = policy.decision(on: product)
        let id = PromotedPayment.ID()
        send { state in
            if decision == .hold { state.hold[id] = payment }
            return .promotedPayment(PromotedPayment(id: id, payment: request, product: product, decision: decision))
        }
        return decision == .continue
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront
    ) -> Bool {
        let (policy, value) = state.withLock { state -> ((@Sendable (StoreTransaction, AppStorefront) -> Bool)?, StoreTransaction) in
            (state.policies.shouldContinueTransaction, state.stamp(transaction, in: launch))
        }
        return policy?(value, AppStorefront(countryCode: storefront.countryCode, id: storefront.id)) ?? true
    }
}

extension SimulatedBackendObserver.State {
    fileprivate mutating func stamp(_ transaction: SimulatedTransaction, in launch: SimulatedLaunch) -> StoreTransaction {
        let payment = PaymentRequest(transaction.payment)
        let token = stamper.token(
            for: transaction.object, transactionID: transaction.transactionID, payment: payment,
            hasFailed: transaction.state == .failed,
            queue: { launch.transactions.map(\.object) })
        entries[token] = transaction.id
        if !transaction.downloads.isEmpty {
            tokens[transaction.id] = token
            downloads[token] = transaction.downloads.map(\.id)
        }
        return StoreTransaction(transaction, token: token)
    }

    /// The download as a value; `nil` when its transaction has left the queue.
    fileprivate func download(_ download: SimulatedDownload) -> StoreDownload? {
        guard let token = tokens[download.transactionID], let index = downloads[token]?.firstIndex(of: download.id) else { return nil }
        return StoreDownload(download, id: StoreDownload.ID(transaction: token, index: index))
    }

    fileprivate mutating func remove(_ transaction: SimulatedTransaction, from launch: SimulatedLaunch) -> TransactionToken? {
        let token = stamper.remove(
            transaction.object, transactionID: transaction.transactionID, payment: PaymentRequest(transaction.payment),
            hasFailed: transaction.state == .failed, queue: { launch.transactions.map(\.object) })
        if let token {
            entries[token] = nil
            downloads[token] = nil
            tokens[transaction.id] = nil
        }
        return token
    }
}
