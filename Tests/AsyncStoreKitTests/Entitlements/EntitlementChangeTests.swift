import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// Checks the changes between two answers about the customer's entitlements.
@Suite(.bounded) struct EntitlementChangeTests {
    struct Scene: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: [String]
        let setUp: @Sendable (StoreWorld) async throws -> Void
        let step: @Sendable (StoreWorld) async throws -> Void

        init(
            _ name: String, _ expected: [String],
            after setUp: @escaping @Sendable (StoreWorld) async throws -> Void = { _ in },
            _ step: @escaping @Sendable (StoreWorld) async throws -> Void
        ) {
            (testDescription, self.expected, self.setUp, self.step) = (name, expected, setUp, step)
        }
    }

    /// A world with a customer who has paid for a month of "basic", without a trial.
    private static let paidBasic: @Sendable (StoreWorld) async throws -> Void = { world in
        try await world.buy("basic")
        try await world.store.advance(by: .weeks(2))
    }

    private static let scenes: [Scene] = [
        Scene("a trial starts", ["trialStarted basic"]) { try await $0.buy("basic") },
        Scene("a subscription starts without a trial", []) { try await $0.buy("magazine") },
        Scene("a trial is paid for", ["trialConverted basic"], after: { try await $0.buy("basic") }) {
            try await $0.store.advance(by: .weeks(2))
        },
        Scene("a trial ends unpaid", ["expired basic"], after: { try await $0.buy("basic") }) {
            try $0.appStore.disableAutoRenew(of: "basic")
            try await $0.store.advance(by: .weeks(2))
        },
        Scene("a subscription renews", [], after: paidBasic) { try await $0.store.advance(by: .months(1)) },
        Scene("the customer cancels", ["renewalTurnedOff basic"], after: paidBasic) {
            try $0.appStore.disableAutoRenew(of: "basic")
        },
        Scene(
            "the customer changes a cancellation", ["renewalTurnedOn basic"],
            after: {
                try await paidBasic($0)
                try $0.appStore.disableAutoRenew(of: "basic")
            }
        ) { try $0.appStore.enableAutoRenew(of: "basic") },
        Scene(
            "a canceled subscription ends", ["expired basic"],
            after: {
                try await paidBasic($0)
                try $0.appStore.disableAutoRenew(of: "basic")
            }
        ) { try await $0.store.advance(by: .months(1)) },
        Scene("a charge fails", ["billingFailed magazine"], after: { try await $0.buy("magazine") }) {
            $0.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
            try await $0.store.advance(by: .months(1))
        },
        Scene(
            "a charge fails in the grace period", ["billingFailed magazine"], after: { try await $0.buy("magazine") }
        ) {
            $0.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
            $0.appStore.behavior.billingGracePeriodIsEnabled = true
            try await $0.store.advance(by: .months(1))
        },
        Scene(
            "the App Store stops the billing retry", ["expired magazine"],
            after: {
                try await $0.buy("magazine")
                $0.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
                try await $0.store.advance(by: .months(1))
            }
        ) { try await $0.store.advance(by: .months(3)) },
        Scene("an upgrade ends nothing", [], after: paidBasic) { try await $0.buy("premium") },
        Scene(
            "a downgrade ends nothing", [],
            after: {
                try await paidBasic($0)
                try await $0.buy("premium")
                try await $0.buy("basic")
            }
        ) { try await $0.store.advance(by: .months(1)) },
        Scene("a refund is an event of the store", [], after: paidBasic) { try $0.appStore.refund("basic") },
        Scene("prepaid time ends", ["expired season"], after: { try await $0.buy("season") }) {
            try await $0.store.advance(by: .days(30))
        },
    ]

    private func describe(_ events: [StoreEvent]) -> [String] { events.map { "\($0.kind) \($0.productID)" } }

    private static func makeWorld() -> StoreWorld {
        StoreWorld(configuration: StoreConfiguration(nonRenewingDurations: ["season": 20 * 86_400]))
    }

    @Test(arguments: scenes) func `a change of a subscription is an event`(scene: Scene) async throws {
        let world = Self.makeWorld()
        await world.confirmed()
        try await scene.setUp(world)
        try await world.store.settled()
        let former = await world.confirmed()
        try await scene.step(world)
        try await world.store.settled()
        let latest = await world.confirmed()
        expectEqual(describe(latest.changes(since: former)), scene.expected)
        expectEqual(describe(latest.changes(since: latest)), [])
    }

    @Test func `an answer after none is no change, and neither is an answer that isn't known`() async throws {
        let world = Self.makeWorld()
        try await world.buy("basic")
        let latest = await world.confirmed()
        #expect(latest["basic"]?.isTrial == true)
        expectEqual(describe(latest.changes(since: .unknown)), [])
        expectEqual(describe(StoreEntitlements.unknown.changes(since: latest)), [])
    }

    @Test func `a list that is empty for a moment ends nothing`() async throws {
        let world = Self.makeWorld()
        try await Self.paidBasic(world)
        let former = await world.confirmed()
        world.appStore.behavior.entitlementsAreEmpty = true
        world.appStore.behavior.statusError = .unknown
        let latest = await world.refreshed()
        #expect(!latest.issues.isEmpty && latest != former)
        expectEqual(describe(latest.changes(since: former)), [])
    }

    @Test func `a change has the date that Apple has signed, and the price`() async throws {
        let world = Self.makeWorld()
        let before = await world.confirmed()
        try await world.buy("basic")
        let trial = await world.confirmed()
        let start = try #require(trial.changes(since: before).first)
        expectEqual(start.date, trial["basic"]?.purchaseDate)
        expectEqual(start.price, 0)
        #expect(start.transaction == nil && start.currency == "USD")
        world.appStore.advance(by: 3_600)
        try world.appStore.disableAutoRenew(of: "basic")
        let canceled = await world.refreshed()
        expectEqual(canceled.changes(since: trial).first?.date, canceled["basic"]?.renewal?.signedDate)
        try await world.store.advance(by: .weeks(2))
        let ended = await world.confirmed()
        let end = try #require(ended.changes(since: canceled).first)
        expectEqual(end.date, trial["basic"]?.expirationDate)
        expectEqual("\(end)", "expired basic (0 USD)")
    }

    @Test func `a canceled commitment is a renewal that was turned off`() async throws {
        let product = SimulatedProduct.autoRenewable(
            "year", price: 60, period: .year(1), group: "club", monthlyPlan: .monthly(6))
        let appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(
                products: [product], storefront: SimulatedStorefront(countryCode: "DEU", id: "143443")))
        let store = PurchaseStore(simulating: appStore)
        try await store.purchase("year", options: [.billingPlan(.monthly)]) { _ in }
        try await store.settled()
        let former = await store.entitlements.current
        try appStore.disableAutoRenew(of: "year")
        let latest = await store.entitlements.refresh()
        #expect(latest["year"]?.renewal?.willRenew == true)
        expectEqual(describe(latest.changes(since: former)), ["renewalTurnedOff year"])
    }
}
