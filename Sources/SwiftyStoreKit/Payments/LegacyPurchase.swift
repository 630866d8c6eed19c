import AsyncStoreKit
import StoreKit

/// One call of `purchaseProduct`, from the look-up of its product to its completion.
final class LegacyPurchase: Sendable {
    private struct State: Sendable {
        var isCancelled = false
        var isOver = false
    }

    private let core: StoreCore
    private let atomically: Bool
    private let callback: MainCallback<PurchaseResult>
    private let id = CallID()
    private let state = Locked(State())

    init(core: StoreCore, atomically: Bool, callback: MainCallback<PurchaseResult>) {
        self.core = core
        self.atomically = atomically
        self.callback = callback
    }

    /// Buys a product by its identifier: the place in line is taken before the product is known.
    func start(_ request: PaymentRequest) {
        if core.knows(request.productID), let product = core.storeKitBackend?.product(request.productID) {
            return submit(request, product)
        }
        core.send(.reservePayment(id))
        core.requestProducts(id, [request.productID]) { [self] answer in
            let product = core.storeKitBackend?.product(request.productID)
            switch answer {
            case .success(let response):
                guard response[request.productID] != nil, let product else {
                    return giveUp(StoreError(.productNotFound, "Invalid product id: \(request.productID)"))
                }
                submit(request, product)
            case .failure(let error):
                giveUp(error)
            }
        }
    }

    /// Puts the payment in line.
    func submit(_ request: PaymentRequest, _ product: SKProduct) {
        let reply = Reply<PurchaseAnswer> { [self] answer in end(answer, product) }
        core.send(reply) {
            .purchase(id, request, PurchaseWaiter(handling: atomically ? .closure : .store, timeout: nil, reply: $0))
        }
    }

    /// Ends the wait, in every phase: the look-up, the line, the payment.
    func cancel() {
        let isOver = state.withLock { state in
            state.isCancelled = true
            return state.isOver
        }
        guard !isOver else { return }
        core.withdrawProducts(id)
        core.send(.cancelPurchase(id))
        forgetCancellationIfOver()
    }

    private func giveUp(_ error: StoreError) {
        core.send(.withdrawPayment(id))
        markOver()
        fail(error)
    }

    private func end(_ answer: Result<PurchaseAnswer, StoreError>, _ product: SKProduct) {
        markOver()
        switch answer {
        case .success(.paid(let record)):
            let reported = ReportedTransaction(record, from: core.storeKitBackend)
            callback.send { [atomically] in
                .success(purchase: reported.purchase(of: product, atomically: atomically))
            } then: { [core, atomically] in
                // Delivered by the completion: only now may it be finished.
                if atomically, reported.awaitsDelivery { core.send(.delivered(reported.value.id, Reply { _ in })) }
            }
        case .success(.pending(_, let transaction)):
            let reported = ReportedTransaction(transaction, from: core.storeKitBackend)
            callback.send { [atomically] in .deferred(purchase: reported.purchase(of: product, atomically: atomically)) }
        case .success(.userCancelled(let error)), .failure(let error):
            fail(error)
        }
    }

    private func fail(_ error: StoreError) {
        callback.send { .error(error: SKError(error)) }
    }

    // A cancellation that comes too late would be remembered for ever. Whichever of the two comes second sees the other.

    private func markOver() {
        let isCancelled = state.withLock { state in
            state.isOver = true
            return state.isCancelled
        }
        if isCancelled { core.send(.forgetCancellation(id)) }
    }

    private func forgetCancellationIfOver() {
        if state.withLock({ $0.isOver }) { core.send(.forgetCancellation(id)) }
    }
}
