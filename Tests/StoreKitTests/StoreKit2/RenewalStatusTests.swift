import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct RenewalStatusTests {
    private let day: TimeInterval = 86_400

    private func subscribed(
        to id: String = "magazine", _ change: (SimulatedAppStore) -> Void = { _ in }
    ) async throws -> StoreKit2World {
        let world = StoreKit2World()
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

    @Test func `a canceled subscription expires`() async throws {
        let world = try await subscribed()
        try world.appStore.disableAutoRenew(of: "magazine")
        let renewal = try world.renewalInfo("press")
        #expect(!renewal.willAutoRenew && renewal.renewalDate == nil && renewal.renewalPrice == nil)
        expectEqual(try world.status("press").state, .subscribed)
        world.appStore.advance(by: 31 * day)
        expectEqual(try world.status("press").state, .expired)
        expectEqual(try world.renewalInfo("press").expirationReason, .autoRenewDisabled)
        expectEqual(await world.entitlements, [])
        expectEqual(await world.all, ["magazine"])
    }

    @Test func `an unpaid renewal is retried for sixty days, with a grace period at first`() async throws {
        let world = try await subscribed { store in
            store.behavior.shouldEnterBillingRetryOnRenewal = true
            store.behavior.billingGracePeriodIsEnabled = true
        }
        let paid = try #require(try world.status("press").transaction.payloadValue.expirationDate)
        world.appStore.advance(by: 31 * day)
        expectEqual(try world.status("press").state, .inGracePeriod)
        let renewal = try world.renewalInfo("press")
        #expect(renewal.isInBillingRetry && renewal.gracePeriodExpirationDate == paid.addingTimeInterval(16 * day))
        expectEqual(renewal.expirationReason, .billingError)
        // In a grace period, the paid period has ended, but the customer is entitled.
        #expect(paid <= world.appStore.now)
        expectEqual(await world.entitlements, ["magazine"])
        world.appStore.advance(by: 16 * day)
        expectEqual(try world.status("press").state, .inBillingRetryPeriod)
        expectEqual(await world.entitlements, [])
        world.appStore.behavior.entitlementsListBillingRetry = true
        expectEqual(await world.entitlements, ["magazine"])
        world.appStore.behavior.shouldEnterBillingRetryOnRenewal = false
        try world.appStore.resolvePurchase(of: "magazine")
        expectEqual(try world.status("press").state, .subscribed)
        world.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        world.appStore.advance(by: 100 * day)
        expectEqual(try world.status("press").state, .expired)
        expectEqual(try world.renewalInfo("press").expirationReason, .billingError)
    }

    @Test func `a refund revokes one period, and the next period begins`() async throws {
        let world = try await subscribed()
        try world.appStore.refund("magazine")
        let status = try world.status("press")
        expectEqual(status.state, .revoked)
        expectEqual(try status.transaction.payloadValue.revocationDate, world.appStore.now)
        #expect(try status.renewalInfo.payloadValue.willAutoRenew)
        expectEqual(await world.entitlements, [])
        world.appStore.advance(by: 31 * day)
        expectEqual(try world.status("press").state, .subscribed)
        expectEqual(await world.entitlements, ["magazine"])
        try world.appStore.expireSubscription(productID: "magazine", reason: .unknown)
        expectEqual(try world.renewalInfo("press").expirationReason, .unknown)
    }

    @Test func `a refund of a former period doesn't affect the current period`() async throws {
        let world = try await subscribed()
        world.appStore.advance(by: 31 * day)
        let first = try #require(world.appStore.allTransactions().first)
        try world.appStore.refundTransaction(id: first.id)
        expectEqual(try world.status("press").state, .subscribed)
        expectEqual(await world.entitlements, ["magazine"])
    }

    @Test func `a refunded period can be bought again`() async throws {
        let world = try await subscribed()
        let refunded = try world.status("press").transaction.payloadValue
        try world.appStore.refund("magazine")
        let again = try await world.buy("magazine")
        #expect(again.id != refunded.id && again.originalID == refunded.originalID)
        expectEqual(try world.status("press").state, .subscribed)
    }

    @Test func `a subscription seems to have expired for a moment at the end of each period`() async throws {
        let world = try await subscribed { $0.behavior.renewalVisibilityDelay = 0.5 }
        let first = try world.status("press").transaction.payloadValue
        world.appStore.advance(to: try #require(first.expirationDate))
        let status = try world.status("press")
        expectEqual(status.state, .expired)
        expectEqual(try status.transaction.payloadValue.id, first.id)
        #expect(try !status.renewalInfo.payloadValue.willAutoRenew)
        expectEqual(await world.entitlements, [])
        world.appStore.advance(by: 0.5)
        expectEqual(try world.status("press").state, .subscribed)
        #expect(try world.renewalInfo("press").willAutoRenew)
        expectEqual(await world.entitlements, ["magazine"])
    }

    @Test func `an upgrade begins immediately, and the replaced transaction can still be listed`() async throws {
        let world = try await subscribed(to: "basic")
        let upgraded = try await world.buy("premium")
        expectEqual(await world.entitlements, ["premium"])
        world.appStore.behavior.entitlementsListUpgraded = true
        expectEqual(await world.entitlements, ["premium", "basic"])
        let replaced = try #require(try Transaction.latest(for: "basic", launch: world.launch)?.payloadValue)
        #expect(replaced.isUpgraded && replaced.revocationDate == nil && upgraded.originalID == replaced.originalID)
        expectEqual(try world.status().transaction.payloadValue.id, upgraded.id)
        world.appStore.advance(by: 31 * day)
        expectEqual(await world.entitlements, ["premium"])
    }

    @Test(arguments: [("premium", "basic"), ("basic", "basic.yearly")])
    func `a change at the renewal is answered with the existing transaction`(from: String, to: String) async throws {
        let world = try await subscribed(to: from)
        let present = try world.status().transaction.payloadValue
        let answer = try await world.buy(to)
        expectEqual(answer.id, present.id)
        expectEqual(answer.productID, from)
        let renewal = try world.renewalInfo()
        expectEqual(renewal.autoRenewPreference, to)
        expectEqual(renewal.currentProductID, from)
        world.appStore.advance(to: try #require(present.expirationDate))
        expectEqual(try world.status().transaction.payloadValue.productID, to)
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

    @Test func `a price increase gets consent or ends the subscription`() async throws {
        for agrees in [true, false] {
            let world = try await subscribed()
            try world.appStore.raisePrice(of: "magazine", to: 7)
            expectEqual(try world.renewalInfo("press").priceIncreaseStatus, .pending)
            expectEqual(try world.renewalInfo("press").renewalPrice, 7)
            if agrees {
                try world.appStore.consentToPriceIncrease(of: "magazine")
                expectEqual(try world.renewalInfo("press").priceIncreaseStatus, .agreed)
                #expect(throws: SimulatorError.self) { try world.appStore.consentToPriceIncrease(of: "magazine") }
            }
            world.appStore.advance(by: 31 * day)
            let status = try world.status("press")
            expectEqual(status.state, (agrees ? .subscribed : .expired))
            expectEqual(
                try status.renewalInfo.payloadValue.expirationReason, (agrees ? nil : .didNotConsentToPriceIncrease))
            if agrees { expectEqual(try status.transaction.payloadValue.price, 7) }
        }
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
        let world = StoreKit2World()
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

    @Test func `the end of Family Sharing revokes the shared subscription, not the customer's own`() async throws {
        let world = StoreKit2World()
        try world.appStore.shareInFamily("pro")
        try await world.own("pro")
        expectEqual(await world.entitlements, ["pro"])
        try world.appStore.revokeFamilySharing(of: "pro")
        let owned = try #require(try Transaction.currentEntitlement(for: "pro", launch: world.launch)?.payloadValue)
        expectEqual(owned.ownershipType, .purchased)
        try world.appStore.revokeFamilySharing(of: "pro")
        expectEqual(await world.entitlements, [])
    }

    @Test func `a shared subscription is separate from the customer's own and can be revoked`() async throws {
        let world = StoreKit2World()
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
