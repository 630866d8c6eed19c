import AsyncStoreKit
import StoreKit

extension LegacyStore {
    /// See ``SwiftyStoreKit/completeTransactions(atomically:completion:)``.
    package func completeTransactions(atomically: Bool = true, completion: @escaping ([Purchase]) -> Void) {
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
        let callback = MainCallback(completion)
        _ = core.onRevocation { revocation in callback.send { revocation.productIDs.sorted() } }
    }

    /// See ``SwiftyStoreKit/finishTransaction(_:)``.
    package func finishTransaction(_ transaction: any PaymentTransaction) {
        switch transaction {
        case let object as SKPaymentTransaction:
            guard !(object is DepartedTransaction), let token = backend?.token(for: object) else {
                return core.log(.debug, "A transaction that is to be finished is not in the queue any more.")
            }
            core.finish(token, logged("Finishing a transaction"))
        case let value as ValueTransaction:
            if let token = value.token { core.finish(token, logged("Finishing a transaction")) }
        default:
            core.log(.warning, "What is to be finished is no transaction of StoreKit's: \(type(of: transaction)).")
        }
    }
}
