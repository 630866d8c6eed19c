import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A restore brings what the entitlements of the same store say is owned.
@Suite(.bounded) struct RestoredOwnershipTests {
    enum List: CaseIterable {
        case whole, half, empty
    }

    /// The answers of a device, and what the app knows from earlier.
    struct Device: Sendable, CustomTestStringConvertible {
        var list = List.whole
        var hasHistory = true
        var hasLatest = true
        var hasStatuses = true
        var isFinished = true
        var hasCache = true

        var testDescription: String {
            "\(list) \(hasHistory) \(hasLatest) \(hasStatuses) \(isFinished) \(hasCache)"
        }

        static let all: [Device] = List.allCases.flatMap { list in
            (0..<32).map { bits in
                Device(
                    list: list, hasHistory: bits & 1 > 0, hasLatest: bits & 2 > 0, hasStatuses: bits & 4 > 0,
                    isFinished: bits & 8 > 0, hasCache: bits & 16 > 0)
            }
        }

    }

    /// The lists of a device that leave something out.
    private struct PartialLists: RelayEnvironment {
        let next: any StoreKit2Environment
        let device: Device

        func currentEntitlements() async -> [StoreKit2SignedTransaction] {
            let list = await next.currentEntitlements()
            switch device.list {
            case .whole: return list
            case .half: return list.filter { $0.productID != "pro" }
            case .empty: return []
            }
        }

        func allTransactions() async -> [StoreKit2SignedTransaction] {
            device.hasHistory ? await next.allTransactions() : []
        }

        func latest(_ productID: String) async -> StoreKit2SignedTransaction? {
            device.hasLatest ? await next.latest(productID) : nil
        }

        func statuses(_ groupID: String) async throws(StoreError) -> [StoreKit2Status] {
            guard device.hasStatuses else { throw StoreError(.systemError, "The statuses can't be read.") }
            return try await next.statuses(groupID)
        }
    }

    private static func store(_ world: StoreWorld, _ device: Device, _ cache: MemoryCache) -> PurchaseStore {
        // The clock stands still, so a pause of the restore would never end.
        var timing = StoreKit2Backend.Timing()
        timing.restorePause = { _ in }
        return PurchaseStore(
            over: StoreKit2Backend(
                environment: PartialLists(next: world.environment, device: device), timing: timing),
            configuration: StoreConfiguration(entitlementCache: cache))
    }

    @Test(arguments: Device.all) func `a restore isn't empty while the store says that a product is owned`(
        device: Device
    ) async throws {
        let (world, cache) = (StoreWorld(signs: true), MemoryCache())
        for productID in ["pro", "basic"] {
            if device.isFinished { try await world.own(productID) } else { try await world.pay(productID) }
        }
        if device.hasCache {
            let first = Self.store(world, Device(), cache)
            _ = first.entitlements.latest
            try await first.advance(by: 10)
        }
        let store = Self.store(world.relaunched(), device, cache)
        _ = store.entitlements.latest
        try await store.advance(by: 100)
        let owned = store.entitlements.latest.productIDs
        let restored = try await store.restore { _ in }.productIDs
        // Nothing else of the device has the signed transaction.
        let isKnown = device.hasHistory || device.hasLatest || device.list == .whole
        if isKnown { #expect(restored.isSuperset(of: owned), "\(restored) of \(owned)") }
        // Complete reads that lack a purchase end its access, unless it's unfinished.
        if device.hasCache, device.list != .half || !device.isFinished { expectEqual(owned, ["pro", "basic"]) }
        try await store.settled()
        expectEqual(store.entitlements.latest.productIDs, owned)
    }

    @Test func `over StoreKit 2, a restored purchase answers no payment`() async throws {
        let world = StoreWorld(selling: .shop, engine: .storeKit2)
        let store = try await world.owning([StoreWorld.pro])
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true), for: StoreWorld.pro)
        let buying = Task { try await store.purchase(StoreWorld.pro) }
        try await world.untilInFlight(store)
        expectEqual(try await store.restore { _ in }.productIDs, [StoreWorld.pro])
        world.clock.advance(by: 60)
        try await world.settle(store)
        expectEqual(try await store.diagnostics().inFlight?.productID, StoreWorld.pro)
        buying.cancel()
    }

    @Test func `what a restore for an account leaves out doesn't come back from the queue`() throws {
        var store = StoreStateMachine()
        let (payment, restore) = (CallID(), CallID())
        store.purchase(
            payment, .init(request: PaymentRequest(productID: "pro", applicationUsername: "ada"), style: .plain))
        var paid = StoreTransaction.entry(11, .purchased, of: "pro")
        paid.report.applicationUsername = "ada"
        _ = store.perform(newest: 10)
        _ = store.transactionsReported([paid])
        // Another observer finishes it.
        store.remove([paid.token])
        store.restoreStarted(restore, .init(applicationUsername: "bob", style: .plain))
        var row = StoreTransaction.entry(12, .restored, of: "pro")
        row.report.original = StoreTransaction.Original(id: paid.id, purchaseDate: paid.purchaseDate)
        row.report.applicationUsername = "bob"
        let rows = store.transactionsReported([row], during: .awaited(restore))
        expectEqual(rows, [])
        store.restoreEnded((.awaited(restore), rows), owned: ["pro"], failure: nil)
        let response = store.perform().compactMap { action in
            if case .respondToRestore(restore, .success(let response)) = action { response.records } else { nil }
        }
        expectEqual(response, [[]])
    }

    @Test func `over StoreKit 1, a restore has what waits in the queue`() async throws {
        let world = StoreWorld(signs: true, engine: .storeKit1)
        for productID in ["pro", "coins"] { _ = try await world.store.purchase(productID) }
        let store = PurchaseStore(simulating: world.appStore, engine: .storeKit1)
        _ = store.entitlements.latest
        try await store.settled()
        #expect(store.entitlements.latest.contains("pro"))
        let delivered = Recorder<String>()
        let outcome = try await store.restore { delivered.record($0.productID) }
        expectEqual(outcome.productIDs, ["pro"])
        expectEqual(delivered.elements, ["pro"])
        try await store.settled()
        expectEqual(await store.unfinishedTransactions.map(\.productID), ["coins"])
    }
}
