import AsyncStoreKit

/// An app's model as most apps write it: on the main actor, with a delivery of its own, loops and callbacks.
@MainActor final class Wallet: PurchaseDelivery {
    private let store: PurchaseStore
    private var listeners: [Task<Void, Never>] = []
    private var calls: [StoreCall] = []
    private(set) var credited: [String] = []
    private(set) var waiting: [String] = []
    private(set) var hasPro = false
    private(set) var message: String?

    init(_ store: PurchaseStore) {
        self.store = store
    }

    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        for purchase in request.purchases { credit(purchase) }
        return .accepted
    }

    func startDelivering() {
        store.setDelivery(self)
    }

    func listen() {
        listeners = [
            Task {
                for await purchase in store.transactions where !purchase.isHandledElsewhere {
                    credit(purchase)
                    await purchase.finish()
                }
            },
            Task { for await pending in store.pendingPurchases { waiting = pending.map(\.productID) } },
            Task { for await entitlements in store.entitlements { hasPro = entitlements.contains("pro") } },
            Task { for await intent in store.purchaseIntents { await resume(intent) } },
        ]
    }

    func stop() {
        for listener in listeners { listener.cancel() }
        for call in calls { call.cancel() }
    }

    func buy(_ productID: String) async {
        do {
            try await store.purchase(productID) { purchase in credit(purchase) }
        } catch {
            message = error.localizedDescription
        }
    }

    func buy(_ product: StoreProduct) async throws {
        try await store.purchase(product, options: [.quantity(2)]) { purchase in
            await Task.yield()
            credit(purchase)
        }
    }

    func restore() async throws {
        try await store.restore { purchase in credit(purchase) }
    }

    func prices() async throws -> [String] {
        let products = try await store.products(for: ["coins", "pro"])
        return products.map(\.displayPrice)
    }

    func buyWithCallback(_ productID: String, completion: @escaping @MainActor () -> Void) {
        calls.append(
            store.callbacks.purchase(productID) { [weak self] result in
                if case .success(.success(let purchase)) = result { self?.credit(purchase) }
                completion()
            })
        calls.append(store.callbacks.onEntitlements { [weak self] in self?.hasPro = $0.contains("pro") })
    }

    private func resume(_ intent: StorePurchaseIntent) async {
        do {
            try await intent.purchase { purchase in credit(purchase) }
        } catch {
            message = error.message
        }
    }

    private func credit(_ purchase: StorePurchase) {
        MainActor.assertIsolated()
        credited.append(purchase.productID)
    }
}
