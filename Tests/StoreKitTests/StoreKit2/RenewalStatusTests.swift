import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct RenewalStatusTests {
    private let world = StoreKit2World()
    private let day: TimeInterval = 86_400

    private func subscribed(
        to id: String = "magazine", _ change: (SimulatedAppStore) -> Void = { _ in }
    ) async throws -> StoreKit2World {
        change(world.appStore)
        try await world.own(id)
        return world
    }

    @Test func `a subscription that is paid`() async throws {
        let world = try await subscribed()
        let status = try world.status("press")
        let transaction = try status.transaction.payloadValue
        let renewal = try status.renewalInfo.payloadValue
        expectEqual(status.state, .subscribed)
        expectEqual(transaction.productID, "magazine")
        expectEqual(transaction.subscriptionGroupID, "press")
        #expect(
            renewal.willAutoRenew && renewal.autoRenewPreference == "magazine" && renewal.currentProductID == "magazine"
        )
        expectEqual(renewal.originalTransactionID, transaction.originalID)
        expectEqual(renewal.renewalDate, transaction.expirationDate)
        expectEqual(renewal.renewalPrice, 4)
        expectEqual(renewal.currency?.identifier, "USD")
        expectEqual(renewal.expirationReason, nil)
        #expect(renewal.priceIncreaseStatus == .noIncreasePending && !renewal.isInBillingRetry)
        expectEqual(renewal.recentSubscriptionStartDate, transaction.purchaseDate)
        expectEqual(await transaction.subscriptionStatus, status)
        let product = try await world.product("magazine")
        expectEqual(try await product.subscription?.status, [status])
        expectEqual(try Product.SubscriptionInfo.status(for: "nothing", launch: world.launch), [])
        expectEqual(try Product.SubscriptionInfo.status(transactionID: 1, launch: world.launch), nil)
    }

    @Test(arguments: [false, true]) func `an expired subscription is bought again or returned`(handsBack: Bool)
        async throws
    {
        let world = try await subscribed()
        world.appStore.behavior.returnsExpiredTransaction = handsBack
        let first = try world.status("press").transaction.payloadValue
        try world.appStore.expireSubscription(productID: "magazine")
        let answer = try await world.buy("magazine")
        expectEqual(answer.id == first.id, handsBack)
        expectEqual(try world.status("press").state, (handsBack ? .expired : .subscribed))
    }

    @Test func `a product that is no longer sold is not renewed`() async throws {
        let world = try await subscribed()
        world.appStore.catalog.products.removeAll { $0.productID == "magazine" }
        world.appStore.advance(by: 31 * day)
        expectEqual(try world.renewalInfo("press").expirationReason, .productUnavailable)
    }

    @Test func `statuses of all groups, and the error of reading them`() async throws {
        let world = try await subscribed(to: "basic")
        try await world.own("magazine")
        var groups: [String] = []
        for await (group, statuses) in Product.SubscriptionInfo.Status.all(of: world.launch) where statuses.count == 1 {
            groups.append(group)
        }
        expectEqual(groups, ["club", "press"])
        expectEqual(world.appStore.allSubscriptionStatuses().map(\.state), [.subscribed, .subscribed])
        world.appStore.behavior.statusError = .notConnectedToInternet
        let error = #expect(throws: StoreKitError.self) { try world.status() }
        #expect("\(String(describing: error))".contains("networkError"))
        await #expect(throws: StoreKitError.self) { try await world.product("basic").subscription?.status }
    }

    @Test(arguments: [false, true]) func `changes of a status are sent`(tellsAutoRenew: Bool) async throws {
        world.appStore.behavior.sendsAutoRenewChanges = tellsAutoRenew
        var updates = Product.SubscriptionInfo.Status.updates(of: world.launch).makeAsyncIterator()
        try await world.own("magazine")
        expectEqual(await updates.next()?.state, .subscribed)
        try world.appStore.disableAutoRenew(of: "magazine")
        if tellsAutoRenew { #expect(try await updates.next()?.renewalInfo.payloadValue.willAutoRenew == false) }
        try world.appStore.enableAutoRenew(of: "magazine")
        if tellsAutoRenew { #expect(try await updates.next()?.renewalInfo.payloadValue.willAutoRenew == true) }
        world.appStore.advance(by: 31 * day)
        expectEqual(try await updates.next()?.transaction.payloadValue.reason, .renewal)
        world.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        world.appStore.behavior.billingGracePeriodIsEnabled = true
        world.appStore.advance(by: 28 * day)
        expectEqual(await updates.next()?.state, .inGracePeriod)
        world.appStore.advance(by: 16 * day)
        expectEqual(await updates.next()?.state, .inBillingRetryPeriod)
        world.appStore.advance(by: 60 * day)
        expectEqual(await updates.next()?.state, .expired)
    }

    @Test func `a downgrade and an upgrade send a status`() async throws {
        let world = try await subscribed(to: "basic")
        var updates = Product.SubscriptionInfo.Status.updates(of: world.launch).makeAsyncIterator()
        try await world.buy("basic.yearly")
        expectEqual(try await updates.next()?.renewalInfo.payloadValue.autoRenewPreference, "basic.yearly")
        try await world.buy("premium")
        expectEqual(try await updates.next()?.transaction.payloadValue.productID, "premium")
    }

    @Test func `a temporary expiry and its end are sent`() async throws {
        let world = try await subscribed { $0.behavior.renewalVisibilityDelay = 0.5 }
        var updates = Product.SubscriptionInfo.Status.updates(of: world.launch).makeAsyncIterator()
        world.appStore.advance(by: 32 * day)
        expectEqual(await updates.next()?.state, .expired)
        expectEqual(await updates.next()?.state, .subscribed)
    }

    @Test func `a shared subscription is separate from the customer's own and can be revoked`() async throws {
        var updates = world.updates()
        try world.appStore.shareInFamily("basic")
        let shared = try #require(try await updates.next()?.payloadValue)
        expectEqual(shared.ownershipType, .familyShared)
        expectEqual(shared.price, 0)
        await shared.finish()
        try await world.own("premium")
        let statuses = try Product.SubscriptionInfo.status(for: "club", launch: world.launch)
        expectEqual(try statuses.map { try $0.transaction.payloadValue.productID }, ["premium", "basic"])
        expectEqual(await world.entitlements, ["premium", "basic"])
        try world.appStore.revokeFamilySharing(of: "basic")
        let withdrawn = try #require(try await updates.next()?.payloadValue)
        #expect(withdrawn.id == shared.id && withdrawn.revocationDate != nil)
        let after = try Product.SubscriptionInfo.status(for: "club", launch: world.launch)
        expectEqual(after.map(\.state), [.subscribed, .revoked])
        expectEqual(await world.entitlements, ["premium"])
        try world.appStore.shareInFamily("pro")
        expectEqual(await updates.next()?.unsafePayloadValue.productID, "pro")
        expectEqual(await world.entitlements, ["pro", "premium"])
        #expect(throws: SimulatorError.self) { try world.appStore.shareInFamily("nothing") }
    }
}
