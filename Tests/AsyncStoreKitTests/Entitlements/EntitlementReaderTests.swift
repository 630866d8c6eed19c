import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct EntitlementReaderTests {
    private typealias World = EntitlementCacheWorld

    @Test func `a reader returns the entitlements of the app's store, and never writes`() async throws {
        let cache = MemoryCache()
        let world = StoreWorld(signs: true, configuration: StoreConfiguration(entitlementCache: cache))
        try await world.buy("pro")
        try await world.buy("basic")
        let entitlements = await world.refreshed()
        try await world.store.settled()
        let saves = cache.saveCount
        let reader = EntitlementReader(cache, simulating: world.appStore)
        let read = reader.entitlements(at: world.appStore.now)
        expectEqual(read.all, entitlements.all)
        #expect(read.basis == .cached(asOf: world.appStore.now) && read.issues.isEmpty)
        expectEqual(read.nextChange, entitlements.nextChange)
        #expect(read["pro"]?.jws != nil && read["basic"]?.renewalJWS != nil)
        #expect(reader.savedDate == world.appStore.now && cache.saveCount == saves)
    }

    /// A cache in a folder that can't be read.
    private struct UnreadableCache: EntitlementCache {
        func load() throws -> Data? {
            throw CocoaError(.fileReadNoPermission, userInfo: [NSFilePathErrorKey: "/Users/ann.smith/Entitlements"])
        }
        func save(_ data: Data) throws {}
    }

    @Test func `a cache without bytes is the same as none, and the issue of an unreadable one names no folder`() {
        let appStore = SimulatedAppStore(products: [])
        expectEqual(EntitlementReader(MemoryCache(Data()), simulating: appStore).entitlements().issues, [])
        let issues = EntitlementReader(UnreadableCache(), simulating: appStore).entitlements().issues
        expectEqual(issues.count, 1)
        #expect(!"\(issues)".contains("ann.smith"), "\(issues)")
    }

    @Test func `a widget locks itself at the next change, without the app`() async throws {
        let (world, data) = try await World.earlierRun()
        let reader = EntitlementReader(MemoryCache(data), simulating: world.appStore)
        let now = reader.entitlements(at: world.appStore.now)
        let end = try #require(now.nextChange)
        expectEqual(now["basic"]?.accessEndDate, end)
        expectEqual(reader.entitlements(at: end.addingTimeInterval(-1)).productIDs, ["pro", "basic"])
        let then = reader.entitlements(at: end)
        #expect(then.productIDs == ["pro"] && then.nextChange == nil)
        let past = reader.entitlements(at: world.appStore.now.addingTimeInterval(-86_400))
        #expect(past.nextChange == end && past.issues == [.deviceClockBehind])
    }

    @Test func `a loop over the saves of the cache ends when the store is closed`() async {
        let store = PurchaseStore(
            simulating: SimulatedAppStore(products: []),
            configuration: StoreConfiguration(entitlementCache: MemoryCache()))
        let saves = store.entitlements.cacheSaves
        store.core.entitlements.close()
        for await _ in saves {}
        withExtendedLifetime(store) {}
    }

    @Test func `a reader sees a renewal and a refund as soon as the app has saved it`() async throws {
        let cache = MemoryCache()
        let world = StoreWorld(signs: true, configuration: StoreConfiguration(entitlementCache: cache))
        var saves = world.store.entitlements.cacheSaves.makeAsyncIterator()
        let unsaved = EntitlementReader(MemoryCache(), simulating: world.appStore)
        #expect(unsaved.entitlements() == .unknown && unsaved.savedDate == nil)
        let reader = EntitlementReader(cache, simulating: world.appStore)
        _ = await world.refreshed()
        try await world.store.settled()
        try await world.buy("pro")
        _ = await world.refreshed()
        while !reader.entitlements().contains("pro") { _ = await saves.next() }
        world.appStore.advance(by: 60)
        try world.appStore.refund("pro")
        _ = await world.refreshed()
        while reader.savedDate != world.appStore.now { _ = await saves.next() }
        let refunded = reader.entitlements()
        #expect(refunded.active.isEmpty && refunded.basis != .unknown, "\(refunded)")
    }

    @Test func `an empty cache means no purchases only after the app has confirmed it`() async throws {
        let cache = MemoryCache()
        let world = StoreWorld(signs: true, configuration: StoreConfiguration(entitlementCache: cache))
        await world.confirmed()
        try await world.store.settled()
        let read = EntitlementReader(cache, simulating: world.appStore).entitlements()
        guard case .cached = read.basis else { return #expect(read.basis == .confirmed, "\(read)") }
        #expect(read.all.isEmpty && read.issues.isEmpty)
    }

    @Test func `a phone's file never unlocks a watch, and the error names the app and the process`() async throws {
        let (world, data) = try await World.earlierRun()
        let widget = EntitlementReader(MemoryCache(data), simulating: world.appStore, app: "com.example.app.widget")
            .entitlements()
        #expect(widget.all.isEmpty && widget.basis == .unknown)
        let reasons = World.refusals(widget)
        #expect(
            reasons.contains { $0.contains("com.example.app,") && $0.contains("com.example.app.widget") },
            "\(reasons)")
        let watch = EntitlementReader(MemoryCache(data), simulating: world.appStore.newDevice()).entitlements()
        #expect(watch.all.isEmpty && watch.basis == .unknown)
        #expect(World.refusals(watch).contains { $0.contains("device") }, "\(watch.issues)")
    }

    @Test func `a file that can't be read unlocks nothing, and the issues have the reason`() {
        let folder = FileManager.default.temporaryDirectory
        let read = EntitlementReader(EntitlementFile(url: folder), app: "com.example.app").entitlements()
        #expect(read.basis == .unknown && World.refusals(read).contains { $0.contains("can't be read") })
        let none = EntitlementReader(
            EntitlementFile(url: folder.appendingPathComponent("\(UUID())")), app: "com.example.app"
        )
        .entitlements()
        expectEqual(none, .unknown)
    }

    @Test func `a reader applies access durations, too`() async throws {
        let (world, data) = try await World.earlierRun(buying: ["season"])
        let reader = EntitlementReader(
            MemoryCache(data), simulating: world.appStore, nonRenewingDurations: ["season": 3_600])
        let read = reader.entitlements(at: world.appStore.now)
        expectEqual(read.nextChange, world.appStore.now.addingTimeInterval(3_600))
        #expect(!reader.entitlements(at: world.appStore.now.addingTimeInterval(3_600)).contains("season"))
        #expect(EntitlementReader(MemoryCache(data), simulating: world.appStore).entitlements().nextChange == nil)
    }

    @Test func `each saved purchase of a product counts in a reader and in the next launch`() async throws {
        let (cache, durations) = (MemoryCache(), ["season": 30.0 * 86_400])
        let world = StoreWorld(
            signs: true,
            configuration: StoreConfiguration(nonRenewingDurations: durations, entitlementCache: cache))
        try await world.buy("season")
        try await world.buy("basic")
        world.appStore.advance(by: 86_400)
        try await world.buy("season")
        try world.appStore.shareInFamily("basic")
        let entitlements = await world.refreshed()
        try await world.store.settled()
        let reader = EntitlementReader(cache, simulating: world.appStore, nonRenewingDurations: durations)
        let ends = try ["season", "basic"].map { try #require(entitlements[$0]?.accessEndDate) }
        expectEqual(ends[0].timeIntervalSince(world.appStore.now), 59 * 86_400)
        #expect(reader.entitlements(at: ends[0] - 1).contains("season") && ends[1] < ends[0])
        expectEqual(reader.entitlements(at: ends[1])["basic"]?.transaction.isFamilyShared, true)
        let next = await World.nextRun(world, cache.content, now: ends[0] - 1, lasting: durations)
        #expect(next.contains("season") && next["season"]?.accessEndDate == ends[0])
    }

    @Test func `a cache says why access has ended, to a reader and to the next launch`() async throws {
        let (world, data) = try await World.earlierRun()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let seal = try #require(EntitlementCacheSeal(trust))
        var history = try #require(await EntitlementStorage(MemoryCache(data)).load(trust).0)
        (history.past, history.transactions, history.confirmedDate) = (history.transactions, [], nil)
        let ended = try EntitlementCacheContent(history, savedDate: world.appStore.now).encoded(with: seal)
        let later = world.appStore.now.addingTimeInterval(40 * 86_400)
        let read = EntitlementReader(MemoryCache(ended), simulating: world.appStore).entitlements(at: later)
        #expect(read["basic"]?.state == .expired && read.active.isEmpty && read.basis != .unknown)
        let next = await World.nextRun(world, ended, now: later)
        #expect(next["basic"]?.state == .expired && next.active.isEmpty)
    }

    @Test func `a later confirmation alone is saved once a day, and reloads no widgets`() async throws {
        let (world, data) = try await World.earlierRun()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let now = world.appStore.now
        let cache = MemoryCache(data)
        let storage = EntitlementStorage(cache)
        func isSaved(_ history: PurchaseListing) async throws -> Bool {
            try await storage.save({ history }, trust, at: now) != nil
        }
        var history = try #require(await storage.load(trust).0)
        #expect(try await !isSaved(history) && cache.saveCount == 0)
        history.confirmedDate = now.addingTimeInterval(3_600)
        #expect(try await !isSaved(history) && cache.saveCount == 0)
        history.confirmedDate = now.addingTimeInterval(86_400)
        #expect(try await !isSaved(history) && cache.saveCount == 1)
        expectEqual(await storage.load(trust).0?.confirmedDate, history.confirmedDate)
        history.transactions.removeLast()
        #expect(try await isSaved(history) && cache.saveCount == 2)
    }

    @Test func `a store in an extension is given the app that contains it`() async throws {
        let (world, data) = try await World.earlierRun()
        let configuration = StoreConfiguration(entitlementCache: MemoryCache(data), appBundleID: "com.example.other")
        let backend = ReadingDevice(SimulatedBackend(world.appStore), fails: .backendUnavailable)
        let store = PurchaseStore(over: backend, configuration: configuration)
        let refused = await store.entitlements.current
        #expect(refused.all.isEmpty && World.refusals(refused).contains { $0.contains("com.example.other") })
    }
}
