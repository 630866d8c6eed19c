import AsyncStoreKit

/// The steps of the tutorial Selling coins, word for word, before the listener.
private enum FirstStep {
    @MainActor final class Shop {
        private(set) var products: [StoreProduct] = []
        private let store: PurchaseStore

        init(store: PurchaseStore) {
            self.store = store
        }

        func showProducts() async throws {
            products = Array(try await store.products(for: ["coins", "club"]))
        }
    }
}

private enum SecondStep {
    @MainActor final class Shop {
        private(set) var products: [StoreProduct] = []
        private(set) var coins = 0
        private let store: PurchaseStore

        init(store: PurchaseStore) {
            self.store = store
        }

        func showProducts() async throws {
            products = Array(try await store.products(for: ["coins", "club"]))
        }

        func buy(_ product: StoreProduct) async throws {
            try await store.purchase(product) { purchase in deliver(purchase) }
        }

        private func deliver(_ purchase: StorePurchase) {
            if purchase.productID == "coins" { coins += 100 * purchase.quantity }
        }
    }
}
