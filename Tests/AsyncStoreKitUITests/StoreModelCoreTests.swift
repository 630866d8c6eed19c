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
        expectEqual(fixture.changes.last?.products.map(\.id), ["club.monthly", "coins"])
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

    @Test func `a model doesn't keep itself alive`() async throws {
        let store = PurchaseStore(simulating: SimulatedAppStore(catalog: PaywallFixture.catalog))
        weak var weakCore: StoreModelCore?
        do {
            let core = StoreModelCore(store)
            weakCore = core
            await core.loadProducts(["coins"])
            try await store.settled()
            expectEqual(core.state.products.map(\.id), ["coins"])
        }
        #expect(await isReleased { weakCore })
    }

    // Alerts.

    @Test func `the alert of a failed purchase is shown by the view that appeared last, until it's dismissed`()
        async throws
    {
        try await fixture.load()
        let (below, above) = (StoreModelState.AlertPresenter(), StoreModelState.AlertPresenter())
        func fail() async {
            appStore.setNextPurchaseOutcome(.failed(.unknown))
            _ = try? await core.purchase("coins", []) { _ in }
        }
        await fail()
        core.change { $0.appeared(below) }
        expectEqual(core.state.alert(for: below), nil, "an error from before the view appeared")
        core.change { $0.appeared(above) }
        await fail()
        expectEqual(core.state.alert(for: above)?.title, "Purchase Failed")
        expectEqual(core.state.alert(for: above)?.message, core.state.alert(for: above)?.error?.localizedDescription)
        expectEqual(core.state.alert(for: below), nil)
        core.change { $0.disappeared(above) }
        expectEqual(core.state.alert(for: below), nil, "the view of the error has disappeared")
        await fail()
        #expect(core.state.alert(for: below) != nil)
        core.change { $0.dismissAlert() }
        expectEqual(core.state.alert(for: below), nil)
        core.change { $0.disappeared(below) }
        await fail()
        core.change { $0.appeared(below) }
        expectEqual(core.state.alert(for: below), nil)
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
        let presenter = StoreModelState.AlertPresenter()
        core.change { $0.appeared(presenter) }
        _ = try await core.restore { _ in }
        expectEqual(core.state.alert(for: presenter)?.title, "Nothing to Restore")
        expectEqual(core.state.alert(for: presenter)?.error, nil)
        try appStore.buyProduct(productID: "pro")
        try await fixture.store.settled()
        _ = try await core.restore { _ in }
        expectEqual(core.state.alert(for: presenter)?.message, "1 purchase is available again.")
        #expect(!core.state.isRestoring && fixture.changes.contains(where: \.isRestoring))
        appStore.behavior.isOffline = true
        _ = try? await core.restore { _ in }
        expectEqual(core.state.alert(for: presenter)?.title, "Restore Failed")
        var state = StoreModelState()
        let isFirst = state.beginRestore()
        let isSecond = state.beginRestore()
        #expect(isFirst && !isSecond)
    }

    @Test
    func `a refund can be requested for a paid purchase, in one sheet at a time, and the customer reads the result`()
        async throws
    {
        let presenter = StoreModelState.AlertPresenter()
        core.change { $0.appeared(presenter) }
        try await fixture.load()
        #expect(!core.state.canRequestRefund(of: "pro"))
        _ = try await core.purchase("pro", []) { _ in }
        try await fixture.store.settled()
        #expect(core.state.canRequestRefund(of: "pro"))
        let entitlement = try #require(core.state.entitlements["pro"])
        let core = core
        func request() async throws(StoreError) -> RefundRequestOutcome? {
            try await core.present(alert: { StoreAlert($0) }) { () async throws(StoreError) in
                #expect(core.state.isPresentingSheet && !core.state.canRequestRefund(of: "pro"))
                let second = try await core.present { () async throws(StoreError) in true }
                expectEqual(second, nil)
                return try await core.store.requestRefund(for: entitlement.transaction)
            }
        }
        expectEqual(try await request(), .submitted)
        expectEqual(core.state.alert(for: presenter)?.title, "Refund Requested")
        appStore.behavior.refundRequestEnding = .duplicateRequest
        await #expect(throws: StoreError.self) { _ = try await request() }
        expectEqual(core.state.alert(for: presenter)?.title, "Something Went Wrong")
        #expect(!core.state.isPresentingSheet)
    }
}
