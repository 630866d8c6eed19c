#if !canImport(Darwin)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting
    import StoreKit
    import SwiftyStoreKit
    import Testing

    @Suite("Old API: beside the new one")
    struct SideBySideTests {
        private let world = LegacyWorld()

        @Test("what one of them buys, the other does not hear of, and the queue sells it once")
        func purchases() async throws {
            let legacy = world.launch()
            let unasked = Answers<[Purchase]>()
            legacy.completeTransactions(completion: unasked.completion())
            let updates = StreamListener(legacy.store.transactions)
            let new = Task { try await legacy.store.purchase(LegacyWorld.pro) { _ in } }
            #expect(await world.buy(LegacyWorld.coins, of: legacy).success?.productId == LegacyWorld.coins)
            guard case .success(let purchase) = try await new.value else {
                Issue.record("not bought")
                return
            }
            #expect(purchase.productID == LegacyWorld.pro)
            #expect(await world.queue(of: legacy).isEmpty)
            #expect(unasked.count == 0)
            try world.appStore.buyProduct(productIdentifier: LegacyWorld.news)
            #expect(await updates.next()?.transaction.productID == LegacyWorld.news, "an earlier one was offered")
            #expect(world.appStore.allTransactions().count == 3)
        }

        @Test("what nobody asked for is told to both, once each, and finished once")
        func unasked() async throws {
            let legacy = world.launch()
            let old = Answers<[Purchase]>()
            legacy.completeTransactions(atomically: false, completion: old.completion())
            let updates = StreamListener(legacy.store.transactions)
            try world.appStore.buyProduct(productIdentifier: LegacyWorld.pro)
            let purchase = try #require(await old.next().first)
            let update = try #require(await updates.next())
            #expect(purchase.transaction.transactionIdentifier == update.transaction.transactionID)
            await update.finish()
            legacy.finishTransaction(purchase.transaction)
            #expect(await world.queue(of: legacy).isEmpty)
            #expect(old.count == 1)
        }

        @Test("a delivery of the new API that failed is offered to the old one")
        func failedDelivery() async throws {
            struct Refusal: Error {}
            let legacy = world.launch()
            let old = Answers<[Purchase]>()
            legacy.completeTransactions(completion: old.completion())
            await #expect(throws: StoreError.self) {
                try await legacy.store.purchase(LegacyWorld.pro) { _ in throw Refusal() }
            }
            #expect(await old.next().map(\.productId) == [LegacyWorld.pro])
            #expect(await world.queue(of: legacy).isEmpty)
        }

        @Test("one restore at a time, whichever API asks")
        func restores() async throws {
            let legacy = try await world.owning([LegacyWorld.pro])
            world.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 0)
            legacy.restorePurchases { _ in }
            await #expect {
                _ = try await legacy.store.restore()
            } throws: {
                ($0 as? StoreError)?.code == .restoreInProgress
            }
        }

        @Test("over a backend that is not StoreKit's every call ends all the same")
        func anotherBackend() async throws {
            let legacy = LegacyStore(store: PurchaseStore(backend: SimulatedBackend(world.appStore)), backend: nil)
            #expect(await world.buy(LegacyWorld.pro, of: legacy).error != nil)
            let products = Answers<RetrieveResults>()
            _ = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: products.completion())
            #expect(await products.next().retrievedProducts.isEmpty)
            #expect(await world.restore(of: legacy).restoredPurchases.isEmpty)
        }

        @Test("without completeTransactions nothing is lost: it comes whenever somebody asks")
        func nobodyAsks() async throws {
            let legacy = world.launch()
            try world.appStore.buyProduct(productIdentifier: LegacyWorld.pro)
            #expect(await world.buy(LegacyWorld.coins, of: legacy).success != nil)
            _ = await world.restore(of: legacy)
            #expect(await world.queue(of: legacy).map(\.productID) == [LegacyWorld.pro])
            let late = Answers<[Purchase]>()
            legacy.completeTransactions(completion: late.completion())
            #expect(await late.next().map(\.productId) == [LegacyWorld.pro])
            #expect(await world.queue(of: legacy).isEmpty)
        }
    }
#endif
