import AsyncStoreKit

/// An app's actor that buys, restores and delivers.
actor Vault: PurchaseDelivery {
    private let store: PurchaseStore
    private(set) var credited: [String] = []

    init(_ store: PurchaseStore) {
        self.store = store
    }

    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        for purchase in request.purchases { credit(purchase) }
        return .accepted
    }

    func buy(_ productID: String) async throws {
        try await store.purchase(productID) { purchase in
            await Task.yield()
            credit(purchase)
        }
    }

    func restore() async throws {
        try await store.restore { purchase in credit(purchase) }
    }

    private func credit(_ purchase: StorePurchase) {
        assertIsolated()
        credited.append(purchase.productID)
    }
}

/// A class that isn't `Sendable` and belongs to one task.
nonisolated final class Basket {
    private(set) var credited: [String] = []

    func buy(_ productIDs: [String], in store: PurchaseStore) async throws {
        for productID in productIDs {
            try await store.purchase(productID) { purchase in credited.append(purchase.productID) }
        }
    }
}
