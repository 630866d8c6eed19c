import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting

extension BackendBehavior {
    static let deliveries: [BackendBehavior] = [
        .finishing("an installed delivery delivers requested and unsolicited purchases, which are then finished") {
            world, store in
            let log = Monitor<[StorePurchase.Cause]>([])
            store.setDelivery { request in
                log.update { $0.append(request.cause) }
                return .accepted
            }
            let purchase = try world.success(try await store.purchase(StoreWorld.pro))
            try world.expect(purchase.isHandledElsewhere, "the purchase is marked as not delivered")
            try world.appStore.buyProduct(productID: StoreWorld.news)
            let causes = try await log.wait(for: "two deliveries") { $0.count == 2 ? $0 : nil }
            try world.expect(causes, is: [.requested, .unsolicited], "the causes")
        },
        .finishing("a rejected purchase is finished, and its caller gets the reason") { world, store in
            store.setDelivery { _ in .rejected(reason: "belongs to another account") }
            do {
                _ = try await store.purchase(StoreWorld.pro)
                throw BehaviorViolation(description: "no error was thrown", line: #line)
            } catch let error as StoreError {
                try world.expect(error, is: StoreError(.deliveryRejected, "belongs to another account"), "the error")
            }
        },
        .finishing("the delivery of a purchase is retried until the delivery succeeds") { world, store in
            let attempts = Monitor<[Int]>([])
            store.setDelivery { request in
                attempts.update { attempts in
                    attempts.append(request.attempt)
                    return attempts.count < 3 ? .retryLater : .accepted
                }
            }
            let updates = StreamListener(store.transactions)
            try await world.expectError(.deliveryPending) { _ = try await store.purchase(StoreWorld.pro) }
            // The longest pauses after one failure and after two, in seconds.
            for (attempt, pause) in [(1, 1.0), (2, 4.0)] {
                try await attempts.wait(for: "attempt \(attempt)") { $0.count == attempt ? () : nil }
                try await world.until("the next attempt to be pending", store) { $0.pendingRetries == 1 }
                world.clock.advance(by: pause)
            }
            let update = try await world.next(of: updates)
            try world.expect(update.isHandledElsewhere, "the purchase is marked as not delivered")
            try world.expect(attempts.value, is: [0, 1, 2], "the attempts")
        },
        BackendBehavior("a restore is delivered in one batch with one receipt", requires: [.receipt]) { world in
            let store = try await world.owning([StoreWorld.pro, StoreWorld.news])
            let requests = Locked<[DeliveryRequest]>([])
            store.setDelivery { request in
                requests.withLock { $0.append(request) }
                return .accepted
            }
            let outcome = try await store.restore()
            try world.expect(outcome.purchases.count, is: 2, "restored")
            let request = requests.withLock { $0 }
            try world.expect(request.map(\.purchases.count), is: [2], "the batches")
            try world.expect(request.first?.receipt != nil, "the request has no receipt")
            try await world.expectFinished(store)
        },
        .finishing("a closure takes precedence over the installed delivery") { world, store in
            let count = Locked(0)
            store.setDelivery { _ in
                count.withLock { $0 += 1 }
                return .accepted
            }
            var delivered = 0
            try await store.purchase(StoreWorld.pro) { _ in delivered += 1 }
            try world.expect(delivered, is: 1, "deliveries by the closure")
            try world.expect(count.withLock { $0 }, is: 0, "deliveries by the installed delivery")
        },
        .launching("a delivery delivers the transactions that are held when it's installed") { world, store in
            try world.appStore.buyProduct(productID: StoreWorld.pro)
            try await world.settle(store)
            store.setDelivery { _ in .accepted }
            try await world.expectFinishedSoon(store)
        },
        .launching("a delivery's key survives a restore") { world, store in
            var keys: [String] = []
            try await store.purchase(StoreWorld.pro) { keys.append($0.deliveryKey) }
            try await world.settle(store)
            guard !world.appStore.behavior.restoredWithoutOriginal else { return }
            try await store.restore { keys.append($0.deliveryKey) }
            try world.expect(keys.count, is: 2, "the deliveries")
            try world.expect(keys.first, is: keys.last, "the key")
        },
    ]
}

extension StoreWorld {
    /// Waits until an installed delivery has delivered every transaction and all are finished.
    package func expectFinishedSoon(_ store: PurchaseStore) async throws {
        try await settle(store)
        try await until("every transaction to be finished", store) { $0.held.isEmpty }
        try await settle(store)
    }
}
