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

    @Test(arguments: [true, false]) func `a read that never settles is rare after a day, and writes nothing`(
        isEmpty: Bool
    ) async throws {
        let first = SignedTransactionWorld()
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
}
