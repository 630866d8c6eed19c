import AsyncStoreKit
import StoreKit

/// Sends the result of one call of `purchaseProduct` to its completion.
struct LegacyPurchase: Sendable {
    let core: StoreCore
    let backend: StoreKit1Backend?
    let atomically: Bool
    let callback: MainCallback<PurchaseResult>

    var style: Deliverer.CallStyle { atomically ? .closure : .plain }

    /// Sends a response to the completion, and finishes an atomic purchase after the completion has returned.
    ///
    /// - Parameters:
    ///   - response: The response of the store.
    ///   - product: The product of the purchase; `nil` if StoreKit doesn't know the product.
    func complete(_ response: Result<PurchaseResponse, StoreError>, _ product: SKProduct?) {
        switch (response, product) {
        case (.success(.paid(let record)), let product?):
            let reported = ReportedTransaction(
                record.transaction, isDelivered: record.isHandledElsewhere, from: backend)
            callback.send { [atomically] in
                .success(purchase: reported.purchase(of: product, atomically: atomically))
            } then: { [core, atomically] in
                // The completion delivers the product, so the transaction may be finished only now.
                if atomically, reported.awaitsDelivery { core.confirmDelivery(of: [reported.value.token]) }
            }
        case (.success(.pending(_, let transaction)), let product?):
            let reported = ReportedTransaction(transaction, from: backend)
            callback.send { [atomically] in .deferred(purchase: reported.purchase(of: product, atomically: atomically))
            }
        case (.success(.userCancelled(let error)), _), (.failure(let error), _):
            fail(error)
        case (.success, nil):
            fail(StoreError(.unknown, "StoreKit returned no product for the transaction."))
        }
    }

    /// Sends an error to the completion.
    func fail(_ error: StoreError) {
        callback.send { .error(error: SKError(error)) }
    }
}
