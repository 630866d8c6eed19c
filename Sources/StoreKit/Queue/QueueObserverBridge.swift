import AppStoreSimulator

/// Forwards the events of the simulated queue to one observer of an ``SKPaymentQueue``.
// @unchecked because: only the initializer sets the weak references.
final class QueueObserverBridge: SimulatedQueueObserver, @unchecked Sendable {
    private weak var queue: SKPaymentQueue?
    private(set) weak var observer: (any SKPaymentTransactionObserver)?
    private let registry: TransactionRegistry

    init(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue, registry: TransactionRegistry) {
        self.observer = observer
        self.queue = queue
        self.registry = registry
    }

    func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent) {
        guard let queue, let observer else { return }
        switch event {
        case .updatedTransactions(let reports):
            observer.paymentQueue(queue, updatedTransactions: reports.map { registry.object(reporting: $0) })
        case .removedTransactions(let reports):
            let objects = reports.map { registry.object(reporting: $0) }
            registry.remove(reports)
            observer.paymentQueue(queue, removedTransactions: objects)
        case .restoreFinished:
            observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        case .restoreFailed(let error):
            observer.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error.foundationError)
        case .updatedDownloads(let downloads):
            let objects = downloads.compactMap { registry.object(reporting: $0) }
            guard !objects.isEmpty else { return }
            observer.paymentQueue(queue, updatedDownloads: objects)
        case .revokedEntitlements(let productIDs):
            observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: productIDs)
        case .changedStorefront:
            observer.paymentQueueDidChangeStorefront(queue)
        }
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct
    ) -> Bool {
        guard let queue, let observer else { return false }
        let object = SKProduct(product, localeIdentifier: launch.store.localeIdentifier, storefront: launch.storefront)
        return observer.paymentQueue(queue, shouldAddStorePayment: SKPayment(payment), for: object)
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront
    )
        -> Bool
    {
        // The queue has one delegate but may have many observers: only the first observer's bridge asks the delegate.
        guard let queue, queue.isFirst(self), let delegate = queue.delegate else { return true }
        return delegate.paymentQueue(
            queue, shouldContinue: registry.object(for: transaction.id) { transaction }, in: SKStorefront(storefront))
    }
}
