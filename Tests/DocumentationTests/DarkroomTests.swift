import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The tasks of an app's first week, with StoreKit 2's names.
@Suite(.bounded) @MainActor struct DarkroomTests {
    private let appStore = SimulatedAppStore(products: [
        .consumable("prints", price: 2), .nonConsumable("pro", price: 25, isFamilyShareable: true),
        .autoRenewable(
            "cloud", price: 3, period: .month(1), group: "cloud", introductoryOffer: .freeTrial(.week(1)),
            promotionalOffers: [.payUpFront(1, for: .month(1), id: "half")],
            winBackOffers: [.payUpFront(2, for: .month(1), id: "back")]),
    ])
    private let account = UUID()

    private func app() async -> Darkroom {
        let app = Darkroom(store: PurchaseStore(simulating: appStore), account: account)
        await app.loadShop()
        return app
    }

    private func product(_ id: String, _ app: Darkroom) throws -> StoreProduct {
        try #require(app.products.first { $0.id == id })
    }

    /// Waits until the changes that an event causes have led to a state.
    private func change(of app: Darkroom, _ cause: () throws -> Void, until holds: () -> Bool) async throws {
        let changes = AsyncStream.makeStream(of: Void.self)
        app.onChange = { changes.continuation.yield() }
        try cause()
        var iterator = changes.stream.makeAsyncIterator()
        while !holds() { await iterator.next() }
    }

    @Test func `a shop, prints for an account, and a pro version`() async throws {
        let app = await app()
        expectEqual(app.products.map(\.id), ["prints", "pro", "cloud"])
        await app.buy(try product("prints", app), quantity: 2)
        expectEqual(app.prints, 20)
        #expect(await !app.isPro)
        await app.buy(try product("pro", app))
        #expect(await app.isPro)
        expectEqual(app.banner, nil)
    }

    @Test func `a member tries, pays, leaves, and comes back with an offer`() async throws {
        let app = await app()
        let cloud = try product("cloud", app)
        await app.buy(cloud)
        expectEqual(try await app.settings().membership, "Trial")
        appStore.advance(by: .days(8))
        let paid = try await app.settings()
        expectEqual(paid.membership, "Member")
        expectEqual(paid.lastPayment, "3 USD true")
        expectEqual(paid.history, ["cloud", "cloud"])
        try appStore.disableAutoRenew(of: "cloud")
        expectEqual(try await app.settings().membership, "Canceled")
        appStore.advance(by: .months(2))
        expectEqual(try await app.settings().membership, "Left")
        await app.buy(cloud)
        expectEqual(try await app.settings().lastPayment, "2 USD true")
        expectEqual(app.banner, nil)
        await app.buyWithOffer(cloud, signature: Data("signature".utf8), nonce: UUID())
    }

    @Test func `a settings screen requests a refund long after the purchase`() async throws {
        let first = await app()
        await first.buy(try product("pro", first))
        let app = await app()
        #expect(try await app.settings().canRequestRefund)
        expectEqual(try await app.askForMoneyBack(), .submitted)
        try await app.openSubscriptions()
        app.launch()
        defer { app.close() }
        try await change(of: app) {
            try appStore.refund("pro", reason: .developerIssue)
        } until: {
            !app.lost.isEmpty
        }
        expectEqual(app.lost, ["pro issue true"])
        #expect(await !app.isPro)
        #expect(try await !app.settings().canRequestRefund)
    }

    @Test func `a family-shared purchase gives access and can't be refunded`() async throws {
        try appStore.shareInFamily("pro")
        let app = await app()
        let settings = try await app.settings()
        #expect(settings.isShared && !settings.canRequestRefund)
        await #expect(throws: StoreError.self) { try await app.askForMoneyBack() }
    }

    @Test func `a purchase that waits for approval is in the list`() async throws {
        let app = await app()
        appStore.setNextPurchaseOutcome(.deferred)
        await app.buy(try product("pro", app))
        expectEqual(app.banner, "Waiting for approval.")
        app.launch()
        defer { app.close() }
        try await change(of: app) {
        } until: {
            !app.waiting.isEmpty
        }
        expectEqual(app.waiting, ["pro"])
    }

    @Test func `an interrupted purchase tells the customer what to do`() async throws {
        let app = await app()
        appStore.behavior.interruptedPurchase = .throwsUnknown
        appStore.setNextPurchaseOutcome(.interrupted)
        await app.buy(try product("pro", app))
        expectEqual(app.banner, "Confirm the purchase in the App Store.")
    }
}
