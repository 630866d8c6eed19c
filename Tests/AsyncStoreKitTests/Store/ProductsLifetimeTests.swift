import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct ProductsLifetimeTests {
    private let clock = SimulatedClock()
    private let spy: SpyBackend

    init() {
        spy = SpyBackend(
            SimulatedBackend(
                StoreWorld(selling: .shop, engine: .storeKit1).appStore, engine: .storeKit1))
    }

    private func store(productCacheDuration: TimeInterval? = nil) -> PurchaseStore {
        var configuration = StoreConfiguration(clock: clock)
        if let productCacheDuration { configuration.productCacheDuration = productCacheDuration }
        let core = StoreCore(backend: spy, configuration: configuration)
        core.activate()
        return PurchaseStore(core: core)
    }

    @Test func `a response of the App Store is used for an hour, and then products are requested again`() async throws {
        let store = store()
        for (seconds, expected) in [(0.0, 1), (1, 1), (3_598, 1), (1, 2), (3_599, 2), (2, 3)] {
            clock.advance(by: seconds)
            _ = try await store.products(for: ["pro"])
            expectEqual(spy.asked.count, expected, "after \(seconds) more seconds")
        }
    }

    @Test func `a duration of zero requests products each time, and an infinite one only once`() async throws {
        for (lifetime, expected) in [(0.0, 2), (.infinity, 1)] {
            let world = ProductsLifetimeTests()
            let store = world.store(productCacheDuration: lifetime)
            _ = try await store.products(for: ["pro"])
            world.clock.advance(by: 1_000_000)
            _ = try await store.products(for: ["pro"])
            expectEqual(world.spy.asked.count, expected)
        }
    }

    @Test func `a purchase by identifier uses a cached product of any age`() async throws {
        let store = store(productCacheDuration: 60)
        _ = try await store.products(for: ["pro"])
        clock.advance(by: 61)
        _ = try await store.purchase("pro") { _ in }
        expectEqual(spy.asked.count, 1)
        _ = try await store.products(for: ["pro"])
        expectEqual(spy.asked.count, 2)
    }

    @Test func `products are requested again after the app was in the background`() async throws {
        let store = store()
        _ = try await store.products(for: ["pro"])
        store.core.lifecycle.receive(.enteredBackground)
        store.core.lifecycle.receive(.becameActive)
        _ = try await store.purchase("pro") { _ in }
        let asked = spy.asked.count
        _ = try await store.products(for: ["pro"])
        expectEqual(asked, 1)
        expectEqual(spy.asked.count, 2)
    }
}
