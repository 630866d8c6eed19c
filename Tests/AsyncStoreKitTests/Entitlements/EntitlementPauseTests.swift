import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The number of reads of the device, and of saves of the cache, while a question stays open.
@Suite(.bounded) struct EntitlementPauseTests {
    private final class CountingCache: EntitlementCache {
        private let data = Locked<Data?>(nil)
        let saves = Recorder<Void>()

        func load() throws -> Data? { data.withLock { $0 } }

        func save(_ data: Data) throws {
            self.data.withLock { $0 = data }
            saves.record(())
        }
    }

    @Test func `the pauses grow to five minutes, 15 minutes, and an hour`() {
        let timing = EntitlementTiming()
        let pauses = (1...130).map { timing.pause(afterUnsettledReads: $0) }
        expectEqual(Array(pauses.prefix(5)), [1, 2, 5, 15, 60])
        expectEqual(Set(pauses[5..<17]), [300])
        expectEqual(Set(pauses[17..<109]), [900])
        expectEqual(Set(pauses[109...]), [3_600])
        expectEqual(pauses[5..<109].reduce(0, +), 86_400)
    }

    private struct RecordingReads: RelayEnvironment {
        let next: any StoreKit2Environment
        let reads: Recorder<Void>

        func currentEntitlements() async -> [StoreKit2SignedTransaction] {
            reads.record(())
            return await next.currentEntitlements()
        }
    }

    @Test(arguments: [true, false]) func `a read that never settles is rare after a day, and writes nothing`(
        isEmpty: Bool
    ) async throws {
        let first = SignedTransactionWorld()
        try await first.own("pro")
        try await first.own("basic.yearly")
        let world = first.relaunched()
        let reads = Recorder<Void>()
        let environment = RecordingReads(next: world.environment, reads: reads)
        let cache = CountingCache()
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
        let saves = cache.saves.elements.count
        for (day, most) in [(1, 115), (2, 25)] {
            let before = reads.elements.count
            try await store.advance(by: 86_400)
            let count = reads.elements.count - before
            #expect(count > 20 && count <= most, "\(count) reads on day \(day)")
        }
        #expect(cache.saves.elements.count - saves <= 3, "\(cache.saves.elements.count - saves) saves")
    }
}
