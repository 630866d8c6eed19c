import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The steps of the tutorial Selling coins, word for word, with the listener and the tests.
@Suite(.bounded) struct SellingCoinsTests {
    @MainActor final class Shop {
        private(set) var products: [StoreProduct] = []
        private(set) var coins = 0 { didSet { changed.yield(coins) } }
        /// Every new balance.
        let balances: AsyncStream<Int>
        private let changed: AsyncStream<Int>.Continuation
        private let store: PurchaseStore
        private var delivered: Set<String> = []

        init(store: PurchaseStore) {
            self.store = store
            (balances, changed) = AsyncStream.makeStream(of: Int.self)
        }

        func showProducts() async throws {
            products = Array(try await store.products(for: ["coins", "club"]))
        }

        func buy(_ product: StoreProduct) async throws {
            try await store.purchase(product) { purchase in deliver(purchase) }
        }

        func listen() async {
            for await purchase in store.transactions {
                deliver(purchase)
                await purchase.finish()
            }
        }

        private func deliver(_ purchase: StorePurchase) {
            guard delivered.insert(purchase.deliveryKey).inserted else { return }
            if purchase.productID == "coins" { coins += 100 * purchase.quantity }
        }
    }

    @MainActor struct ShopTests {
        let appStore = SimulatedAppStore(products: [
            .consumable("coins", price: 1), .autoRenewable("club", price: 5, period: .month(1), group: "club"),
        ])

        @Test func `a purchase of coins adds coins`() async throws {
            let shop = Shop(store: PurchaseStore(backend: SimulatedBackend(appStore)))
            try await shop.showProducts()
            #expect(shop.products.map(\.displayPrice) == ["$1.00", "$5.00"])
            try await shop.buy(#require(shop.products.first))
            #expect(shop.coins == 100)
        }

        @Test func `coins arrive after a parent approves`() async throws {
            let shop = Shop(store: PurchaseStore(backend: SimulatedBackend(appStore)))
            try await shop.showProducts()
            let listening = Task { await shop.listen() }
            defer { listening.cancel() }
            appStore.behavior.askToBuyEnabled = true
            try await shop.buy(#require(shop.products.first))
            #expect(shop.coins == 0)
            try appStore.approvePurchase(of: "coins")
            var balances = shop.balances.makeAsyncIterator()
            #expect(await balances.next() == 100)
        }
    }
}

@Suite(.bounded) struct SellingCoinsFirstTests {
    private typealias Shop = SellingCoinsTests.Shop

    @MainActor struct ShopTests {
        let appStore = SimulatedAppStore(products: [
            .consumable("coins", price: 1), .autoRenewable("club", price: 5, period: .month(1), group: "club"),
        ])

        @Test func `a purchase of coins adds coins`() async throws {
            let shop = Shop(store: PurchaseStore(backend: SimulatedBackend(appStore)))
            try await shop.showProducts()
            #expect(shop.products.map(\.displayPrice) == ["$1.00", "$5.00"])
            try await shop.buy(#require(shop.products.first))
            #expect(shop.coins == 100)
        }
    }
}
