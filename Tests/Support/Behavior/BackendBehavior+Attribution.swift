import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting

extension BackendBehavior {
    static let attribution: [BackendBehavior] = [
        BackendBehavior("an old unfinished transaction doesn't answer a new purchase of the product") { world in
            let first = world.launch()
            let old = try world.success(try await first.purchase(StoreWorld.coins))
            let store = world.launch()
            let new = try world.success(try await store.purchase(StoreWorld.coins))
            try world.expect(new.transaction.id != old.transaction.id, "the old transaction answered")
            try world.expect(!new.isPreexisting, "the purchase is marked as preexisting")
            let updates = StreamListener(store.transactions)
            // StoreKit 2 may list the new transaction before the old one, if the list is read after the purchase.
            var offered = try await world.next(of: updates)
            if offered.transaction.id == new.transaction.id { offered = try await world.next(of: updates) }
            try world.expect(offered.transaction.id, is: old.transaction.id, "the offered transaction")
            await offered.finish()
            await new.finish()
            try await world.expectFinished(store)
        },
        BackendBehavior(
            "an older transaction that StoreKit answers with is marked as preexisting", requires: [.unattributedAnswers]
        ) { world in
            let first = world.launch()
            let old = try world.success(try await first.purchase(StoreWorld.pro))
            let store = world.launch()
            try await world.settle(store)
            let product = try await store.products(for: [StoreWorld.pro]).products[0]
            world.appStore.setNextPurchaseOutcome(.returnsUnfinishedTransaction)
            async let outcome = store.purchase(product)
            // A duplicate report restarts the wait, at any time until its end.
            let waits = Task {
                while true {
                    try await world.clock.waitForSleepers(1, duration: 3)
                    world.clock.advance(by: 3)
                }
            }
            defer { waits.cancel() }
            let purchase = try world.success(try await outcome)
            try world.expect(purchase.isPreexisting, "the purchase isn't marked as preexisting")
            try world.expect(purchase.transaction.id, is: old.transaction.id, "the answer")
            await purchase.finish()
            try await world.expectFinished(store)
        },
        .finishing(
            "payments for one product with different quantities and users get their own answers", requires: [.userNames]
        ) { world, store in
            async let one = store.purchase(StoreWorld.coins, options: .init(quantity: 1, account: .username("one")))
            async let five = store.purchase(
                StoreWorld.coins, options: .init(quantity: 5, account: .username("five")))
            let purchases = (try world.success(try await one), try world.success(try await five))
            try world.expect(purchases.0.quantity, is: 1, "the first quantity")
            try world.expect(purchases.1.quantity, is: 5, "the second quantity")
            await purchases.0.finish()
            await purchases.1.finish()
        },
        .finishing("a transaction that another observer removes ends the wait", requires: [.removals]) { world, store in
            world.appStore.setNextPurchaseOutcome(.removed)
            try await world.expectError(.transactionRemoved) { _ = try await store.purchase(StoreWorld.coins) }
            try await store.purchase(StoreWorld.coins) { _ in }
        },
        .finishing("a purchase of an owned product is answered as purchased or restored") { world, store in
            try await store.purchase(StoreWorld.pro) { _ in }
            try await world.settle(store)
            let again = try world.success(try await store.purchase(StoreWorld.pro))
            try world.expect(again.productID, is: StoreWorld.pro, "the product")
            await again.finish()
        },
        BackendBehavior("canceling ends the wait, and the transaction arrives on the stream") { world in
            world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true), for: StoreWorld.coins)
            let store = world.launch()
            let waiting = Task { try await store.purchase(StoreWorld.coins) }
            try await world.untilInFlight(store)
            let queued = Task { try await store.purchase(StoreWorld.news) }
            try await world.untilWaiting(store)
            queued.cancel()
            try await world.expectError(.taskCancelled) { _ = try await queued.value }
            waiting.cancel()
            try await world.expectError(.taskCancelled) { _ = try await waiting.value }
            try await store.purchase(StoreWorld.pro) { _ in }
            try await world.settle(store)
            try world.expect(
                world.appStore.allTransactions().map(\.productID), is: [StoreWorld.pro], "the purchases")
        },
    ]
}

extension StoreWorld {
    /// Waits until StoreKit is processing a payment.
    package func untilInFlight(_ store: PurchaseStore) async throws {
        try await until("a payment to be in flight", store) { $0.inFlight != nil }
        try await settle(store)
    }

    /// Waits until a payment is waiting for earlier ones.
    package func untilWaiting(_ store: PurchaseStore) async throws {
        try await until("a payment to wait for earlier ones", store) { $0.waitingPayments > 0 }
    }
}
