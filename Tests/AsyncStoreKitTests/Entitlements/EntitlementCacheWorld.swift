import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// An app with a cache, launch after launch.
enum EntitlementCacheWorld {
    /// The cache that an app saves for a customer with purchases, and the App Store.
    static func earlierRun(
        buying products: [String] = ["pro", "basic"], _ change: (inout SimulatorBehavior) -> Void = { _ in }
    ) async throws -> (world: StoreWorld, data: Data) {
        let cache = MemoryCache()
        var behavior = SimulatorBehavior()
        change(&behavior)
        let world = StoreWorld(behavior, signs: true, configuration: StoreConfiguration(entitlementCache: cache))
        for product in products { try await world.buy(product) }
        _ = await world.refreshed()
        try await world.store.settled()
        return (world, try #require(cache.data.withLock { $0 }))
    }

    /// Returns the entitlements of the next launch while the device is silent.
    static func nextRun(_ world: StoreWorld, _ data: Data?, now: Date? = nil) async -> StoreEntitlements {
        let backend = ReadingDevice(SimulatedBackend(world.appStore), fails: .backendUnavailable)
        var configuration = StoreConfiguration(entitlementCache: MemoryCache(data))
        if let now { configuration.clock = StandingClock(at: now) }
        let store = PurchaseStore(over: backend, configuration: configuration)
        // The value outlives the store, and no longer changes.
        defer { withExtendedLifetime(store) {} }
        return await store.entitlements.current
    }

    static func refusals(_ entitlements: StoreEntitlements) -> [String] {
        entitlements.issues.compactMap { if case .cacheRefused(let reason) = $0 { reason } else { nil } }
    }

    static func lines(_ data: Data) -> [String] {
        String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    static func data(_ lines: [String]) -> Data { Data((lines.joined(separator: "\n") + "\n").utf8) }

    /// Returns the product of a line with a transaction.
    static func product(_ line: String) -> String? {
        guard line.hasPrefix("t ") else { return nil }
        return try? SignedPayload.unverified(jws: String(line.dropFirst(2))).transaction?.productID
    }

    /// Returns a file with these lines, as the app would save it.
    static func sealed(_ lines: [String], _ trust: HistoryTrust) throws -> Data {
        let content = data(lines.filter { !$0.hasPrefix("seal ") })
        return content + (try #require(EntitlementCacheSeal(trust))).line(over: Array(content)[...]) + [10]
    }
}

/// A clock that stands still, with its own time.
struct StandingClock: StoreClock {
    let now: Date
    private let base = SimulatedClock()

    init(at date: Date) {
        now = date
    }

    func sleep(until deadline: Date) async throws {
        try await base.sleep(for: max(0, deadline.timeIntervalSince(now)))
    }
}
