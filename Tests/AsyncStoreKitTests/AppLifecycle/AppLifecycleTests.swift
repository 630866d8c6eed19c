import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A store whose app enters the background and returns.
@Suite(.bounded) struct AppLifecycleTests {
    private let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1)])
    private let delivered = Recorder<DeliveryRequest>()

    private func store(_ decisions: DeliveryDecision...) -> (PurchaseStore, SimulatedClock) {
        let clock = SimulatedClock(appStore)
        let store = PurchaseStore(
            backend: SimulatedBackend(appStore, engine: .storeKit1), configuration: StoreConfiguration(clock: clock))
        store.setDelivery { [delivered] request in
            delivered.record(request)
            return decisions.indices.contains(request.attempt) ? decisions[request.attempt] : .accepted
        }
        return (store, clock)
    }

    private func comeBack(_ store: PurchaseStore) {
        store.core.lifecycle.receive(.enteredBackground)
        store.core.lifecycle.receive(.becameActive)
    }

    @Test func `a delivery that waits for a timer is tried when the app is in the foreground again`() async throws {
        let (store, clock) = store(.retryLater)
        try appStore.buyProduct(productID: "coins")
        try await clock.waitForSleepers(1)
        comeBack(store)
        expectEqual(try await delivered.first(2).map(\.attempt), [0, 1])
        let diagnostics = try await store.core.diagnostics { $0.held.isEmpty }
        expectEqual(diagnostics.pendingRetries, 0)
        expectEqual(clock.now, appStore.now, "the clock wasn't advanced")
    }

    @Test func `a delivery that waits for a timer is tried when the network is back`() async throws {
        let (store, clock) = store(.retryLater, .retryLater)
        try appStore.buyProduct(productID: "coins")
        try await clock.waitForSleepers(1)
        for attempts in 2...3 {
            _ = try await store.core.diagnostics { $0.pendingRetries == 1 }
            store.core.lifecycle.receive(.networkLost)
            store.core.lifecycle.receive(.networkFound)
            expectEqual(try await delivered.first(attempts).map(\.attempt), Array(0..<attempts))
        }
    }

    @Test func `a delivery that waits for a timer is tried when the device wakes`() async throws {
        let (store, clock) = store(.retryLater)
        try appStore.buyProduct(productID: "coins")
        try await clock.waitForSleepers(1)
        store.core.lifecycle.receive(.woke)
        store.core.lifecycle.receive(.woke)
        expectEqual(try await delivered.first(2).map(\.attempt), [0, 1])
        expectEqual(try await store.core.diagnostics { $0.held.isEmpty }.pendingRetries, 0)
    }

    @Test func `a pause that the server has requested is kept`() async throws {
        let (store, clock) = store(.retryLater(after: 600))
        try appStore.buyProduct(productID: "coins")
        try await clock.waitForSleepers(1, duration: 600)
        comeBack(store)
        // An input after the refresh. When it's answered, the refresh has been processed.
        expectEqual(try await store.diagnostics.pendingRetries, 1)
        expectEqual(delivered.elements.count, 1)
        clock.advance(by: 600)
        expectEqual(try await delivered.first(2).count, 2)
    }

    @Test func `a purchase that a loop has returned is offered again`() async throws {
        let clock = SimulatedClock(appStore)
        let store = PurchaseStore(
            backend: SimulatedBackend(appStore, engine: .storeKit1), configuration: StoreConfiguration(clock: clock))
        var purchases = store.transactions.makeAsyncIterator()
        try appStore.buyProduct(productID: "coins")
        let purchase = try #require(await purchases.next())
        await purchase.retryDelivery()
        comeBack(store)
        expectEqual(await purchases.next()?.deliveryKey, purchase.deliveryKey)
        await purchase.retryDelivery(after: 600)
        comeBack(store)
        expectEqual(try await store.diagnostics.pendingRetries, 1, "a pause that the app has requested is kept")
    }

    private final class Time: BackgroundTime {
        let calls = Recorder<String>()

        func take(_ isUp: @escaping @Sendable () -> Void) { calls.record("taken") }
        func giveBack() { calls.record("given back") }
    }

    @Test func `background time is returned once, and a delivery that needs more time continues`() {
        let time = Time()
        let lifecycle = AppLifecycle(clock: SimulatedClock(appStore), time: time)
        lifecycle.deliveryBegan()
        lifecycle.receive(.enteredBackground)
        lifecycle.receive(.timeIsUp)
        lifecycle.deliveryEnded()
        expectEqual(time.calls.elements, ["taken", "given back"])
    }

    @Test func `a delivery that ends while the app enters the background returns its time after the request`() {
        let time = Time()
        let lifecycle = AppLifecycle(clock: SimulatedClock(appStore), time: time)
        lifecycle.onMove { [weak lifecycle] _ in lifecycle?.deliveryEnded() }
        lifecycle.deliveryBegan()
        lifecycle.receive(.enteredBackground)
        expectEqual(time.calls.elements, ["taken", "given back"])
    }

    @Test func `moves are reported in the order in which they happened`() {
        let moves = Recorder<Bool>()
        let lifecycle = AppLifecycle(clock: SimulatedClock(appStore), time: Time())
        lifecycle.onMove { [weak lifecycle] isInBackground in
            if isInBackground { lifecycle?.receive(.becameActive) }
            moves.record(isInBackground)
        }
        lifecycle.receive(.enteredBackground)
        expectEqual(moves.elements, [true, false])
    }

    @Test func `a lifecycle is released with its owner`() {
        weak let gone: AppLifecycle?
        do {
            let lifecycle = AppLifecycle(clock: SimulatedClock(appStore), time: Time())
            lifecycle.receive(.enteredBackground)
            gone = lifecycle
        }
        #expect(gone == nil)
    }

    @Test func `a running closure counts as a delivery, and so does the installed delivery`() async throws {
        let gate = Gate()
        let (store, _) = store()
        let buying = Task { try await store.purchase("coins") { _ in await gate.pass() } }
        try await gate.arrivals(1)
        expectEqual(store.core.lifecycle.deliveries, 1)
        gate.open()
        _ = try await buying.value
        expectEqual(store.core.lifecycle.deliveries, 0)
        let other = Gate()
        store.setDelivery { _ in
            await other.pass()
            return .accepted
        }
        try appStore.buyProduct(productID: "coins")
        try await other.arrivals(1)
        expectEqual(store.core.lifecycle.deliveries, 1)
        other.open()
        _ = try await store.core.diagnostics { $0.held.isEmpty }
        expectEqual(store.core.lifecycle.deliveries, 0)
    }
}
