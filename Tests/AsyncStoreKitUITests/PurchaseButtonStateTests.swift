import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

/// The states of a button over the products of a simulated App Store.
@Suite(.bounded) @MainActor struct PurchaseButtonStateTests {
    private let fixture = PaywallFixture()
    private var store: PurchaseStore { fixture.store }
    private var appStore: SimulatedAppStore { fixture.appStore }

    private func failure(_ outcome: SimulatedOutcome) async -> StoreError? {
        appStore.setNextPurchaseOutcome(outcome)
        do throws(StoreError) {
            _ = try await store.purchase("coins") { _ in }
            return nil
        } catch {
            return error
        }
    }

    @Test func `a product that isn't loaded, or doesn't have the billing plan, can't be bought`() async throws {
        let unloaded = StoreModelState().button(for: "pro")
        #expect(!unloaded.isEnabled && unloaded.status == nil)
        expectEqual(unloaded.accessibilityLabel, "Loading…")
        try await fixture.load()
        let state = fixture.state.button(for: "club.monthly", options: [.billingPlan(.monthly)])
        #expect(!state.isEnabled)
        expectEqual(state.status, "Not available")
        let unknown = fixture.state.button(for: "unknown")
        expectEqual(unknown.absence, .unknown)
        expectEqual(unknown.status, "Not available")
        expectEqual(unknown.accessibilityLabel, "Not available")
        expectEqual(
            PurchaseButtonConfiguration(productID: "unknown", unknown, trigger: {}).accessibilityValue, "",
            "not read twice")
        expectEqual(fixture.state.button(for: "pro").absence, nil)
    }

    @Test func `a button doesn't wait forever for products that nothing loads, or that can't be loaded`() async throws {
        var state = StoreModelState()
        let place = ConfirmationPlace()
        let load = state.products.want([], at: place)
        expectEqual(load, nil)
        expectEqual(state.button(for: "pro").absence, .unknown)
        let wanted = state.products.want(["pro"], at: place)
        let request = try #require(wanted)
        expectEqual(state.button(for: "pro").absence, nil, "the product is being loaded")
        let error = StoreError(.networkError, "There is no network.")
        state.products.answered(request, .failure(error))
        expectEqual(state.button(for: "pro").status, error.localizedDescription)
        expectEqual(state.button(for: "pro").absence, .failed(error))
    }

    /// The texts of a button, and whether it's enabled.
    @Test func `a button describes itself for accessibility, and says why it's disabled`() async throws {
        try await fixture.load()
        var button = fixture.state.button(for: "club.monthly")
        expectEqual(button.accessibilityLabel, "Club, Monthly, 1 week free, then £4.99 per month")
        expectEqual(button.accessibilityHint, "Asks you to confirm the subscription.")
        expectEqual(fixture.state.button(for: "pro").accessibilityHint, "Asks you to confirm the purchase.")
        let failed = StoreError(.networkError, "There is no network.")
        let rows: [(PurchaseProgress, StoreError?, String?, String?, Bool)] = [
            (.idle, nil, nil, nil, true),
            (.purchasing, nil, "Purchasing…", nil, false),
            (.pending, nil, "Waiting for approval", "hourglass", false),
            (.awaitingDelivery, nil, "Paid. You get it in a moment.", nil, false),
            (.idle, failed, "The purchase failed.", "exclamationmark.triangle", true),
            (.purchasing, failed, "Purchasing…", nil, false),
        ]
        for (progress, failure, status, symbolName, isEnabled) in rows {
            button.shared = progress
            button.failure = failure
            expectEqual(button.status, status)
            expectEqual(button.symbolName, symbolName)
            expectEqual(button.isEnabled, isEnabled, "\(progress)")
            let configuration = PurchaseButtonConfiguration(productID: "club.monthly", button) {}
            expectEqual(configuration.accessibilityValue, status ?? "")
            expectEqual(configuration.isInProgress, progress == .purchasing || progress == .awaitingDelivery)
            expectEqual(configuration.accessibilityHint.isEmpty, !isEnabled && progress != .pending)
        }
    }

    @Test func `a disabled button's trigger does nothing`() async throws {
        try await fixture.load()
        var presses = 0
        var button = fixture.state.button(for: "coins")
        PurchaseButtonConfiguration(productID: "coins", button) { presses += 1 }.trigger()
        expectEqual(presses, 1)
        button.shared = .purchasing
        PurchaseButtonConfiguration(productID: "coins", button) { presses += 1 }.trigger()
        expectEqual(presses, 1)
    }

    @Test func `an owned product can't be bought again, and other products can`() async throws {
        for productID in ["pro", "season", "coins", "club.monthly"] { try await store.purchase(productID) { _ in } }
        try await fixture.load()
        let pro = fixture.state.button(for: "pro")
        #expect(pro.isOwned && !pro.isEnabled)
        expectEqual(pro.status, "Purchased")
        expectEqual(pro.accessibilityLabel, "Darkroom Pro")
        expectEqual(fixture.state.button(for: "club.monthly").status, "Current plan")
        #expect(fixture.state.button(for: "season").isEnabled, "more time can be bought")
        #expect(fixture.state.button(for: "coins").isEnabled)
    }

    @Test(arguments: Customer.allCases)
    func `a subscription can be bought unless it renews, or a family member shares it`(_ customer: Customer)
        async throws
    {
        let productID = if case .commitment = customer { "club.yearly" } else { "club.monthly" }
        guard ![.upgraded, .downgradePending].contains(customer) else { return }
        let fixture = try PaywallFixture(customer, of: productID)
        try await fixture.load()
        let button = fixture.state.button(for: productID)
        switch customer {
        case .new, .canceled, .billingRetry, .expired, .refunded, .familyEnded, .winBack, .otherAccount, .unknown,
            // StoreKit 2 doesn't list the requests of an earlier launch.
            .pendingApproval:
            #expect(button.isEnabled, "\(button)")
        case .offline:
            #expect(!button.isEnabled, "nothing is loaded")
        default:
            #expect(!button.isEnabled, "\(button)")
        }
    }

    @Test func `a failure is shown by the button that started, until something else is in progress`() async throws {
        try await fixture.load()
        let failure = try #require(await failure(.failed(.unknown)))
        let state = fixture.state.button(for: "coins", failure: failure)
        expectEqual(state.progress, .failed(failure))
        #expect(state.isEnabled)
        expectEqual(fixture.state.button(for: "coins").progress, .idle)
        var other = state
        other.shared = .purchasing
        expectEqual(other.progress, .purchasing)
    }

    @Test func `a purchase that will be delivered, or that was canceled, isn't a failure`() async throws {
        store.setDelivery { _ in .retryLater }
        try await fixture.load()
        do throws(StoreError) {
            _ = try await store.purchase("coins")
            Issue.record("The purchase was delivered.")
        } catch {
            expectEqual(fixture.state.button(for: "coins", failure: error).progress, .idle, "the model waits")
        }
        let canceled = StoreError(.taskCancelled, "The task was cancelled.")
        expectEqual(fixture.state.button(for: "pro", failure: canceled).progress, .idle)
    }
}
