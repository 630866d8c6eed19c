import AppReceipt
import AppStoreServer
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// A phone with the app, its server, and its App Store.
@MainActor private final class Phone {
    let appStore = SimulatedAppStore(products: [
        .consumable("coins", price: 1), .nonConsumable("pro", price: 10),
        .autoRenewable("monthly", price: 5, period: .month(1), group: "club"),
    ])
    let server = Server()
    private(set) var app: TrialApp
    private var waiting: [(holds: (TrialApp.Screen) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    var screen: TrialApp.Screen { app.screen }

    private let engine: StoreEngine

    init(engine: StoreEngine = .storeKit2) async {
        self.engine = engine
        let store = PurchaseStore(backend: SimulatedBackend(appStore, engine: engine))
        app = TrialApp(store: store, server: server, verifier: .simulated())
        await launch()
    }

    /// Ends the app at any moment, and launches it again.
    func relaunch(verifier: any ReceiptVerifier = .simulated()) async {
        app = TrialApp(store: appStore.relaunch(engine: engine), server: server, verifier: verifier)
        await launch()
    }

    /// Returns when the screen shows a text.
    func until(_ holds: @escaping (TrialApp.Screen) -> Bool) async {
        if !holds(screen) { await withCheckedContinuation { waiting.append((holds, $0)) } }
    }

    private func launch() async {
        app.onChange = { [weak self] in self?.changed($0) }
        await app.launch()
    }

    private func changed(_ screen: TrialApp.Screen) {
        for one in waiting where one.holds(screen) { one.continuation.resume() }
        waiting.removeAll { $0.holds(screen) }
    }
}

@Suite(.bounded) @MainActor struct TrialAppTests {
    @Test func `prices come in the app's order`() async throws {
        let phone = await Phone()
        await phone.app.showProducts()
        #expect(phone.screen.prices == ["monthly: $5.00", "pro: $10.00", "coins: $1.00"])
        #expect(phone.screen.banner == nil)
    }

    @Test func `coins are delivered once, whatever happens later`() async throws {
        let phone = await Phone()
        await phone.app.buy("coins")
        #expect(await phone.server.coins == 1)
        await phone.relaunch()
        await phone.app.buy("pro")
        #expect(phone.screen.hasPro && phone.screen.deliveries == ["pro"])
        #expect(await phone.server.requests == 1)
    }

    @Test func `a server that was down delivers when it is back`() async throws {
        let phone = await Phone()
        await phone.server.become(.down)
        await phone.app.buy("coins")
        #expect(phone.screen.banner?.isEmpty == false)
        await phone.until { $0.postponed == 1 }
        await phone.server.become(.up)
        phone.appStore.advance(by: .days(1))
        await phone.until { $0.deliveries == ["coins"] }
        #expect(await phone.server.coins == 1)
    }

    @Test func `closing the sheet shows no message`() async throws {
        let phone = await Phone()
        phone.appStore.setNextPurchaseOutcome(.userCancelled)
        await phone.app.buy("pro")
        #expect(phone.screen.banner == nil && !phone.screen.hasPro)
    }

    @Test func `a failed payment shows a text for customers`() async throws {
        let phone = await Phone()
        phone.appStore.setNextPurchaseOutcome(.failed(.unknown))
        await phone.app.buy("coins")
        let banner = try #require(phone.screen.banner)
        #expect(!banner.contains("coins") && !banner.contains("StoreError"))
        #expect(await phone.server.requests == 0)
    }

    @Test func `a parent approves`() async throws {
        let phone = await Phone()
        phone.appStore.behavior.askToBuyEnabled = true
        await phone.app.buy("pro")
        await phone.until { $0.waitsForApproval == ["pro"] }
        #expect(!phone.screen.hasPro)
        try phone.appStore.approvePurchase(of: "pro")
        await phone.until { $0.hasPro && $0.waitsForApproval.isEmpty }
        #expect(phone.screen.banner == nil)
    }

    @Test(arguments: [false, true]) func `a parent declines, in the same launch or in the next`(inNextLaunch: Bool)
        async throws
    {
        // Only StoreKit 1 reports that a parent has declined.
        let phone = await Phone(engine: .storeKit1)
        phone.appStore.behavior.askToBuyEnabled = true
        await phone.app.buy("pro")
        await phone.until { $0.waitsForApproval == ["pro"] }
        if inNextLaunch {
            await phone.relaunch()
            await phone.until { $0.waitsForApproval == ["pro"] }
        }
        try phone.appStore.declinePurchase(of: "pro")
        await phone.until { $0.waitsForApproval.isEmpty && $0.banner != nil }
        #expect(!phone.screen.hasPro)
    }

    @Test func `a crash before the delivery loses nothing`() async throws {
        let phone = await Phone()
        await phone.server.become(.silent)
        let app = phone.app
        let buying = Task { await app.buy("coins") }
        await phone.server.until { $0.requests == 1 }
        await phone.server.become(.up)
        await phone.relaunch()
        await phone.until { $0.deliveries == ["coins"] }
        #expect(await phone.server.coins == 1)
        await phone.server.hangUp()
        await buying.value
        #expect(app.screen.deliveries.isEmpty)
    }

    @Test func `a restore on a new device brings all purchases`() async throws {
        let phone = await Phone()
        // The receipt doesn't contain another device's purchases until it's refreshed.
        phone.appStore.behavior.receiptLag = .refreshes(1)
        try await phone.appStore.relaunch().purchase("pro") { _ in }
        await phone.relaunch()
        #expect(!phone.screen.hasPro)
        await phone.app.restore()
        #expect(phone.screen.hasPro)
        #expect(phone.screen.deliveries == ["pro"] && phone.screen.banner == nil)
    }

    @Test func `the customer can cancel a restore`() async throws {
        let phone = await Phone()
        phone.appStore.behavior.restoreEnding = .fails(.paymentCancelled, afterRows: 0)
        await phone.app.restore()
        #expect(phone.screen.banner == nil)
    }

    @Test func `a membership that is not renewed ends`() async throws {
        let phone = await Phone()
        await phone.app.buy("monthly")
        #expect(phone.screen.isMember)
        try phone.appStore.disableAutoRenew(of: "monthly")
        phone.appStore.advance(by: .months(2))
        await phone.app.updateAccess()
        #expect(!phone.screen.isMember)
    }

    @Test func `a grace period keeps the membership while the card fails`() async throws {
        let phone = await Phone()
        await phone.relaunch(
            verifier: AppleServerReceiptVerifier(
                bundleID: .any, environment: .sandbox, transport: phone.appStore.verifyReceiptTransport))
        await phone.app.buy("monthly")
        phone.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        phone.appStore.behavior.billingGracePeriodIsEnabled = true
        phone.appStore.advance(by: .months(1))
        phone.appStore.advance(by: .days(1))
        await phone.app.updateAccess(refreshing: .always)
        #expect(phone.screen.isMember)
        phone.appStore.advance(by: .months(1))
        await phone.app.updateAccess(refreshing: .always)
        #expect(!phone.screen.isMember)
    }

    @Test func `a refund takes access`() async throws {
        let phone = await Phone()
        await phone.app.buy("pro")
        #expect(phone.screen.hasPro)
        try phone.appStore.refund("pro")
        await phone.until { !$0.hasPro }
    }

    @Test func `without a network there are no products, and no purchase is lost`() async throws {
        let phone = await Phone()
        await phone.app.buy("pro")
        phone.appStore.behavior.isOffline = true
        await phone.relaunch()
        #expect(phone.screen.hasPro && phone.screen.banner == nil)
        await phone.app.showProducts()
        #expect(phone.screen.prices.isEmpty && phone.screen.banner?.isEmpty == false)
    }
}
