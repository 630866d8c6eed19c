import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Which of StoreKit 2's lists determine access, and how many times each list is read.
@Suite(.bounded) struct EntitlementEvidenceTests {
    /// A launch, and the lists that it reads.
    private struct Launch {
        let world: StoreWorld
        let reads = Recorder<(list: StoreKit2List, id: String)>()
        let store: PurchaseStore

        /// - Parameter history: Whether `Transaction.all` lists transactions.
        init(_ world: StoreWorld, listsHistory: Bool = true) {
            self.world = world
            if !listsHistory { world.appStore.behavior.historyListing = .empty }
            let environment = WatchedLists(world.environment) { [reads] in reads.record(($0, $1)) }
            // The clock stands still, so a waiting restore would never end.
            var timing = StoreKit2Backend.Timing()
            timing.restorePause = { _ in }
            store = PurchaseStore(
                over: StoreKit2Backend(environment: environment, timing: timing),
                configuration: StoreConfiguration(clock: SimulatedClock(world.appStore)))
        }

        func count(_ list: StoreKit2List) -> Int { reads.elements.count { $0.list == list } }
        var statuses: [String] { reads.elements.filter { $0.list == .statuses }.map(\.id) }

        /// Returns the first value with an entitlement to a product.
        func first(_ productID: String) async throws -> StoreEntitlement {
            for await entitlements in store.entitlements {
                if let entitlement = entitlements[productID] { return entitlement }
            }
            throw StoreWorld.Unexpected(result: "the loop has ended")
        }
    }

    private func world(_ change: (inout SimulatorBehavior) -> Void = { _ in }) -> StoreWorld {
        .behaving(change)
    }

    @Test func `another account's purchases in the history give no access`() async throws {
        let world = world { $0.historyListsAnotherAccount = true }
        try await world.own("pro")
        let launch = Launch(world.relaunched())
        for _ in 0..<3 {
            let entitlements = await launch.store.entitlements.refresh()
            expectEqual(entitlements.all.map(\.productID), ["pro"])
            expectEqual(entitlements.issues, [])
        }
        _ = try await launch.reads.first { $0.list == .history }
        let receipt = try await launch.store.core.purchaseReceipt()
        expectEqual(receipt.distinctProductIDs, ["pro"])
        let stranger = Launch(self.world { $0.historyListsAnotherAccount = true })
        #expect(await stranger.store.entitlements.refresh().all.isEmpty)
        #expect(try await stranger.store.core.purchaseReceipt().distinctProductIDs.isEmpty)
    }

    @Test func `another account's consumables aren't the customer's`() async throws {
        let world = world {
            $0.historyListsAnotherAccount = true
            $0.historyListsFinishedConsumables = true
        }
        try await world.own("coins")
        try await world.own("pro")
        expectEqual(try await Launch(world).store.consumablePurchases().count, 1)
    }

    @Test func `the history is read once for entitlements, and says why access has ended`() async throws {
        let world = world()
        for product in ["pro", "season", "basic", "magazine"] { try await world.own(product) }
        world.appStore.advance(by: 86_400)
        try await world.own("premium")
        try world.appStore.refund("pro")
        try world.appStore.expireSubscription(productID: "magazine")
        world.appStore.advance(by: 60)
        let launch = Launch(world.relaunched())
        let first = await launch.store.entitlements.current
        expectEqual(first.productIDs, ["premium", "season"])
        expectEqual(try await launch.first("pro").state, .revoked)
        // The refund is reported, and the history is read, in any order.
        _ = try await launch.first("basic")
        let entitlements = await launch.store.entitlements.refresh()
        expectEqual(entitlements["basic"]?.state, .upgraded)
        expectEqual(entitlements["magazine"]?.state, .expired)
        expectEqual(
            entitlements["magazine"]?.renewal?.willRenew, false, "the history names the group whose status is read")
        expectEqual(entitlements.productIDs, ["premium", "season"])
        for _ in 0..<20 { _ = await launch.store.entitlements.refresh() }
        expectEqual(launch.count(.history), 1)
        _ = try await launch.store.consumablePurchases()
        expectEqual(launch.count(.history), 2, "on request")
    }

    @Test func `the history is read for a customer who may be eligible for an introductory offer, and not for others`()
        async throws
    {
        let world = world()
        let launch = Launch(world)
        _ = try await launch.store.products(for: ["basic", "magazine"])
        expectEqual(await launch.store.isEligibleForIntroductoryOffer(inGroup: "press"), false)
        #expect(launch.count(.history) == 0, "no product of the group has an offer")
        expectEqual(await launch.store.isEligibleForIntroductoryOffer(inGroup: "club"), true)
        expectEqual(launch.count(.history), 1)
        try await world.own("basic")
        expectEqual(await launch.store.isEligibleForIntroductoryOffer(inGroup: "club"), false)
        expectEqual(launch.count(.history), 1, "StoreKit says no")
    }

    @Test func `another account's trial doesn't use up the customer's introductory offer`() async throws {
        let other = Launch(world { $0.historyListsAnotherAccount = true })
        _ = try await other.store.products(for: ["basic"])
        expectEqual(await other.store.isEligibleForIntroductoryOffer(inGroup: "club"), true)
    }

    @Test func `a product that a list no longer has is explained without the history`() async throws {
        let world = world()
        let launch = Launch(world, listsHistory: false)
        try await world.own("pro")
        try await world.own("basic")
        expectEqual(await launch.store.entitlements.refresh().productIDs, ["pro", "basic"])
        world.appStore.advance(by: 60)
        try await world.own("premium")
        try world.appStore.refund("pro")
        let entitlements = await launch.store.entitlements.refresh()
        expectEqual(entitlements.productIDs, ["premium"])
        expectEqual(entitlements["pro"]?.state, .revoked)
        expectEqual(entitlements["basic"]?.state, .upgraded)
        #expect(entitlements.issues.isEmpty)
    }

    @Test func `the status of a group is read once one of its products is loaded`() async throws {
        let world = world { $0.shouldEnterBillingRetryOnRenewal = true }
        try await world.own("magazine")
        world.appStore.advance(by: 32 * 86_400)
        let launch = Launch(world.relaunched(), listsHistory: false)
        #expect(await launch.store.entitlements.refresh().all.isEmpty && launch.count(.statuses) == 0)
        _ = try await launch.store.products(for: ["magazine"])
        expectEqual(await launch.store.entitlements.refresh()["magazine"]?.state, .inBillingRetryPeriod)
        #expect(Set(launch.statuses) == ["press"])
    }

    @Test func `the status of a group is read as long as the store exists`() async throws {
        let world = world()
        let launch = Launch(world, listsHistory: false)
        try await world.own("magazine")
        expectEqual(await launch.store.entitlements.refresh().productIDs, ["magazine"])
        world.appStore.behavior.entitlementsAreEmpty = true
        let count = launch.statuses.count
        let entitlements = await launch.store.entitlements.refresh()
        #expect(entitlements.productIDs == ["magazine"] && entitlements.issues == [.emptyHistory], "the status has it")
        expectEqual(Set(launch.statuses.dropFirst(count)), ["press"])
    }
}
