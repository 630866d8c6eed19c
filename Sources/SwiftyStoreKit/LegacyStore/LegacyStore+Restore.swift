import AsyncStoreKit
import StoreKit

extension LegacyStore {
    /// See ``SwiftyStoreKit/restorePurchases(atomically:applicationUsername:completion:)``.
    package func restorePurchases(
        atomically: Bool = true, applicationUsername: String = "", completion: @escaping (RestoreResults) -> Void
    ) {
        let callback = MainCallback(completion)
        let end: @Sendable ([PurchaseRecord], StoreError?) -> Void = { [core, backend] records, failure in
            let rows = ReportedTransaction.all(records, from: backend)
            callback.send {
                RestoreResults(
                    restoredPurchases: rows.map { $0.purchase(atomically: atomically) },
                    restoreFailedPurchases: failure.map { [(SKError($0), nil)] } ?? [])
            } then: {
                // The completion delivers the purchases, so their transactions may be finished only now.
                guard atomically else { return }
                core.confirmDelivery(of: rows.filter(\.awaitsDelivery).map(\.value.token))
            }
        }
        // StoreKit 1 restores purchases of every name, and so does this function over StoreKit 2.
        let username = applicationUsername.isEmpty || engine != .storeKit1 ? nil : applicationUsername
        _ = core.restore(applicationUsername: username, style: atomically ? .closure : .plain, takesPartial: true) {
            response in
            switch response {
            case .success(let response): end(response.records, response.failure)
            case .failure(let error): end([], error)
            }
        }
    }
}
