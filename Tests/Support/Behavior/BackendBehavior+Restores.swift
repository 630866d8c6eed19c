import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting

extension BackendBehavior {
    static let restores: [BackendBehavior] = [
        BackendBehavior("a restore returns the owned products, each finished after its closure") { world in
            let store = try await world.owning([StoreWorld.pro, StoreWorld.news])
            var delivered: [String] = []
            let outcome = try await store.restore { delivered.append($0.productID) }
            try world.expect(outcome.productIDs, is: [StoreWorld.pro, StoreWorld.news], "restored")
            try world.expect(Set(delivered), is: outcome.productIDs, "delivered")
            try world.expect(delivered.count, is: 2, "deliveries")
            try await world.expectFinished(store)
        },
        BackendBehavior("a restore without purchases returns an empty result and no error") { world in
            let outcome = try await world.launch().restore()
            try world.expect(outcome.purchases.isEmpty, "restored \(outcome.productIDs)")
        },
        BackendBehavior("a second restore is rejected while a restore is running") { world in
            let store = try await world.owning([StoreWorld.pro])
            world.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 0)
            let first = Task { try await store.restore() }
            try await world.untilRestoring(store)
            try await world.expectError(.restoreInProgress) { _ = try await store.restore() }
            try await world.clock.waitForSleepers(1)
            world.clock.advance(by: 300)
            try await world.expectError(.timedOut) { _ = try await first.value }
        },
        BackendBehavior("another restore can begin when a canceled one has been silent for too long") { world in
            let store = try await world.owning([StoreWorld.pro])
            world.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 0)
            for _ in 0..<2 {
                let restore = Task { try await store.restore() }
                try await world.untilRestoring(store)
                restore.cancel()
                try await world.expectError(.taskCancelled) { _ = try await restore.value }
                try await world.expectError(.restoreInProgress) { _ = try await store.restore() }
                try await world.clock.waitForSleepers(1)
                world.clock.advance(by: 300)
                try await world.until("the restore to end", store) { !$0.isRestoring }
            }
        },
        BackendBehavior("a restore can start inside a restore's delivery") { world in
            let store = try await world.owning([StoreWorld.pro])
            var inner: RestoreOutcome?
            try await store.restore { _ in
                if inner == nil { inner = try await store.restore() }
            }
            try world.expect(inner?.productIDs, is: [StoreWorld.pro], "restored inside")
            for purchase in inner?.purchases ?? [] { await purchase.finish() }
            try await world.expectFinished(store)
        },
        BackendBehavior(
            "a failed restore throws, and its restored purchases are on the stream", requires: [.restoredRows]
        ) { world in
            let store = try await world.owning([StoreWorld.pro, StoreWorld.news])
            world.appStore.behavior.restoreEnding = .fails(.notConnectedToInternet, afterRows: 1)
            try await world.expectError(.networkError) { _ = try await store.restore() }
            let updates = StreamListener(store.transactions)
            let update = try await world.next(of: updates)
            try world.expect(update.transaction.state, is: .restored, "the state")
            await update.finish()
            try await world.expectFinished(store)
        },
        BackendBehavior(
            "purchases that arrive after the end of a restore are on the stream", requires: [.restoredRows]
        ) { world in
            let store = try await world.owning([StoreWorld.pro, StoreWorld.news])
            world.appStore.behavior.restoredRowsAfterFinished = 1
            let outcome = try await store.restore { _ in }
            try world.expect(outcome.purchases.count, is: 1, "restored in time")
            let updates = StreamListener(store.transactions)
            let late = try await world.next(of: updates)
            try world.expect(
                outcome.productIDs.union([late.transaction.productID]), is: [StoreWorld.pro, StoreWorld.news],
                "restored")
            await late.finish()
            try await world.expectFinished(store)
        },
        BackendBehavior(
            "canceling a restore ends the wait, its purchases are on the stream, and a second restore is rejected",
            requires: [.restoredRows]
        ) { world in
            let store = try await world.owning([StoreWorld.pro])
            world.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 1)
            let waiting = Task { try await store.restore() }
            try await world.untilRestoring(store)
            try await world.settle(store)
            waiting.cancel()
            try await world.expectError(.taskCancelled) { _ = try await waiting.value }
            try await world.expectError(.restoreInProgress) { _ = try await store.restore() }
            let updates = StreamListener(store.transactions)
            let update = try await world.next(of: updates)
            try world.expect(update.transaction.productID, is: StoreWorld.pro, "on the stream")
            await update.finish()
            try await world.expectFinished(store)
        },
        BackendBehavior(
            "a restored purchase belongs to the restore while a payment for the product is pending"
        ) { world in
            let store = try await world.owning([StoreWorld.pro])
            world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true), for: StoreWorld.pro)
            let buying = Task { try await store.purchase(StoreWorld.pro) }
            try await world.untilInFlight(store)
            let outcome = try await store.restore { _ in }
            try world.expect(outcome.productIDs, is: [StoreWorld.pro], "restored")
            try world.expect(try await store.diagnostics().inFlight != nil, "the payment was answered by the restore")
            buying.cancel()
            try await world.expectError(.taskCancelled) { _ = try await buying.value }
        },
    ]
}

extension StoreWorld {
    /// Returns a store in a new launch, whose account owns these products.
    package func owning(_ productIDs: [String]) async throws -> PurchaseStore {
        let first = launch()
        for productID in productIDs { try await first.purchase(productID) { _ in } }
        try await settle(first)
        return launch()
    }

    /// Waits until a restore is running.
    package func untilRestoring(_ store: PurchaseStore) async throws {
        try await until("a restore to run", store) { $0.isRestoring }
    }
}
