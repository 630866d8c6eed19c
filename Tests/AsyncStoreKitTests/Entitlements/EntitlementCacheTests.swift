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

    @Test func `the file has signed texts, the customer, two dates and a seal`() async throws {
        let (world, data) = try await earlierRun()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        let date = Int64(world.appStore.now.timeIntervalSince1970 * 1_000)
        expectEqual(lines[0], "AsyncStoreKit entitlements 2")
        #expect(lines[1].hasPrefix("customer 7") && lines[2...3] == ["confirmed \(date)", "saved \(date)"])
        #expect(lines.last?.hasPrefix("seal ") == true)
        let texts = lines.dropFirst(4).dropLast()
        expectEqual(texts.map { String($0.prefix(2)) }, ["r ", "t ", "t "])
        for line in texts {
            #expect(throws: Never.self) { try SignedPayload.unverified(jws: String(line.dropFirst(2))) }
        }
    }

    @Test func `a read with another order doesn't change the file`() async throws {
        let (world, data) = try await earlierRun()
        var (history, _) = EntitlementStorage.decode(data, await SimulatedBackend(world.appStore).historyTrust)
        expectEqual(history.transactions.count, 2)
        history.transactions.reverse()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let seal = try #require(EntitlementCacheSeal(trust))
        expectEqual(EntitlementCacheContent(history, savedDate: world.appStore.now).encoded(with: seal), data)
    }

    @Test func `a subscription in the cache ends at the end of its period`() async throws {
        let (world, data) = try await earlierRun()
        let later = await nextRun(world, data, now: world.appStore.now.addingTimeInterval(40 * 86_400))
        expectEqual(later.productIDs, ["pro"])
        expectEqual(later["basic"]?.state, .expired)
        let earlier = await nextRun(world, data, now: world.appStore.now.addingTimeInterval(-40 * 86_400))
        #expect(earlier.productIDs == ["pro", "basic"] && earlier.issues.contains(.deviceClockBehind))
    }

    @Test func `a file of another app or another device is refused`() async throws {
        let (world, data) = try await earlierRun()
        let otherApp = SimulatedAppStore(
            catalog: .club, bundleID: "com.example.other")
        let otherDevice = SimulatedAppStore(catalog: .club, seed: 2)
        for (appStore, check) in [(otherApp, "bundle"), (otherDevice, "device")] {
            let backend = ReadingDevice(SimulatedBackend(appStore), fails: .backendUnavailable)
            let store = PurchaseStore(
                over: backend, configuration: StoreConfiguration(entitlementCache: MemoryCache(data)))
            let entitlements = await store.entitlements.current
            #expect(entitlements.all.isEmpty && entitlements.basis == .unknown)
            #expect(refusals(entitlements).contains { $0.lowercased().contains(check) }, "\(refusals(entitlements))")
        }
        expectEqual(await nextRun(world, data).productIDs, ["pro", "basic"])
    }

    @Test
    func `an unknown or foreign file is refused, an empty one is erased, and a damaged file keeps its genuine texts`()
        async throws
    {
        let (world, data) = try await earlierRun()
        let text = String(decoding: data, as: UTF8.self)
        let future = Data(text.replacing("entitlements 2", with: "entitlements 3").utf8)
        let erased = await nextRun(world, Data())
        #expect(erased.all.isEmpty && refusals(erased).isEmpty)
        let old = Data(text.replacing("entitlements 2", with: "entitlements 1").utf8)
        let cases = [(future, "version 3"), (old, "version 1"), (Data("{}".utf8), "isn't an entitlement")]
        for (damaged, reason) in cases {
            let entitlements = await nextRun(world, damaged)
            #expect(
                entitlements.all.isEmpty && refusals(entitlements).contains { $0.contains(reason) },
                "\(refusals(entitlements))")
        }
        let truncated = await nextRun(world, data.dropLast(7))
        expectEqual(truncated.productIDs, ["pro", "basic"])
        expectEqual(refusals(truncated).count, 1)
        let unknownLine = Data(text.replacing("\nseal", with: "\nz what\nseal").utf8)
        let odd = await nextRun(world, unknownLine)
        expectEqual(odd.productIDs, ["pro", "basic"])
        expectEqual(refusals(odd).count, 1)
        let huge = await nextRun(world, Data(repeating: 10, count: 17 * 1_024 * 1_024))
        #expect(huge.all.isEmpty && refusals(huge).contains { $0.contains("bytes") })
    }

    /// Returns a file with these lines, as the app would save it.
    private func file(_ lines: [String], _ trust: HistoryTrust) throws -> Data {
        try EntitlementCacheWorld.sealed(["AsyncStoreKit entitlements 2"] + lines, trust)
    }

    private func transactionLines(_ data: Data) -> [String] {
        String(decoding: data, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("t ") }.map(String.init)
    }

    @Test func `a transaction contains the date of its signature`() async throws {
        let (world, data) = try await earlierRun()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let (history, issues) = EntitlementStorage.decode(try file([transactionLines(data)[0]], trust), trust)
        expectEqual(issues, [])
        expectEqual(history.latestSignedDate, world.appStore.now)
    }

    @Test func `renewal information contains the date of its signature`() async throws {
        let (world, early) = try await earlierRun()
        world.appStore.advance(by: 60)
        let late = try await laterRun(world)
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let renewals = String(decoding: late, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("r ") }.map(
            String.init)
        let (history, issues) = EntitlementStorage.decode(try file(transactionLines(early) + renewals, trust), trust)
        #expect(issues.isEmpty && renewals.count == 1)
        expectEqual(history.latestSignedDate, world.appStore.now)
    }

    /// Returns the file that another launch of the app has saved.
    private func laterRun(_ world: StoreWorld) async throws -> Data {
        let cache = MemoryCache()
        let store = PurchaseStore(
            over: SimulatedBackend(world.appStore), configuration: StoreConfiguration(entitlementCache: cache))
        _ = await store.entitlements.refresh()
        return try await cache.saved(1)
    }

    @Test func `a cache with the transactions of two customers is refused`() async throws {
        let (world, data) = try await earlierRun()
        world.appStore.behavior.historyListsAnotherAccount = true
        let foreign = world.appStore.launch().transactions(.all, of: "filters").map { "t " + $0.text.jws }
        let trust = await SimulatedBackend(world.appStore).historyTrust
        expectEqual(EntitlementStorage.decode(try file(foreign, trust), trust).1, [])
        let (history, issues) = EntitlementStorage.decode(try file(transactionLines(data) + foreign, trust), trust)
        #expect(history.transactions.isEmpty && history.customerID == nil)
        expectEqual(issues, [.cacheRefused("The file has transactions of several customers.")])
    }

    @Test func `renewal information without its subscription is refused`() async throws {
        let (world, data) = try await earlierRun()
        var lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        lines.removeAll { line in
            let payload = try? SignedPayload.unverified(jws: String(line.dropFirst(2)))
            return line.hasPrefix("t ") && payload?.transaction?.productID == "basic"
        }
        let entitlements = await nextRun(world, Data((lines.joined(separator: "\n") + "\n").utf8))
        expectEqual(entitlements.productIDs, ["pro"])
        expectEqual(refusals(entitlements), ["The file has a renewal without a matching transaction."])
    }

    @Test func `no change to the file adds a purchase, or crashes the app`() async throws {
        let (world, data) = try await earlierRun()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let seed =
            ProcessInfo.processInfo.environment["CACHE_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64.max)
        print("Entitlement cache: CACHE_SEED=\(seed)")
        var random = ScheduleGenerator(seed: seed)
        var kept = 0
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
            let products = Set(history.transactions.map(\.facts.productID))
            #expect(products.isSubset(of: ["pro", "basic"]) && history.transactions.count <= 2)
            for transaction in history.transactions { #expect(transaction.facts.purchaseDate <= world.appStore.now) }
            if bytes != [UInt8](data) {
                #expect(!issues.isEmpty && history.confirmedDate == nil && history.savedDate == nil)
            }
            kept += products.count
        }
        #expect(kept > 0, "one change doesn't lose all purchases")
    }

    @Test(arguments: [
        "e\u{301}\u{323}\u{327}", "\u{1100}\u{1161}", "t a.b.c\n", "r a.b.c\n", "\n", "customer \n",
    ])
    func `reading a hostile file takes time in proportion to its size`(piece: String) async throws {
        let (world, data) = try await earlierRun()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let file = Data(String(repeating: piece, count: 200_000 / piece.utf8.count).utf8)
        let beginnings = [
            "", "AsyncStoreKit entitlements 2\n", "AsyncStoreKit entitlements 2\nt ",
            "AsyncStoreKit entitlements 2\ncustomer ",
        ]
        for hostile in beginnings.map({ Data($0.utf8) + file }) + [data.dropLast(7) + file, data + file] {
            let (history, issues) = EntitlementStorage.decode(hostile, trust)
            #expect(history.transactions.count <= 2 && !issues.isEmpty)
        }
    }

    @Test func `a line that is in the file again and again is read once`() async throws {
        let (world, data) = try await earlierRun()
        let trust = await SimulatedBackend(world.appStore).historyTrust
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let repeated = lines.flatMap { line in Array(repeating: line, count: line.hasPrefix("t ") ? 500 : 1) }
        let file = Data(repeated.joined(separator: "\n").utf8)
        let (history, _) = EntitlementStorage.decode(file, trust)
        // The decoder keeps each line that it verifies.
        expectEqual(history.transactions.map(\.facts.productID).sorted(), ["basic", "pro"])
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
