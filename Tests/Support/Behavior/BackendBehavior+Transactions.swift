import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

extension BackendBehavior {
    static let transactions: [BackendBehavior] = [
        BackendBehavior("an unfinished transaction is offered in every launch until it's finished") { world in
            let first = world.launch()
            let left = try world.success(try await first.purchase(StoreWorld.pro))
            for _ in 0..<2 {
                let store = world.launch()
                let updates = StreamListener(store.transactions)
                let update = try await world.next(of: updates)
                try world.expect(update.transaction.id, is: left.transaction.id, "offered")
            }
            let last = world.launch()
            let updates = StreamListener(last.transactions)
            try await world.next(of: updates).finish()
            try await world.expectFinished(last)
            let after = world.launch()
            try await world.expectFinished(after)
        },
        .finishing("every subscriber receives a purchase on another device once") { world, store in
            let one = StreamListener(store.transactions)
            let other = StreamListener(store.transactions)
            try world.appStore.buyProduct(productID: StoreWorld.pro)
            try await world.settle(store)
            try world.appStore.buyProduct(productID: StoreWorld.news)
            try await world.settle(store)
            for productID in [StoreWorld.pro, StoreWorld.news] {
                let first = try await world.next(of: one)
                try world.expect(first.transaction.productID, is: productID, "the first subscriber's element")
                let second = try await world.next(of: other)
                try world.expect(second.transaction.productID, is: productID, "the second subscriber's element")
                await first.finish()
                await second.finish()
            }
        },
        .finishing("transactions are held for the first subscriber") { world, store in
            try world.appStore.buyProduct(productID: StoreWorld.pro)
            try await world.until("the transaction to be held", store) { $0.held.map(\.reason) == [.offered] }
            let updates = StreamListener(store.transactions)
            try await world.next(of: updates).finish()
        },
        BackendBehavior("if the closure throws, its transaction stays unfinished and is on the stream") { world in
            struct NotDelivered: Error {}
            let store = world.launch()
            let updates = StreamListener(store.transactions)
            try await world.expectError(.deliveryFailed) {
                try await store.purchase(StoreWorld.pro) { _ in throw NotDelivered() }
            }
            let update = try await world.next(of: updates)
            try world.expect(update.transaction.productID, is: StoreWorld.pro, "offered")
            await update.finish()
            try await world.expectFinished(store)
        },
        BackendBehavior("an observing store doesn't finish transactions") { world in
            let store = world.launch(mode: .observing)
            try await store.purchase(StoreWorld.pro) { _ in }
            world.appStore.setNextPurchaseOutcome(.failed(.purchaseNotAllowed))
            try await world.expectError(.purchaseNotAllowed) { _ = try await store.purchase(StoreWorld.news) }
            try await world.settle(store)
            try world.expect(
                world.appStore.allTransactions().allSatisfy { !$0.isFinished }, "a transaction was finished")
        },
        .launching("finishing an unknown or finished transaction throws an error with the reason") { world, store in
            let other = PurchaseStore(over: UnreachableBackend())
            let purchase = try world.success(try await store.purchase(StoreWorld.pro))
            try await world.expectError(.unknownTransaction) { try await other.finish(purchase.transaction) }
            try await store.finish(purchase.transaction)
            // A transaction that is reported twice is finished twice, and a concurrent call waits for the second
            // finish.
            try await world.expectFinished(store)
            try await world.expectError(.transactionFinished) { try await store.finish(purchase.transaction) }
        },
        .finishing("a transaction that another library finished is no longer unfinished", requires: [.removals]) {
            world, store in
            _ = try await store.purchase(StoreWorld.pro)
            try await world.settle(store)
            for record in world.appStore.allTransactions() { world.appStore.finishFromAnotherObserver(record.id) }
        },
        BackendBehavior("a finished transaction that is reported again is finished again") { world in
            let store = world.launch()
            world.appStore.behavior.finishingFails = true
            try await store.purchase(StoreWorld.pro) { _ in }
            try await world.settle(store)
            world.appStore.behavior.finishingFails = false
            let next = world.launch()
            let updates = StreamListener(next.transactions)
            try await world.next(of: updates).finish()
            try await world.expectFinished(next)
        },
    ]
}
