import AsyncStoreKit
import StoreKit

extension LegacyStore {
    /// See ``SwiftyStoreKit/completeTransactions(atomically:completion:)``.
    package func completeTransactions(atomically: Bool = true, completion: @escaping ([Purchase]) -> Void) {
        guard handlers.withLock({ $0.takeFirst(\.completesTransactions) }) else {
            return log(
                .warning,
                "completeTransactions uses the closure of its first call and ignores this call. Call completeTransactions "
                    + "once, at launch. To observe transactions in several parts of an app, iterate over "
                    + "SwiftyStoreKit.store.transactions in each part.")
        }
        let callback = MainCallback(completion)
        let hasObjects = backend != nil
        _ = core.onBatch { [weak core, weak backend] records in
            // The backend was deallocated.
            guard !hasObjects || backend != nil else { return }
            let batch = ReportedTransaction.all(records, from: backend)
            callback.send {
                batch.map { $0.purchase(atomically: atomically) }
            } then: { [weak core] in
                // The completion delivers the purchases, so their transactions may be finished only now.
                guard atomically else { return }
                core?.confirmDelivery(of: batch.filter(\.awaitsDelivery).map(\.value.token))
            }
        }
    }

    /// See ``SwiftyStoreKit/onEntitlementRevocation(completion:)``.
    package func onEntitlementRevocation(completion: @escaping ([String]) -> Void) {
        guard handlers.withLock({ $0.takeFirst(\.observesRevocations) }) else {
            return log(
                .warning,
                "onEntitlementRevocation uses the closure of its first call and ignores this call. To observe revocations in "
                    + "several parts of an app, iterate over SwiftyStoreKit.store.revocations in each part.")
        }
        let callback = MainCallback(completion)
        _ = core.onRevocation { [weak core] revocation in
            callback.send {
                revocation.productIDs.sorted()
            } then: { [weak core] in
                core?.acknowledging(revocation)
            }
        }
    }

    /// See ``SwiftyStoreKit/finishTransaction(_:)``.
    package func finishTransaction(_ transaction: any PaymentTransaction) {
        switch transaction {
        case is FrozenTransaction: logRefusal()
        case let object as SKPaymentTransaction: finish(object)
        case let value as ValueTransaction:
            if let token = value.token { core.finish(token, logFailure(of: "Finishing a transaction")) }
        default:
            log(
                .warning,
                "finishTransaction(_:) ignores a value of type \(type(of: transaction)). Pass a transaction that "
                    + "SwiftyStoreKit returned.")
        }
    }

    /// Finishes a transaction object: one that this module has returned, or one that the app got from StoreKit.
    private func finish(_ object: SKPaymentTransaction) {
        // Read before the call is processed. A transaction that is approved in the meantime isn't delivered yet.
        let isFinal = [.purchased, .restored, .failed].contains(object.transactionState)
        guard let backend else { return finishBesideStore(object, id: object.transactionIdentifier, isFinal: isFinal) }
        guard isFinal, let token = backend.token(for: object) else { return logRefusal() }
        core.finish(token, logFailure(of: "Finishing a transaction"))
    }

    /// Finishes an object of the payment queue while the store uses StoreKit 2, which has a transaction of its own with
    /// the same identifier.
    private func finishBesideStore(_ object: SKPaymentTransaction, id: String?, isFinal: Bool) {
        core.unfinishedTransactions { [weak self] transactions in
            guard let self else { return }
            if let id, let transaction = transactions.first(where: { $0.id == id }) {
                return core.finish(transaction.token, logFailure(of: "Finishing a transaction"))
            }
            if isFinal, let queue = requests?.backend.environment.queue,
                queue.transactions.contains(where: { $0 === object })
            {
                return queue.finishTransaction(object)
            }
            log(
                .error,
                "finishTransaction(_:) can't finish the transaction \(id ?? "without an identifier"): it isn't in the "
                    + "payment queue, or isn't paid yet. Pass a transaction that SwiftyStoreKit returned.")
        }
    }

    private func logRefusal() {
        log(.debug, "The transaction to finish is no longer in the payment queue, or waits for approval.")
    }
}
