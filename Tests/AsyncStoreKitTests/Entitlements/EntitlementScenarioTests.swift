import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Customers who have paid, on devices that contradict themselves.
@Suite(.bounded) struct EntitlementScenarioTests {
    private func world(
        _ change: (inout SimulatorBehavior) -> Void = { _ in }, engine: StoreEngine = .storeKit2
    ) -> StoreWorld {
        .behaving(engine: engine, change)
    }

    @Test func `a subscription's status confirms no answer that lacks a lifetime product`() async throws {
        let world = world()
        for product in ["pro", "basic"] { try await world.buy(product) }
        world.appStore.behavior.entitlementsAreEmpty = true
        let store = PurchaseStore(simulating: world.appStore.newDevice())
        // The group is known when one of its products is loaded.
        _ = try await store.products(for: ["basic"])
        for _ in 0..<10 {
            try await store.advance(by: 3)
            let entitlements = store.entitlements.latest
            expectEqual(entitlements.basis, .unknown)
            #expect(entitlements.contains("basic") && entitlements.issues == [.emptyHistory])
        }
        world.appStore.behavior.entitlementsAreEmpty = false
        try await store.advance(by: 90)
        expectEqual(store.entitlements.latest.productIDs, ["pro", "basic"])
        #expect(store.entitlements.latest.basis == .confirmed && store.entitlements.latest.issues.isEmpty)
    }

    @Test func `lists that stay empty are confirmed with an issue, and read again every five minutes`() async throws {
        let world = world()
        try await world.buy("pro")
        world.appStore.behavior.entitlementsAreEmpty = true
        let store = PurchaseStore(simulating: world.appStore.newDevice())
        try await store.advance(by: 100)
        let entitlements = store.entitlements.latest
        #expect(entitlements.basis == .confirmed && entitlements.issues == [.emptyHistory] && entitlements.isEmpty)
        world.appStore.behavior.entitlementsAreEmpty = false
        try await store.advance(by: 301)
        #expect(store.entitlements.latest.contains("pro") && store.entitlements.latest.issues.isEmpty)
    }

    @Test func `an own subscription in its grace period gives access beside a family's that couldn't be charged`()
        async throws
    {
        let world = world {
            $0.shouldEnterBillingRetryOnRenewal = true
            $0.billingGracePeriodIsEnabled = false
        }
        let entitlements = world.store.entitlements
        let loop = Task { for await _ in entitlements {} }
        try world.appStore.shareInFamily("basic")
        try await world.store.settled()
        world.appStore.advance(by: 35 * 86_400)
        world.appStore.behavior.billingGracePeriodIsEnabled = true
        try await world.buy("basic")
        world.appStore.advance(by: 9 * 86_400)
        try await world.store.settled()
        world.appStore.advance(by: 23 * 86_400)
        try await world.store.advance(by: 10)
        let owned = Set(
            world.appStore.allSubscriptionStatuses().filter { $0.state == .inGracePeriod || $0.state == .subscribed }
                .map(\.transaction.productID))
        expectEqual(world.store.entitlements.latest.productIDs, owned)
        loop.cancel()
    }

    @Test func `a reversed refund brings access back without a second delivery`() async throws {
        let world = world()
        let store = world.store
        let delivered = Recorder<String>()
        store.setDelivery { (request: DeliveryRequest) in
            for purchase in request.purchases { delivered.record(purchase.productID) }
            return .accepted
        }
        _ = try await store.purchase("pro")
        try await store.settled()
        world.appStore.advance(by: 60)
        try world.appStore.refund("pro")
        try await store.settled()
        #expect(!store.entitlements.latest.contains("pro"))
        world.appStore.advance(by: 60)
        try world.appStore.reverseRefund(of: "pro")
        try await store.settled()
        #expect(store.entitlements.latest.contains("pro"))
        expectEqual(delivered.elements, ["pro"])
    }

    @Test func `a purchase that was refunded before its delivery is delivered when the refund is reversed`()
        async throws
    {
        let world = world()
        let store = world.store
        _ = try await store.purchase("pro")
        world.appStore.advance(by: 60)
        try world.appStore.refund("pro")
        expectEqual(try await StreamListener(store.revocations).next()?.productIDs, ["pro"])
        try await store.settled()
        world.appStore.advance(by: 60)
        try world.appStore.reverseRefund(of: "pro")
        let purchase = try await StreamListener(store.transactions).next()
        expectEqual(purchase?.productID, "pro")
        await purchase?.finish()
        expectEqual(world.appStore.allTransactions().map(\.isFinished), [true])
    }

    @Test func `reading starts with a configured cache, and with a test that settles`() async throws {
        let world = StoreWorld(signs: true)
        try await world.buy("pro")
        let cache = MemoryCache()
        let store = world.appStore.relaunch(StoreConfiguration(entitlementCache: cache))
        // Nothing asks for the entitlements.
        #expect(String(decoding: try await cache.saved(1), as: UTF8.self).contains("\"transactions\":[\"ey"))
        withExtendedLifetime(store) {}
        let uncached = world.appStore.relaunch()
        try await uncached.settled()
        #expect(uncached.entitlements.latest.contains("pro") && uncached.entitlements.latest.basis == .confirmed)
    }

    @Test func `a customer who owned nothing has that answer at the next launch at once, for a while`() async throws {
        let world = StoreWorld(signs: true)
        let cache = MemoryCache()
        let first = world.appStore.relaunch(StoreConfiguration(entitlementCache: cache))
        try await first.advance(by: 10)
        #expect(first.entitlements.latest.basis == .confirmed && first.entitlements.latest.isEmpty)
        let data = try #require(cache.data.withLock { $0 })
        for days in [1.0, 36] {
            world.appStore.advance(by: days * 86_400)
            let next = PurchaseStore(
                over: ReadingDevice(SimulatedBackend(world.appStore), fails: .backendUnavailable),
                configuration: StoreConfiguration(entitlementCache: MemoryCache(data)))
            let entitlements = await next.entitlements.current
            #expect(entitlements.isEmpty)
            if case .cached = entitlements.basis { expectEqual(days, 1) } else { expectEqual(days, 36) }
        }
        // A file that was cut or changed says nothing.
        let cut = PurchaseStore(
            over: ReadingDevice(SimulatedBackend(world.appStore), fails: .backendUnavailable),
            configuration: StoreConfiguration(entitlementCache: MemoryCache(data.dropLast(10))))
        expectEqual(await cut.entitlements.current.basis, .unknown)
    }

    @Test func `a restore brings the transactions of subscriptions that give access`() async throws {
        let world = world()
        try await world.buy("basic")
        world.appStore.behavior.entitlementsAreEmpty = true
        let store = world.appStore.relaunch()
        _ = try await store.products(for: ["basic"])
        expectEqual(try await store.restore { _ in }.purchases.map(\.productID), ["basic"])
    }

    @Test(arguments: [true, false]) func `over StoreKit 1, a downgrade is no second subscription`(isNew: Bool)
        async throws
    {
        let world = StoreWorld(signs: true, engine: .storeKit1)
        world.appStore.behavior.laterChangesReportNewTransaction = isNew
        let store = world.store
        _ = try await store.products(for: ["basic", "premium"])
        try await store.purchase("premium") { _ in }
        try await store.settled()
        expectEqual(store.entitlements.latest.productIDs, ["premium"])
        world.appStore.advance(by: 86_400)
        let downgrade = Task { _ = try? await store.purchase("basic") { _ in } }
        try await store.settled()
        downgrade.cancel()
        expectEqual(store.entitlements.latest.productIDs, ["premium"])
        let group = try #require(await store.products(for: ["basic"]).first?.subscriptionGroupID)
        expectEqual(store.entitlements.latest.subscription(inGroup: group)?.productID, "premium")
        #expect(store.entitlements.latest.contains(AccessLevel(groups: [group])))
    }

    @Test(arguments: [true, false])
    func `over StoreKit 1, a downgrade of a product that isn't loaded is no second subscription`(isKnown: Bool)
        async throws
    {
        let world = StoreWorld(signs: true, engine: .storeKit1)
        // Premium has the original identifier of the purchase that it replaced.
        for product in ["basic", "premium"] { try await world.buy(product) }
        let store = world.appStore.relaunch(engine: .storeKit1)
        // Either the receipt is known before the report, or the report is known first.
        if isKnown { expectEqual(await store.entitlements.current.productIDs, ["premium"]) }
        try world.appStore.buyProduct(productID: "basic")
        try await store.settled()
        expectEqual(await store.entitlements.current.productIDs, ["premium"])
    }

    @Test func `eligibility for a group without a loaded product isn't known`() async throws {
        let store = world().store
        expectEqual(await store.isEligibleForIntroductoryOffer(inGroup: "club"), nil)
        _ = try await store.products(for: ["basic"])
        expectEqual(await store.isEligibleForIntroductoryOffer(inGroup: "club"), true)
    }

    @Test func `the end of a launch ends the loops over its entitlements`() async throws {
        let world = world()
        let backend = SimulatedBackend(world.appStore)
        let store = PurchaseStore(backend: backend)
        let entitlements = store.entitlements
        let loop = Task { for await _ in entitlements {} }
        try await store.settled()
        backend.terminate()
        await loop.value
    }

    // Reads that decided nothing, and the time until they recover.

    @Test(arguments: [true, false])
    func `access recovers without a relaunch when a fast clock is corrected`(readsStatuses: Bool) async throws {
        let world = self.world()
        try await world.own("basic")
        let app = EntitlementApp(world)
        let end = try #require(await app.refresh().nextChange)
        app.clock.offset = 40 * 86_400
        if !readsStatuses { app.device.fails(.networkError) }
        let ahead = await app.refresh()
        #expect(ahead.contains("basic") == readsStatuses, "the status outweighs the clock")
        app.clock.offset = 0
        app.device.fails(nil)
        let healed = await app.store.entitlements.current
        #expect(healed.contains("basic") && healed.nextChange == end && healed.issues.isEmpty)
    }

    @Test func `a read is evaluated at the right time if the clock is corrected before it begins`() async throws {
        let world = self.world()
        try await world.own("basic")
        let app = EntitlementApp(world)
        let end = try #require(await app.refresh().nextChange)
        app.clock.offset = 40 * 86_400
        app.clock.isPutRightByNextUse = true
        let entitlements = await app.refresh()
        expectEqual(entitlements.nextChange, end)
        #expect(entitlements.contains("basic") && entitlements.issues.isEmpty)
    }

    @Test func `renewals that were reported while no read succeeded are known in the next launch`() async throws {
        let world = StoreWorld(signs: true)
        try await world.own("basic")
        let app = EntitlementApp(world)
        let end = try #require(await app.refresh().nextChange)
        app.device.fails(.networkError)
        app.listen()
        try app.advance(toEndOf: "basic", plus: 60)
        await world.appStore.waitUntilIdle()
        _ = try await app.seen.first { $0["basic"]?.accessEndDate.map { $0 > end } ?? false }
        try await app.cache.saved {
            $0.split(separator: "\"").contains { Self.period(String($0)).map { $0 > end } ?? false }
        }
        let next = app.relaunched()
        next.device.fails(.networkError)
        let entitlements = await next.store.entitlements.current
        #expect(entitlements.contains("basic"))
        #expect(entitlements.nextChange.map { $0 > world.appStore.now } ?? false)
    }

    /// The end of the period that a text of the cache signs.
    private static func period(_ text: String) -> Date? {
        try? SignedPayload.unverified(jws: text).transaction?.expirationDate
    }

    @Test func `current reads the device if a period has ended, even if no timer fired`() async throws {
        let world = self.world()
        try await world.own("basic")
        try world.appStore.disableAutoRenew(of: "basic")
        let app = EntitlementApp(world)
        #expect(await app.store.entitlements.current.contains("basic"))
        // The app is suspended: its timers stand still.
        app.clock.isSuspended = true
        world.appStore.advance(by: 60 * 86_400)
        let entitlements = await app.store.entitlements.current
        #expect(!entitlements.contains("basic") && entitlements.nextChange == nil)
    }

    @Test(arguments: [true, false])
    func `current knows a revocation that a stream has delivered`(isShared: Bool) async throws {
        for _ in 0..<20 {
            let world = self.world()
            if isShared { try world.appStore.shareInFamily("pro") } else { try await world.own("pro") }
            let app = EntitlementApp(world)
            #expect(await app.store.entitlements.current.contains("pro"))
            var revocations = app.store.revocations.makeAsyncIterator()
            if isShared { try world.appStore.revokeFamilySharing(of: "pro") } else { try world.appStore.refund("pro") }
            #expect(await revocations.next()?.productIDs == ["pro"])
            #expect(!app.latest.contains("pro"))
            expectEqual(await app.store.entitlements.current["pro"]?.state, .revoked)
        }
    }
}
