import AsyncStoreKit
import StoreKit

extension LegacyStore {
    /// See ``SwiftyStoreKit/restorePurchases(atomically:applicationUsername:completion:)``.
    package func restorePurchases(
        atomically: Bool = true, applicationUsername: String = "", completion: @escaping (RestoreResults) -> Void
    ) {
        let callback = MainCallback(completion)
        let end: @Sendable ([TransactionRecord], StoreError?) -> Void = { [core] records, failure in
            let rows = records.map { ReportedTransaction($0, from: core.storeKitBackend) }
            callback.send {
                RestoreResults(
                    restoredPurchases: rows.map { $0.purchase(atomically: atomically) },
                    restoreFailedPurchases: failure.map { [(SKError($0), nil)] } ?? [])
            } then: {
                // Delivered by the completion: only now may they be finished.
                guard atomically else { return }
                for row in rows where row.awaitsDelivery { core.send(.delivered(row.value.id, Reply { _ in })) }
            }
        }
        let reply = Reply<RestoreAnswer> { answer in
            switch answer {
            case .success(let answer): end(answer.records, answer.failure)
            case .failure(let error): end([], error)
            }
        }
        let username = applicationUsername.isEmpty ? nil : applicationUsername
        core.send(reply) {
            .restore(
                CallID(), applicationUsername: username,
                RestoreWaiter(handling: atomically ? .closure : .store, takesPartial: true, reply: $0))
        }
    }
}
