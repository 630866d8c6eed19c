import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

/// The changes that a view receives when it reads the model from the environment.
@Suite(.bounded) @MainActor struct StoreModelCoreTests {
    private let fixture = PaywallFixture()
    private var core: StoreModelCore { fixture.core }
    private var appStore: SimulatedAppStore { fixture.appStore }

    @Test func `views receive loaded products, eligibility, and purchases, each change once`() async throws {
        try await fixture.load(["club.monthly", "coins"])
        expectEqual(fixture.changes.last?.products.products.map(\.id), ["club.monthly", "coins"])
        expectEqual(fixture.changes.last?.introductoryEligibility, ["club": true])
        _ = try await core.purchase("club.monthly", []) { _ in }
        try await fixture.store.settled()
        #expect(fixture.changes.contains { $0.progress(of: "club.monthly") == .purchasing })
        let last = try #require(fixture.changes.last)
        #expect(last.entitlements.contains("club.monthly") && last.progress(of: "club.monthly") == .idle)
        expectEqual(last.introductoryEligibility, ["club": false], "the trial was used")
        #expect(last.entitlements.status(inGroup: "club").isTrial)
        expectEqual(last, core.state)
        for (earlier, later) in zip(fixture.changes, fixture.changes.dropFirst()) {
            #expect(earlier != later, "a view would be updated for nothing")
        }
        let count = fixture.changes.count
        await core.loadProducts(["club.monthly", "coins"])
        await core.refresh()
        try await fixture.store.settled()
        expectEqual(fixture.changes.count, count, "nothing has changed")
    }

    @Test func `views receive events from outside the app`() async throws {
        try await fixture.load()
        try appStore.buyProduct(productID: "pro")
        try await fixture.store.settled()
        #expect(core.state.entitlements.contains("pro"))
        try appStore.refund("pro")
        try await fixture.store.settled()
        #expect(!core.state.entitlements.contains("pro"))
    }

    @Test func `views receive pending purchases, and their approvals`() async throws {
        appStore.behavior.askToBuyEnabled = true
        try await fixture.load(["coins"])
        _ = try await core.purchase("coins", []) { _ in }
        try await fixture.store.settled()
        expectEqual(core.state.progress(of: "coins"), .pending)
        let pending = try #require(core.state.pendingPurchases.first)
        expectEqual(core.state.approvalMessage(for: pending), "You get 100 Coins when the request is approved.")
        expectEqual(
            StoreModelState().approvalMessage(for: pending), "Someone in your family has to approve this purchase.")
        try appStore.approvePurchase(of: "coins")
        try await fixture.store.settled()
        #expect(core.state.pendingPurchases.isEmpty && core.state.progress(of: "coins") == .idle)
    }

    @Test(arguments: ["accepted", "rejected", "restored"])
    func `a button waits until a paid purchase is delivered, and no longer`(ending: String) async throws {
        let decision = Locked<DeliveryDecision>(.retryLater)
        fixture.store.setDelivery { _ in decision.withLock { $0 } }
        try await fixture.load()
        var failure: StoreError?
        do throws(StoreError) {
            _ = try await core.purchase("pro", [], nil)
        } catch {
            failure = error
        }
        let waiting = core.state.button(for: "pro", failure: failure)
        expectEqual(waiting.progress, .awaitingDelivery)
        #expect(!waiting.isEnabled)
        decision.withLock { $0 = ending == "rejected" ? DeliveryDecision.rejected(reason: "banned") : .accepted }
        if ending == "restored" { _ = try await core.restore(nil) } else { fixture.store.retryDeliveries() }
        try await fixture.store.settled()
        expectEqual(core.state.button(for: "pro", failure: failure).progress, .idle)
    }

    @Test func `a model doesn't keep itself alive`() async throws {
        let store = PurchaseStore(simulating: SimulatedAppStore(catalog: PaywallFixture.catalog))
        weak var weakCore: StoreModelCore?
        do {
            let core = StoreModelCore(store)
            weakCore = core
            await core.loadProducts(["coins"])
            try await store.settled()
            expectEqual(core.state.products.products.map(\.id), ["coins"])
        }
        #expect(await isReleased { weakCore })
    }

    // Alerts.

    @Test func `the alert of a failed purchase is shown in the window that was used last, until it's dismissed`()
        async throws
    {
        try await fixture.load()
        let (first, second) = (Screen(), Screen())
        let button = Screen(first.window)
        func fail() async {
            appStore.setNextPurchaseOutcome(.failed(.unknown))
            _ = try? await core.purchase("coins", []) { _ in }
        }
        await fail()
        core.change { $0.alerts.appeared(first.place) }
        expectEqual(core.state.alerts[first.place], nil, "an error from before the view appeared")
        core.change { $0.alerts.appeared(second.place) }
        core.use(windowOf: button.place)
        await fail()
        let alert = try #require(core.state.alerts[first.place])
        expectEqual(alert.title, "Purchase Failed")
        expectEqual(alert.message, alert.error?.localizedDescription)
        await core.handle(.windowUsed, at: second.place)
        expectEqual(core.state.alerts[second.place], nil, "the alert stays where it is")
        core.change { $0.alerts.dismissed(at: first.place) }
        expectEqual(core.state.alerts[first.place], nil)
        second.window = nil
        await fail()
        #expect(core.state.alerts[first.place] != nil, "the window that was used last is covered")
        core.change { $0.alerts.disappeared(first.place) }
        expectEqual(core.state.alerts[second.place]?.title, "Purchase Failed", "handed on")
        core.change { $0.alerts.disappeared(second.place) }
        await fail()
        core.change { $0.alerts.appeared(second.place) }
        expectEqual(core.state.alerts[second.place], nil)
    }

    @Test func `a view that disappears doesn't end the request that another one waits for`() async throws {
        let (settings, shop) = (ConfirmationPlace(), ConfirmationPlace())
        let task = core.want(["pro", "coins"], at: settings)
        task.cancel()
        core.change { $0.products.leave(settings) }
        await core.want(["coins"], at: shop).value
        await task.value
        expectEqual(core.state.products.products.map(\.id), ["coins"])
        expectEqual(core.state.button(for: "pro").isEnabled, true)
    }

    @Test func `a canceled purchase, and one that will be delivered, need no alert`() {
        for code in [StoreError.Code.userCancelled, .taskCancelled, .deliveryPending] {
            for action in StoreAlert.Action.allCases {
                #expect(StoreAlert(StoreError(code, ""), during: action) == nil)
            }
        }
        let titles = StoreAlert.Action.allCases.map { StoreAlert(StoreError(.networkError, ""), during: $0)?.title }
        expectEqual(titles, ["Purchase Failed", "Restore Failed", "Something Went Wrong"])
        #expect(
            StoreAlert(RestoreOutcome.userCancelled) == nil && StoreAlert(RefundRequestOutcome.userCancelled) == nil)
    }

    @Test func `a restore reports its purchases, and a second one has no effect`() async throws {
        let place = ConfirmationPlace()
        core.change { $0.alerts.appeared(place) }
        _ = try await core.restore { _ in }
        expectEqual(core.state.alerts[place]?.title, "Nothing to Restore")
        expectEqual(core.state.alerts[place]?.error, nil)
        try appStore.buyProduct(productID: "pro")
        try await fixture.store.settled()
        _ = try await core.restore { _ in }
        expectEqual(core.state.alerts[place]?.message, "1 purchase is available again.")
        #expect(!core.state.isRestoring && fixture.changes.contains(where: \.isRestoring))
        appStore.behavior.isOffline = true
        _ = try? await core.restore { _ in }
        expectEqual(core.state.alerts[place]?.title, "Restore Failed")
        var state = StoreModelState()
        let isFirst = state.beginRestore()
        let isSecond = state.beginRestore()
        #expect(isFirst && !isSecond)
    }

    @Test func `a paid purchase can be refunded, with one sheet at a time in a window, and a result`() async throws {
        let place = ConfirmationPlace()
        core.change { $0.alerts.appeared(place) }
        try await fixture.load()
        #expect(!core.state.canRequestRefund(of: "pro"))
        _ = try await core.purchase("pro", []) { _ in }
        try await fixture.store.settled()
        #expect(core.state.canRequestRefund(of: "pro"))
        let entitlement = try #require(core.state.entitlements["pro"])
        let core = core
        let (window, other) = (Screen(), Screen())
        let neighbor = Screen(window.window)
        func request() async throws(StoreError) -> RefundRequestOutcome? {
            try await core.present(at: window.place, alert: { StoreAlert($0) }) { () async throws(StoreError) in
                #expect(core.isSheetOpen(at: neighbor.place) && !core.isSheetOpen(at: other.place))
                let second = try await core.present(at: neighbor.place) { () async throws(StoreError) in true }
                expectEqual(second, nil)
                let third = try await core.present(at: other.place) { () async throws(StoreError) in true }
                expectEqual(third, true)
                return try await core.store.requestRefund(for: entitlement.transaction)
            }
        }
        expectEqual(try await request(), .submitted)
        expectEqual(core.state.alerts[place]?.title, "Refund Requested")
        appStore.behavior.refundRequestEnding = .duplicateRequest
        await #expect(throws: StoreError.self) { _ = try await request() }
        expectEqual(core.state.alerts[place]?.title, "Something Went Wrong")
        #expect(!core.isSheetOpen(at: window.place))
    }
}
