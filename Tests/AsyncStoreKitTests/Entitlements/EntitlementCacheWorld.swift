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
    static func nextRun(
        _ world: StoreWorld, _ data: Data?, now: Date? = nil, lasting durations: [String: TimeInterval] = [:]
    ) async -> StoreEntitlements {
        let backend = ReadingDevice(SimulatedBackend(world.appStore), fails: .backendUnavailable)
        var configuration = StoreConfiguration(nonRenewingDurations: durations, entitlementCache: MemoryCache(data))
        if let now { configuration.clock = StandingClock(at: now) }
        let store = PurchaseStore(over: backend, configuration: configuration)
        // The value outlives the store, and no longer changes.
        defer { withExtendedLifetime(store) {} }
        return await store.entitlements.current
    }

    static func refusals(_ entitlements: StoreEntitlements) -> [String] {
        entitlements.issues.compactMap { if case .cacheRefused(let reason) = $0 { reason } else { nil } }
    }

    /// Returns a file in which a text is replaced wherever it occurs.
    static func replacing(_ old: String, with new: String, in data: Data) -> Data {
        Data(String(decoding: data, as: UTF8.self).replacing(old, with: new).utf8)
    }

    /// Returns a file with this object, as the app would save it.
    static func sealed(_ object: Data, _ trust: HistoryTrust) throws -> Data {
        let seal = try #require(EntitlementCacheSeal(trust)).text(over: object)
        return Data("AsyncStoreKit entitlements 3 \(seal)\n".utf8) + object
    }

    /// Returns the object in a file.
    static func object(_ data: Data) -> Data { Data(data.split(separator: 10, maxSplits: 1)[1]) }
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
