import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The number of reads of the device, and of saves of the cache, while a question stays open.
@Suite(.bounded) struct EntitlementPauseTests {
    @Test func `the pauses grow to five minutes, 15 minutes, and an hour`() {
        let timing = EntitlementTiming()
        let pauses = (1...130).map { timing.pause(afterUnsettledReads: $0) }
        expectEqual(Array(pauses.prefix(5)), [1, 2, 5, 15, 60])
        expectEqual(Set(pauses[5..<17]), [300])
        expectEqual(Set(pauses[17..<109]), [900])
        expectEqual(Set(pauses[109...]), [3_600])
        expectEqual(pauses[5..<109].reduce(0, +), 86_400)
    }

    private func list(_ products: String...) -> PurchaseListing {
        PurchaseListing(
            completing: PurchaseListing(
                transactions: products.map { product in
                    var row = PurchaseFacts(
                        productID: product, transactionID: product, purchaseDate: .distantPast,
                        productKind: .nonConsumable)
                    row.signedDate = .distantPast
                    return VerifiedTransaction(row, text: { "text" })
                }))
    }

    @Test(arguments: [true, false])
    func `the first answer of a launch without a cache is checked after 5 and 15 seconds`(
        hasCache: Bool
    ) {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        var run = EntitlementRun(EntitlementStateMachine(hasCache: hasCache))
        for (second, next) in [(0.0, 1.0), (1, 6), (3, 6), (6, 21)] {
            run.take(list("filters"), begun: start + second, at: start + second)
            expectEqual(run.nextWake, start + next, "a requested read doesn't delay a check")
        }
        run.take(list("filters", "pro"), begun: start + 21, at: start + 21)
        expectEqual(run.nextWake, nil)
        expectEqual(run.entitlements.productIDs, ["filters", "pro"])
    }

    @Test(arguments: [["filters"], ["filters", "pro"]])
    func `an answer that the cache has isn't checked`(cached: [String]) {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        var run = EntitlementRun(EntitlementStateMachine(hasCache: true))
        var cache = PurchaseListing(completing: cached.count == 1 ? list("filters") : list("filters", "pro"))
        cache.confirmedDate = start - 100
        run.take(cache: cache, issues: [], at: start)
        for second in [0.0, 1, 3, 6] { run.take(list("filters"), begun: start + second, at: start + second) }
        expectEqual(run.nextWake, nil)
    }

    @Test(arguments: [1.0, 2, 5, 12, 20])
    func `a purchase that the lists lag behind gives access within seconds of a launch without a cache`(
        lag: TimeInterval
    ) async throws {
        let first = StoreWorld(signs: true)
        try await first.own("basic.yearly")
        first.appStore.advance(by: 60)
        first.appStore.behavior.listingLag = lag
        try await first.own("pro")
        let world = first.relaunched()
        let store = PurchaseStore(
            over: StoreKit2Backend(environment: LaggingHistory(next: world.environment)))
        _ = store.entitlements.latest
        try await store.settled()
        expectEqual(store.entitlements.latest.productIDs, ["basic.yearly"])
        try await store.advance(by: 25)
        #expect(store.entitlements.latest.contains("pro"))
    }

    /// An environment in which no list but the current entitlements has a new purchase.
    private struct LaggingHistory: RelayEnvironment {
        let next: any StoreKit2Environment

        func allTransactions() async -> [StoreKit2SignedTransaction] { await next.currentEntitlements() }
        func unfinished() async -> [StoreKit2SignedTransaction] { [] }
        func latest(_ productID: String) async -> StoreKit2SignedTransaction? { nil }
    }

    @Test(arguments: [true, false]) func `a read that never settles is rare after a day, and writes nothing`(
        isEmpty: Bool
    ) async throws {
        let first = StoreWorld(signs: true)
        try await first.own("pro")
        try await first.own("basic.yearly")
        let world = first.relaunched()
        let reads = Recorder<Void>()
        let environment = WatchedLists(world.environment) { list, _ in
            if list == .currentEntitlements { reads.record(()) }
        }
        let cache = MemoryCache()
        let store = PurchaseStore(
            over: StoreKit2Backend(environment: environment),
            configuration: StoreConfiguration(entitlementCache: cache))
        _ = store.entitlements.latest
        try await store.advance(by: 100)
        #expect(store.entitlements.latest.basis == .confirmed)
        world.appStore.behavior.statusError = .unknown
        world.appStore.behavior.entitlementsAreEmpty = isEmpty
        store.refreshPendingState()
        try await store.settled()
        let saves = cache.saveCount
        for (day, most) in [(1, 115), (2, 25)] {
            let before = reads.elements.count
            try await store.advance(by: 86_400)
            let count = reads.elements.count - before
            #expect(count > 20 && count <= most, "\(count) reads on day \(day)")
        }
        #expect(cache.saveCount - saves <= 3, "\(cache.saveCount - saves) saves")
    }

    @Test func `a purchase that the device never lists stays while StoreKit gives it as the latest of its product`()
        async throws
    {
        let appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(products: [
                .nonConsumable("season", price: 1), .nonConsumable("pro", price: 10),
            ]))
        let launch = appStore.launch()
        let device = EntitlementDevice(seed: 1)
        let store = PurchaseStore(
            over: EntitlementDeviceBackend(
                StoreKit2Backend(environment: device.environment(SimulatedStoreKit2(launch))), device))
        try await store.purchase("season") { _ in }
        try await store.advance(by: 10)
        device.fault = .withoutNewest
        try await store.purchase("pro") { _ in try await store.settled() }
        for _ in 1...4 {
            try await store.advance(by: 600)
            expectEqual(store.entitlements.latest.productIDs, ["pro", "season"])
        }
        device.fault = .none
        try await store.advance(by: 300)
        expectEqual(store.entitlements.latest.productIDs, ["pro", "season"])
        expectEqual(store.entitlements.latest.basis, .confirmed)
    }
}
