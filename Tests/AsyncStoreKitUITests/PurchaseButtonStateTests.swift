import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

/// What a button shows, over what a simulated App Store sells.
@Suite(.bounded) struct PurchaseButtonStateTests {
    private let appStore = SimulatedAppStore(products: [
        .nonConsumable("pro", price: 10), .autoRenewable("club", price: 5, period: .month(1), group: "club"),
        .nonRenewingSubscription("season", price: 3), .consumable("coins", price: 1),
    ])

    private func state(
        _ productID: String, shared: PurchaseProgress = .idle, failure: StoreError? = nil, in store: PurchaseStore
    ) async throws -> PurchaseButtonState {
        PurchaseButtonState(
            product: try await store.products(for: [productID]).first, shared: shared, failure: failure,
            entitlement: await store.entitlements.refresh()[productID])
    }

    private func failure(_ outcome: SimulatedOutcome, in store: PurchaseStore) async -> StoreError? {
        appStore.setNextPurchaseOutcome(outcome)
        do throws(StoreError) {
            _ = try await store.purchase("coins") { _ in }
            return nil
        } catch {
            return error
        }
    }

    @Test func `a product that is not loaded cannot be bought`() {
        #expect(!PurchaseButtonState(product: nil, shared: .idle, failure: nil, entitlement: nil).isEnabled)
    }

    @Test func `what is being bought, or waits, cannot be bought once more`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        #expect(try await state("pro", in: store).isEnabled)
        for progress in [PurchaseProgress.purchasing, .pending, .awaitingDelivery] {
            #expect(try await !state("pro", shared: progress, in: store).isEnabled)
        }
    }

    @Test func `what is owned for good cannot be bought again, what is used up can`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        for productID in ["pro", "season", "coins", "club"] { try await store.purchase(productID) { _ in } }
        #expect(try await state("pro", in: store).isOwned)
        #expect(try await !state("pro", in: store).isEnabled)
        #expect(try await state("season", in: store).isEnabled, "its time may be bought on top")
        #expect(try await state("coins", in: store).isEnabled)
    }

    @Test func `a subscription that ends can be bought again`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        try await store.purchase("club") { _ in }
        let club = try await state("club", in: store)
        #expect(club.isOwned, "\(String(describing: club.entitlement))")
        appStore.advance(by: .months(2))
        try appStore.disableAutoRenew(of: "club")
        appStore.advance(by: .months(2))
        #expect(try await state("club", in: store).isEnabled)
    }

    @Test func `a failure is shown by the button that began, until something else goes on`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        let failure = try #require(await failure(.failed(.unknown), in: store))
        let state = try await state("coins", failure: failure, in: store)
        guard case .failed(let shown) = state.progress else { throw failure }
        #expect(shown.code == failure.code && state.isEnabled)
        let other = try await self.state("coins", shared: .purchasing, failure: failure, in: store)
        guard case .purchasing = other.progress else { throw failure }
        #expect(!other.isEnabled)
    }

    @Test func `what the customer did, or will still be delivered, is no failure`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        store.setDelivery { _ in .retryLater }
        do throws(StoreError) {
            _ = try await store.purchase("coins")
            Issue.record("it was delivered")
        } catch {
            let state = try await state("coins", failure: error, in: store)
            guard case .awaitingDelivery = state.progress else { throw error }
            #expect(!state.isEnabled)
        }
        let cancelled = Task { try await store.purchase("pro") { _ in } }
        cancelled.cancel()
        if case .failure(let error as StoreError) = await cancelled.result {
            let state = try await state("pro", failure: error, in: store)
            guard case .idle = state.progress else { throw error }
        }
    }
}
