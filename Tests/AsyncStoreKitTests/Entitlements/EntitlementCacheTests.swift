import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct EntitlementCacheTests {
    private func earlierRun() async throws -> (world: StoreWorld, data: Data) {
        try await EntitlementCacheWorld.earlierRun()
    }

    private func nextRun(_ world: StoreWorld, _ data: Data?, now: Date? = nil) async -> StoreEntitlements {
        await EntitlementCacheWorld.nextRun(world, data, now: now)
    }

    private func refusals(_ entitlements: StoreEntitlements) -> [String] {
        EntitlementCacheWorld.refusals(entitlements)
    }

    @Test func `earlier entitlements are known in the next run, before the device has answered`() async throws {
        let (world, data) = try await earlierRun()
        let entitlements = await nextRun(world, data)
        expectEqual(entitlements.productIDs, ["pro", "basic"])
        #expect(entitlements.basis == .cached(asOf: world.appStore.now) && refusals(entitlements).isEmpty)
        expectEqual(entitlements["basic"]?.renewal?.willRenew, true)
        expectEqual(entitlements.issues, [.incomplete(.backendUnavailable)])
        let none = await nextRun(world, nil)
        #expect(none.basis == .unknown && none.all.isEmpty && refusals(none).isEmpty)
    }

    @Test func `the file has a seal, signed texts, the customer and two dates`() async throws {
        let (world, data) = try await earlierRun()
        #expect(String(decoding: data, as: UTF8.self).hasPrefix("AsyncStoreKit entitlements 3 "))
        let json = try JSONSerialization.jsonObject(with: EntitlementCacheWorld.object(data))
        let object = try #require(json as? [String: Any])
        let date = world.appStore.now.timeIntervalSinceReferenceDate
        #expect((object["customer"] as? String)?.hasPrefix("7") == true)
        #expect(object["confirmed"] as? Double == date && object["saved"] as? Double == date)
        let transactions = try #require(object["transactions"] as? [String])
        let renewals = try #require(object["renewals"] as? [String])
        #expect(transactions.count == 2 && renewals.count == 1)
        for text in transactions + renewals {
            #expect(throws: Never.self) { try SignedPayload.unverified(jws: text) }
        }
    }

    @Test func `a read with another order doesn't change the file`() async throws {
        let (world, data) = try await earlierRun()
        var (history, _) = EntitlementStorage.decode(data, await SimulatedBackend(world.appStore).historyTrust)
        expectEqual(history.transactions.count, 2)
        history.transactions.reverse()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let seal = try #require(EntitlementCacheSeal(trust))
        expectEqual(try EntitlementCacheContent(history, savedDate: world.appStore.now).encoded(with: seal), data)
    }

    @Test func `a subscription in the cache ends at the end of its period`() async throws {
        let (world, data) = try await earlierRun()
        let later = await nextRun(world, data, now: world.appStore.now.addingTimeInterval(40 * 86_400))
        expectEqual(later.productIDs, ["pro"])
        expectEqual(later["basic"]?.state, .expired)
        let earlier = await nextRun(world, data, now: world.appStore.now.addingTimeInterval(-40 * 86_400))
        #expect(earlier.productIDs == ["pro", "basic"] && earlier.issues.contains(.deviceClockBehind))
    }

    @Test func `an unknown or damaged file is refused, and an empty one is an erased one`() async throws {
        let (world, data) = try await earlierRun()
        let erased = await nextRun(world, Data())
        #expect(erased.all.isEmpty && refusals(erased).isEmpty)
        func version(_ number: Int) -> Data {
            EntitlementCacheWorld.replacing("entitlements 3", with: "entitlements \(number)", in: data)
        }
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let cases = [
            (version(4), "version 4"), (version(2), "version 2"), (Data("{}".utf8), "isn't an entitlement"),
            (data.dropLast(7), "was changed"), (Data(repeating: 10, count: 17 * 1_024 * 1_024), "bytes"),
            (try EntitlementCacheWorld.sealed(Data("{}".utf8), trust), "can't be read"),
        ]
        for (damaged, reason) in cases {
            let entitlements = await nextRun(world, damaged)
            #expect(
                entitlements.all.isEmpty && refusals(entitlements).contains { $0.contains(reason) },
                "\(refusals(entitlements))")
        }
    }

    @Test func `a text contains the date of its signature`() async throws {
        let (world, early) = try await earlierRun()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        var (history, _) = EntitlementStorage.decode(early, trust)
        expectEqual(history.latestSignedDate, world.appStore.now)
        world.appStore.advance(by: 60)
        history.renewals = EntitlementStorage.decode(try await laterRun(world), trust).0.renewals
        let content = EntitlementCacheContent(history, savedDate: world.appStore.now)
        let mixed = try content.encoded(with: try #require(EntitlementCacheSeal(trust)))
        let (decoded, issues) = EntitlementStorage.decode(mixed, trust)
        #expect(issues.isEmpty && decoded.renewals.count == 1)
        expectEqual(decoded.latestSignedDate, world.appStore.now, "the renewal's")
    }

    /// Returns the file that another launch of the app has saved.
    private func laterRun(_ world: StoreWorld) async throws -> Data {
        let cache = MemoryCache()
        let store = PurchaseStore(
            over: SimulatedBackend(world.appStore), configuration: StoreConfiguration(entitlementCache: cache))
        _ = await store.entitlements.refresh()
        return try await cache.saved(1)
    }

    @Test func `no change to the file adds a purchase, or crashes the app`() async throws {
        let (world, data) = try await earlierRun()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let seed =
            ProcessInfo.processInfo.environment["CACHE_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64.max)
        print("Entitlement cache: CACHE_SEED=\(seed)")
        var random = ScheduleGenerator(seed: seed)
        for _ in 0..<100 {
            var bytes = [UInt8](data)
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: bytes.removeLast(Int.random(in: 0...min(200, bytes.count), using: &random))
                }
            }
            let (history, issues) = EntitlementStorage.decode(Data(bytes), trust)
            let isFine = bytes.isEmpty || bytes == [UInt8](data)
            #expect(isFine || !issues.isEmpty && history.transactions.isEmpty && history.confirmedDate == nil)
        }
    }

    @Test(arguments: [
        "e\u{301}\u{323}\u{327}", "\u{1100}\u{1161}", "[", "\n", " ",
    ])
    func `reading a hostile file takes time in proportion to its size`(piece: String) async throws {
        let (world, data) = try await earlierRun()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let file = Data(String(repeating: piece, count: 200_000 / piece.utf8.count).utf8)
        let beginnings = [
            "", "AsyncStoreKit entitlements 3\n", "AsyncStoreKit entitlements 3 ", "AsyncStoreKit entitlements 3 a\n[",
        ]
        for hostile in beginnings.map({ Data($0.utf8) + file }) + [data.dropLast(7) + file, data + file] {
            let (history, issues) = EntitlementStorage.decode(hostile, trust)
            #expect(history.transactions.isEmpty && !issues.isEmpty)
        }
    }

    @Test func `a confirmation is a reason to write the file if it is the first, or later by the interval`() {
        func content(confirmed: TimeInterval?) -> EntitlementCacheContent {
            var history = PurchaseListing()
            history.confirmedDate = confirmed.map(Date.init(timeIntervalSince1970:))
            return EntitlementCacheContent(history, savedDate: .distantPast)
        }
        let cases: [(new: TimeInterval?, known: TimeInterval?, isEquivalent: Bool)] = [
            (nil, nil, true), (nil, 100, true), (100, nil, false), (100, 100, true), (159, 100, true),
            (160, 100, false),
        ]
        for (new, known, isEquivalent) in cases {
            let other = content(confirmed: known)
            expectEqual(content(confirmed: new).isEquivalent(to: other, within: 60), isEquivalent)
        }
    }

    @Test func `the cache is written when its content has changed, and failures are logged`() async throws {
        let cache = MemoryCache()
        let world = StoreWorld(signs: true, configuration: StoreConfiguration(entitlementCache: cache))
        try await world.buy("pro")
        _ = await world.refreshed()
        try await world.store.settled()
        let (first, count) = (cache.data.withLock { $0 }, cache.saveCount)
        _ = await world.refreshed()
        _ = await world.refreshed()
        try await world.store.settled()
        expectEqual(cache.saveCount, count)
        try world.appStore.refund("pro")
        _ = await world.refreshed()
        #expect(try await cache.saved(count + 1) != first)
        struct Full: EntitlementCache {
            struct NoSpace: Error {}
            func load() throws -> Data? { throw NoSpace() }
            func save(_ data: Data) throws { throw NoSpace() }
        }
        let logged = Recorder<StoreLogEvent>()
        let full = StoreWorld(
            signs: true, configuration: StoreConfiguration(entitlementCache: Full(), log: { logged.record($0) }))
        // Without a purchase, a cache that couldn't be read isn't replaced.
        try await full.buy("pro")
        await full.confirmed()
        _ = try await logged.first { $0.level == .warning && $0.message.contains("can't be written") }
        #expect(logged.elements.contains { $0.message.contains("can't be read") })
    }

    /// A launch before the device is unlocked for the first time, and the log.
    private func lockedLaunch(
        _ world: StoreWorld, _ data: Data, _ change: (SimulatedBackend) -> any StoreBackend = { $0 }
    ) -> (store: PurchaseStore, cache: MemoryCache, log: Recorder<StoreLogEvent>) {
        let (cache, log) = (MemoryCache(data), Recorder<StoreLogEvent>())
        cache.isLocked.withLock { $0 = true }
        let configuration = StoreConfiguration(entitlementCache: cache, log: { log.record($0) })
        let backend = change(SimulatedBackend(world.appStore))
        return (PurchaseStore(over: backend, configuration: configuration), cache, log)
    }

    @Test func `a cache that can't be read before the first unlock is read when the app is in the foreground`()
        async throws
    {
        let (world, data) = try await earlierRun()
        let (store, cache, log) = lockedLaunch(world, data) { ReadingDevice($0, fails: .backendUnavailable) }
        let locked = await store.entitlements.current
        #expect(locked.basis == .unknown && locked.all.isEmpty && refusals(locked).count == 1)
        store.core.refreshPendingState()
        try await store.settled()
        expectEqual(store.entitlements.latest.basis, .unknown)
        expectEqual(log.elements.count { $0.message.contains("can't be read: ") && $0.level == .warning }, 1)
        cache.isLocked.withLock { $0 = false }
        store.core.lifecycle.receive(.woke)
        try await store.settled()
        let entitlements = store.entitlements.latest
        #expect(entitlements.productIDs == ["pro", "basic"] && entitlements.basis == .cached(asOf: world.appStore.now))
        #expect(refusals(entitlements).isEmpty && cache.saveCount == 0)
    }

    @Test func `a cache that couldn't be read is read with the next read of the device, and isn't replaced before`()
        async throws
    {
        let (world, data) = try await earlierRun()
        world.appStore.behavior.entitlementsListing = .empty
        world.appStore.behavior.historyListing = .empty
        let (store, cache, _) = lockedLaunch(world, data)
        expectEqual(await store.entitlements.current.productIDs, [])
        try await store.advance(by: 3)
        #expect(store.entitlements.latest.basis == .unknown, "a repeated empty list confirms nothing without the cache")
        cache.isLocked.withLock { $0 = false }
        try await store.advance(by: 10)
        expectEqual(store.entitlements.latest.productIDs, ["pro", "basic"])
        let saved = MemoryCache(cache.data.withLock { $0 })
        let reader = EntitlementReader(saved, simulating: world.appStore)
        expectEqual(reader.entitlements(at: world.appStore.now).productIDs, ["pro", "basic"])
    }

    @Test func `a confirmed answer replaces a cache that couldn't be read`() async throws {
        let (world, data) = try await earlierRun()
        try await world.buy("filters")
        let (store, cache, _) = lockedLaunch(world, data)
        expectEqual(await store.entitlements.refresh().basis, .confirmed)
        try await store.settled()
        cache.isLocked.withLock { $0 = false }
        _ = await store.entitlements.refresh()
        try await store.settled()
        let reader = EntitlementReader(MemoryCache(cache.data.withLock { $0 }), simulating: world.appStore)
        expectEqual(reader.entitlements(at: world.appStore.now).productIDs, ["pro", "basic", "filters"])
        #expect(refusals(store.entitlements.latest).isEmpty)
    }
}
