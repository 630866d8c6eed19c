import AsyncStoreKit
import StoreKit

extension LegacyStore {
    /// See ``SwiftyStoreKit/completeTransactions(atomically:completion:)``.
    package func completeTransactions(atomically: Bool = true, completion: @escaping ([Purchase]) -> Void) {
        guard handlers.withLock({ $0.takeFirst(\.completesTransactions) }) else {
            return log(
                .warning,
                """
                completeTransactions keeps the closure of its first call, and ignores this one. Call it once, at launch. Several parts of \
                an app can each iterate over the transactions of the store underneath.
                """)
        }
        let callback = MainCallback(completion)
        let hasObjects = backend != nil
        _ = core.onBatch { [weak core, weak backend] records in
            // The store is gone.
            guard !hasObjects || backend != nil else { return }
            let batch = ReportedTransaction.all(records, from: backend)
            callback.send {
                batch.map { $0.purchase(atomically: atomically) }
            } then: { [weak core] in
                // Delivered by the completion: only now may they be finished.
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
                """
                onEntitlementRevocation keeps the closure of its first call, and ignores this one. Several parts of an app can each \
                iterate over the revocations of the store underneath.
                """)
        }
        let callback = MainCallback(completion)
        _ = core.onRevocation { revocation in callback.send { revocation.productIDs.sorted() } }
    }

    /// See ``SwiftyStoreKit/finishTransaction(_:)``.
    package func finishTransaction(_ transaction: any PaymentTransaction) {
        switch transaction {
        case let object as SKPaymentTransaction:
            guard !(object is RemovedTransaction), let token = backend?.token(for: object) else {
                return log(.debug, "A transaction that is to be finished is not in the queue any more.")
            }
            core.finish(token, logged("Finishing a transaction"))
            takeEffect()
        case let value as ValueTransaction:
            if let token = value.token { core.finish(token, logged("Finishing a transaction")) }
            takeEffect()
        default:
            log(.warning, "finishTransaction(_:) needs a transaction of StoreKit, and got a \(type(of: transaction)).")
        }
    }
}
