import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

extension BackendBehavior {
    static let promotions: [BackendBehavior] = [
        .launching("a promoted purchase is held for the first subscriber, and continues once across all loops") {
            world, store in
            try world.appStore.promotePurchase(of: StoreWorld.pro)
            try await world.settle(store)
            try world.expect(world.appStore.allTransactions().isEmpty, "the purchase continued automatically")
            let first = StreamListener(store.purchaseIntents)
            let kept = try await world.next(of: first)
            // StoreKit 2 may report the intent after the first subscription, to every subscriber of that moment.
            let loops = [first, StreamListener(store.purchaseIntents)]
            try world.expect(!kept.isContinuedAutomatically, "the intent is marked as continued automatically")
            try world.expect(kept.product.id, is: StoreWorld.pro, "the promoted product")
            var delivered: [String] = []
            try await kept.purchase { delivered.append($0.productID) }
            try world.expect(delivered, is: [StoreWorld.pro], "delivered")
            try await world.expectError(.purchaseIntentAlreadyUsed) { _ = try await kept.purchase() }
            try await world.expectFinished(store)

            try world.appStore.promotePurchase(of: StoreWorld.coins)
            let seen = [try await world.next(of: loops[0]), try await world.next(of: loops[1])]
            try world.expect(seen[0].id, is: seen[1].id, "the intent of both loops")
            await (try world.success(try await seen[1].purchase())).finish()
            try await world.expectError(.purchaseIntentAlreadyUsed) { _ = try await seen[0].purchase() }
            try await world.expectFinished(store)
            try world.expect(world.appStore.allTransactions().count, is: 2, "the number of all purchases")
        },
        .launching("one of two concurrent calls continues a promoted purchase") { world, store in
            let promotions = StreamListener(store.purchaseIntents)
            try world.appStore.promotePurchase(of: StoreWorld.coins)
            let promoted = try await world.next(of: promotions)
            let calls = (0..<2).map { _ in Task { try await promoted.purchase { _ in } } }
            var refused = 0
            for call in calls {
                do {
                    _ = try await call.value
                } catch let error as StoreError {
                    try world.expect(error.code, is: .purchaseIntentAlreadyUsed, "the code of \"\(error.message)\"")
                    refused += 1
                }
            }
            try world.expect(refused, is: 1, "refused")
            try await world.expectFinished(store)
            try world.expect(world.appStore.allTransactions().count, is: 1, "the number of purchases")
        },
        .finishing("a promoted purchase continues automatically if the policy agrees") { world, store in
            let asked = Locked<[String]>([])
            store.setPolicies(
                PaymentQueuePolicies(
                    promotedPurchase: .decide { product in
                        asked.withLock { $0.append(product.id) }
                        return product.id == StoreWorld.pro ? .continue : .hold
                    }))
            let promotions = StreamListener(store.purchaseIntents)
            let updates = StreamListener(store.transactions)
            try world.appStore.promotePurchase(of: StoreWorld.pro)
            let promoted = try await world.next(of: promotions)
            try world.expect(promoted.isContinuedAutomatically, "the intent is marked as held")
            try await world.expectError(.purchaseIntentAlreadyUsed) { _ = try await promoted.purchase() }
            let update = try await world.next(of: updates)
            try world.expect(update.transaction.productID, is: StoreWorld.pro, "the continued purchase")
            await update.finish()
            try world.appStore.promotePurchase(of: StoreWorld.coins)
            try world.expect(
                try await world.next(of: promotions).isContinuedAutomatically, is: false, "the second intent")
            store.setPolicies(PaymentQueuePolicies(promotedPurchase: .continue))
            try world.appStore.promotePurchase(of: StoreWorld.coins)
            try world.expect(
                try await world.next(of: promotions).isContinuedAutomatically, is: true, "the third intent")
            await (try await world.next(of: updates)).finish()
            try world.expect(asked.withLock { $0 }, is: ["pro", "coins"], "the policy's questions")
        },
        .finishing("a promoted purchase that was canceled while it waited can continue later") { world, store in
            let promotions = StreamListener(store.purchaseIntents)
            try world.appStore.promotePurchase(of: StoreWorld.pro)
            let promoted = try await world.next(of: promotions)
            world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: false), for: StoreWorld.coins)
            let blocker = Task { try await store.purchase(StoreWorld.coins) }
            try await world.untilInFlight(store)
            let call = Task { try await promoted.purchase() }
            try await world.untilWaiting(store)
            call.cancel()
            try await world.expectError(.taskCancelled) { _ = try await call.value }
            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await promoted.purchase()
            }
            try await world.expectError(.taskCancelled) { _ = try await early.value }
            blocker.cancel()
            try await world.expectError(.taskCancelled) { _ = try await blocker.value }
            try await promoted.purchase { _ in }
        },
    ]
}
