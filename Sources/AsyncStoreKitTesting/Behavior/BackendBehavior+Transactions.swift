import AppStoreSimulator
import AsyncStoreKit

extension BackendBehavior {
    static let transactions: [BackendBehavior] = [
        BackendBehavior("what was left unfinished is offered in the next launch, and stays until it is finished") { world in
            let first = world.launch()
            let left = try world.success(try await first.purchase(BehaviorWorld.pro))
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
        BackendBehavior("what is bought elsewhere is on every subscriber's stream, once") { world in
            let store = world.launch()
            let one = StreamListener(store.transactions)
            let other = StreamListener(store.transactions)
            try world.appStore.buyProduct(productID: BehaviorWorld.pro)
            try await world.settle(store)
            try world.appStore.buyProduct(productID: BehaviorWorld.news)
            try await world.settle(store)
            for productID in [BehaviorWorld.pro, BehaviorWorld.news] {
                let first = try await world.next(of: one)
                try world.expect(first.transaction.productID, is: productID, "the one's next")
                let second = try await world.next(of: other)
                try world.expect(second.transaction.productID, is: productID, "the other's next")
                await first.finish()
                await second.finish()
            }
            try await world.expectFinished(store)
        },
        BackendBehavior("what comes before the first subscriber is held for it") { world in
            let store = world.launch()
            try world.appStore.buyProduct(productID: BehaviorWorld.pro)
            try await world.until("it to be held", store) { $0.held.map(\.reason) == [.offered] }
            let updates = StreamListener(store.transactions)
            try await world.next(of: updates).finish()
            try await world.expectFinished(store)
        },
        BackendBehavior("a closure that throws leaves its transaction unfinished, and on the stream") { world in
            struct NotDelivered: Error {}
            let store = world.launch()
            let updates = StreamListener(store.transactions)
            try await world.expectError(.deliveryFailed) { try await store.purchase(BehaviorWorld.pro) { _ in throw NotDelivered() } }
            let update = try await world.next(of: updates)
            try world.expect(update.transaction.productID, is: BehaviorWorld.pro, "offered")
            await update.finish()
            try await world.expectFinished(store)
        },
        BackendBehavior("an observing store finishes nothing") { world in
            let store = world.launch(mode: .observing)
            try await store.purchase(BehaviorWorld.pro) { _ in }
            world.appStore.setNextPurchaseOutcome(.failed(.paymentNotAllowed))
            try await world.expectError(.purchaseNotAllowed) { _ = try await store.purchase(BehaviorWorld.news) }
            try await world.settle(store)
            try world.expect(world.appStore.allTransactions().allSatisfy { !$0.isFinished }, "something was finished")
        },
        BackendBehavior("finishing what cannot be finished says why, and loses nothing") { world in
            let store = world.launch()
            let other = PurchaseStore(over: UnreachableBackend())
            let purchase = try world.success(try await store.purchase(BehaviorWorld.pro))
            try await world.expectError(.unknownTransaction) { try await other.finish(purchase.transaction) }
            try await store.finish(purchase.transaction)
            // What is reported twice is finished twice, and who finishes it meanwhile waits for that.
            try await world.expectFinished(store)
            try await world.expectError(.transactionFinished) { try await store.finish(purchase.transaction) }
        },
        BackendBehavior("a transaction finished by another library is gone, and nobody waits for it", requires: [.removals]) { world in
            let store = world.launch()
            _ = try await store.purchase(BehaviorWorld.pro)
            try await world.settle(store)
            for record in world.appStore.allTransactions() { world.appStore.finishFromAnotherObserver(record.id) }
            try await world.expectFinished(store)
        },
        BackendBehavior("what is finished and reported again is finished again") { world in
            let store = world.launch()
            world.appStore.behavior.finishingFails = true
            try await store.purchase(BehaviorWorld.pro) { _ in }
            try await world.settle(store)
            world.appStore.behavior.finishingFails = false
            let next = world.launch()
            let updates = StreamListener(next.transactions)
            try await world.next(of: updates).finish()
            try await world.expectFinished(next)
        },
    ]
}
