import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The answers of StoreKit 2 about purchases, with each switch on and off.
@Suite(.bounded) struct EntitlementReadingTests {
    /// Returns an app that listens, over an App Store that signs nothing.
    private func app(
        _ change: (inout SimulatorBehavior) -> Void = { _ in },
        configuration: StoreConfiguration = StoreConfiguration()
    ) -> EntitlementApp {
        let app = EntitlementApp(.behaving(change), cache: nil, configuration: configuration)
        app.listen()
        return app
    }

    @Test(arguments: [true, false]) func `a canceled task reads the same as other tasks`(readsNothing: Bool)
        async throws
    {
        let app = self.app { $0.cancelledTasksReadNothing = readsNothing }
        try await app.buy("pro")
        let store = app.store
        _ = try await store.products(for: ["basic"])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return (
                await store.entitlements.current, await store.entitlements.refresh(),
                await store.isEligibleForIntroductoryOffer(inGroup: "club")
            )
        }
        let (current, refreshed, isEligible) = await task.value
        #expect(current.contains("pro") && refreshed.contains("pro") && isEligible == true)
        expectEqual(refreshed.basis, .confirmed)
    }

    @Test(arguments: [true, false])
    func `a canceled task reads the same from the environment`(readsNothing: Bool) async throws {
        let app = self.app { $0.cancelledTasksReadNothing = readsNothing }
        try await app.buy("basic")
        let environment = SimulatedStoreKit2(app.world.device)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return (
                await environment.latest("basic") != nil, try await environment.statuses("club").count,
                await environment.allTransactions().count, await environment.currentEntitlements().count
            )
        }
        let (hasLatest, statuses, history, entitlements) = try await task.value
        #expect(hasLatest)
        expectEqual([statuses, history, entitlements], [1, 1, 1])
    }

    @Test func `a canceled request for products throws, and reports no product as unknown`() async throws {
        let app = self.app { $0.cancelledTasksReadNothing = true }
        let backend = StoreKit2Backend(environment: SimulatedStoreKit2(app.world.device))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await backend.products(for: ["pro"])
        }
        await expectError(\StoreError.code, .taskCancelled) { try await task.value }
    }

    @Test(arguments: [0, 1.0]) func `an approval gives access when it is reported, and a refund ends access`(
        lag: TimeInterval
    ) async throws {
        let app = self.app {
            $0.listingLag = lag
            $0.askToBuyEnabled = true
        }
        #expect(await app.refresh().productIDs.isEmpty)
        guard case .pending = try await app.store.purchase("pro") else {
            throw StoreWorld.Unexpected(result: "not pending")
        }
        #expect(await app.refresh().productIDs.isEmpty)
        try app.appStore.approvePurchase(of: "pro")
        _ = try await app.seen.first { $0.contains("pro") }
        app.appStore.advance(by: 5)
        #expect(await app.refresh().contains("pro"))
        try app.appStore.refund("pro")
        let refunded = try await app.seen.first { $0["pro"]?.state == .revoked }
        #expect(refunded.productIDs.isEmpty)
    }

    @Test(arguments: [0, 0.5], [true, false])
    func `a renewal never appears as an end`(flicker: TimeInterval, looksDuringIt: Bool) async throws {
        let app = self.app { $0.renewalVisibilityDelay = flicker }
        try await app.buy("basic")
        for _ in 0..<4 {
            let end = try #require(await app.refresh()["basic"]?.accessEndDate)
            if looksDuringIt {
                try app.advance(toEndOf: "basic", plus: flicker / 2)
                let during = await app.refresh()
                #expect(during.contains("basic") && during["basic"]?.renewal?.willRenew == true)
            }
            app.appStore.advance(by: end.addingTimeInterval(3).timeIntervalSince(app.appStore.now))
            let after = try #require(await app.refresh()["basic"])
            #expect(after.isEntitled && (after.accessEndDate ?? end) > end)
        }
        #expect(!app.hasSeenLoss(of: "basic"))
    }

    @Test(arguments: [true, false], [true, false])
    func `the customer has access in the grace period, and not in billing retry`(listsRetry: Bool, hasGrace: Bool)
        async throws
    {
        let app = self.app {
            $0.entitlementsListBillingRetry = listsRetry
            $0.billingGracePeriodIsEnabled = hasGrace
            $0.shouldEnterBillingRetryOnRenewal = true
        }
        try await app.buy("magazine")
        let end = await app.refresh()["magazine"]?.accessEndDate
        try app.advance(toEndOf: "magazine", plus: 10)
        let after = try #require(await app.refresh()["magazine"])
        expectEqual(after.state, (hasGrace ? .inGracePeriod : .inBillingRetryPeriod))
        expectEqual(after.expirationDate, end)
        expectEqual(after.isEntitled, hasGrace)
        if hasGrace {
            #expect(
                try #require(after.accessEndDate) > app.appStore.now,
                "the end of the grace period, not of the paid period")
            try app.advance(toEndOf: "magazine", plus: 10)
            expectEqual(await app.refresh()["magazine"]?.state, .inBillingRetryPeriod)
        }
        app.appStore.behavior.shouldEnterBillingRetryOnRenewal = false
        try app.appStore.resolvePurchase(of: "magazine")
        expectEqual(await app.refresh()["magazine"]?.state, .subscribed)
        app.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        app.appStore.advance(by: 150 * 86_400)
        let ended = await app.refresh().status(inGroup: "press")
        expectEqual(ended.state, .expired)
        expectEqual(ended.expirationReason, .billingError)
    }

    @Test(arguments: [nil, 86_400.0]) func `a non-renewing subscription ends after the app's own duration`(
        duration: Double?
    ) async throws {
        var configuration = StoreConfiguration()
        if let duration { configuration.nonRenewingDurations = ["season": duration] }
        let app = self.app(configuration: configuration)
        try await app.buy("season")
        try await app.buy("season")
        let season = try #require(await app.refresh()["season"])
        #expect(season.productKind == .nonRenewable && season.isEntitled)
        expectEqual(
            season.accessEndDate, duration.map { app.appStore.now.addingTimeInterval(2 * $0) }, "in a row, they add up")
        app.appStore.advance(by: 2 * 86_400 + 10)
        expectEqual(await app.refresh()["season"]?.isEntitled, duration == nil)
    }

    @Test(arguments: [0, -5, Double.nan, .infinity]) func `an invalid duration is ignored, and is logged`(
        duration: Double
    )
        async throws
    {
        let logged = Recorder<StoreLogEvent>()
        let app = self.app(
            configuration: StoreConfiguration(nonRenewingDurations: ["season": duration], log: { logged.record($0) }))
        #expect(logged.elements.contains { $0.level == .warning && $0.message.contains("season") })
        try await app.buy("season")
        app.appStore.advance(by: 1_000_000)
        #expect(await app.refresh().contains("season"))
    }

    @Test(arguments: [true, false]) func `an upgraded subscription has the state upgraded`(listsUpgraded: Bool)
        async throws
    {
        let app = self.app { $0.entitlementsListUpgraded = listsUpgraded }
        try await app.buy("basic")
        app.appStore.advance(by: 86_400)
        try await app.buy("premium")
        app.appStore.advance(by: 10)
        let entitlements = await app.refresh()
        expectEqual(entitlements["basic"]?.state, .upgraded)
        expectEqual(entitlements["basic"]?.revocationDate, nil)
        expectEqual(entitlements.productIDs, ["premium"])
        expectEqual(entitlements.subscription(inGroup: "club")?.productID, "premium")
    }

    @Test(arguments: [true, false]) func `an unverified transaction gives no access, and is named`(isUnverified: Bool)
        async throws
    {
        let app = self.app()
        try await app.buy("pro")
        app.appStore.advance(by: 10)
        _ = await app.refresh()
        app.appStore.behavior.transactionsAreUnverified = isUnverified
        let entitlements = await app.refresh()
        #expect(entitlements.contains("pro"), "it was signed before")
        expectEqual(entitlements.issues, (isUnverified ? [.unverified(productIDs: ["pro"])] : []))
        let launch = app.world.relaunched().device
        let relaunched = PurchaseStore(over: StoreKit2Backend(environment: SimulatedStoreKit2(launch)))
        expectEqual(
            await relaunched.entitlements.current.contains("pro"), !isUnverified,
            "it was never known in this launch")
    }

    @Test func `a renewal has the next product with its price and currency, and no price after it's turned off`()
        async throws
    {
        let app = self.app()
        try await app.buy("premium")
        try await app.buy("basic")
        let entitlements = await app.refresh()
        let premium = try #require(entitlements["premium"]?.renewal)
        expectEqual(premium.date, entitlements["premium"]?.accessEndDate)
        expectEqual(entitlements.nextChange, premium.date)
        expectEqual(premium.willRenew, true)
        expectEqual(premium.productID, "basic")
        expectEqual(premium.price, 3)
        expectEqual(premium.currency, "USD")
        #expect(!premium.isPriceIncreasePending)
        try app.appStore.raisePrice(of: "basic", to: 4)
        _ = await app.refresh()
        try app.appStore.expireSubscription(productID: "premium")
        app.appStore.advance(by: 10)
        let renewal = await app.refresh()["premium"]?.renewal
        expectEqual(renewal?.willRenew, false)
        expectEqual(renewal?.price, nil)
    }

    @Test func `consumables are listed if the App Store keeps them`() async throws {
        let app = self.app()
        try await app.buy("coins")
        app.appStore.advance(by: 10)
        #expect(try await app.store.consumablePurchases().isEmpty)
        app.appStore.behavior.historyListsFinishedConsumables = true
        try await app.buy("coins")
        let purchases = try await app.store.consumablePurchases()
        #expect(
            purchases.map(\.productID) == ["coins", "coins"]
                && purchases.allSatisfy { !$0.isRevoked && $0.quantity == 1 })
        #expect(purchases[0].purchaseDate > purchases[1].purchaseDate && purchases[0].deliveryKey == purchases[0].id)
        try app.appStore.refund("coins")
        expectEqual(try await app.store.consumablePurchases().filter(\.isRevoked).count, 1)
        #expect(await app.refresh().all.isEmpty)
    }

    @Test func `the purchase of the app itself comes from StoreKit 2 or from a receipt`() async throws {
        let app = self.app()
        try await app.buy("pro")
        let transaction = try await app.store.appTransaction()
        expectEqual(transaction.bundleID, "com.example.app")
        expectEqual(transaction.originalAppVersion, "1.0")
        #expect(transaction.appTransactionID != nil && transaction.signedText != nil)
        app.appStore.behavior.signsReceipts = true
        let old = PurchaseStore(over: SimulatedBackend(launch: app.world.device, engine: .storeKit1))
        let receipt = try await old.appTransaction()
        expectEqual(receipt.bundleID, "com.example.app")
        expectEqual(receipt.environment, transaction.environment)
        expectEqual(receipt.signedText, nil)
        await expectError(\StoreError.code, .unsupported) { try await old.consumablePurchases() }
    }

    @Test func `over StoreKit 1 the receipt gives access, and reports do until the receipt has them`() async throws {
        let world = StoreWorld(signs: true)
        let store = PurchaseStore(
            over: SimulatedBackend(launch: world.device, engine: .storeKit1),
            configuration: StoreConfiguration(clock: SimulatedClock(world.appStore)))
        let before = await store.entitlements.current
        expectEqual(before.basis, .unknown)
        expectEqual(before.issues, [.incomplete(.receiptUnavailable)])
        try await store.purchase("pro") { _ in }
        let confirmed = await store.entitlements.refresh()
        #expect(confirmed.contains("pro") && confirmed.basis == .confirmed && confirmed.issues.isEmpty)
        world.appStore.behavior.receiptLag = .seconds(60)
        try await store.purchase("magazine") { _ in }
        expectEqual(await store.entitlements.refresh()["magazine"]?.isEntitled, true)
        world.appStore.advance(by: 61)
        let magazine = try #require(await store.entitlements.refresh()["magazine"])
        #expect(magazine.isEntitled && magazine.productKind == .autoRenewable)
        #expect(try #require(magazine.accessEndDate) > world.appStore.now.addingTimeInterval(86_400))
        try world.appStore.refund("pro")
        expectEqual(await store.entitlements.refresh()["pro"]?.state, .revoked)
    }
}
