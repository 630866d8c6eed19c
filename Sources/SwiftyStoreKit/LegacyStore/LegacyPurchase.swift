import AsyncStoreKit
import StoreKit

/// What comes of one call of `purchaseProduct`, told to its completion.
struct LegacyPurchase: Sendable {
    let core: StoreCore
    let backend: StoreKit1Backend?
    let atomically: Bool
    let callback: MainCallback<PurchaseResult>

    var style: Deliverer.CallStyle { atomically ? .closure : .plain }

    /// - Parameter product: what was bought; `nil` when StoreKit does not know it.
    func end(_ response: Result<PurchaseResponse, StoreError>, _ product: SKProduct?) {
        switch (response, product) {
        case (.success(.paid(let record)), let product?):
            let reported = ReportedTransaction(record.transaction, isDelivered: record.isDelivered, from: backend)
            callback.send { [atomically] in
                .success(purchase: reported.purchase(of: product, atomically: atomically))
            } then: { [core, atomically] in
                // Delivered by the completion: only now may it be finished.
                if atomically, reported.awaitsDelivery { core.confirmDelivery(of: [reported.value.token]) }
            }
        case (.success(.pending(_, let transaction)), let product?):
            let reported = ReportedTransaction(transaction, from: backend)
            callback.send { [atomically] in .deferred(purchase: reported.purchase(of: product, atomically: atomically)) }
        case (.success(.userCancelled(let error)), _), (.failure(let error), _):
            fail(error)
        case (.success, nil):
            fail(StoreError(.unknown, "StoreKit does not know the product of its own transaction."))
        }
    }

    func fail(_ error: StoreError) {
        callback.send { .error(error: SKError(error)) }
    }
}
