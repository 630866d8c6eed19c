import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The README's examples, as they are written there.
@Suite(.bounded) struct ReadmeTests {
    @Test func `a subscription that is not renewed ends`() async throws {
        let appStore = SimulatedAppStore(products: [
            .consumable("coins", price: 1), .autoRenewable("monthly", price: 5, period: .month(1), group: "club"),
        ])
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        try await store.purchase("monthly") { _ in }
        try appStore.disableAutoRenew(of: "monthly")
        appStore.advance(by: .months(2))
        let receipt = try await store.verifyReceipt(using: .simulated(), refreshing: .always)
        #expect(!receipt.owns("monthly", at: .now))
    }

    @Test(arguments: [SimulatedOutcome?.none, .userCancelled, .failed(.unknown)])
    @MainActor func `a button buys, and speaks to the customer`(outcome: SimulatedOutcome?) async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("com.example.pro", price: 10)])
        if let outcome { appStore.nextPurchase(is: outcome) }
        let view = View(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: Server())
        await view.button().value
        #expect(await view.server.coins == (outcome == nil ? 1 : 0))
        #expect(view.shown.count == (outcome == .failed(.unknown) ? 1 : 0))
    }

    @Test @MainActor func `a purchase by hand waits for approval, and is finished`() async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("com.example.pro", price: 10)])
        let view = View(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: Server())
        appStore.behavior.askToBuyEnabled = true
        try await view.buyByHand()
        #expect(view.shown == ["Waiting for approval"])
        appStore.behavior.askToBuyEnabled = false
        try await view.buyByHand()
        #expect(await view.server.coins == 1)
    }
}

@MainActor private final class View {
    let store: PurchaseStore
    let server: Server
    private(set) var shown: [String] = []

    init(store: PurchaseStore, server: Server) {
        self.store = store
        self.server = server
    }

    func button() -> Task<Void, Never> {
        Task {
            do throws(StoreError) {
                let outcome = try await store.purchase("com.example.pro") { purchase in try await server.deliver(purchase) }
                if case .pending = outcome { showWaitingForApproval() }
            } catch {
                if !error.isUserInitiated { show(error.localizedDescription) }  // error.message is for the log
            }
        }
    }

    func buyByHand() async throws {
        switch try await store.purchase("com.example.pro") {
        case .success(let purchase):
            try await server.deliver(purchase, receipt: store.receiptData())
            await purchase.finish()
        case .pending: showWaitingForApproval()  // Ask to Buy: the answer arrives in transactions, or in purchaseFailures
        case .userCancelled: break
        }
    }

    private func show(_ text: String) { shown.append(text) }

    private func showWaitingForApproval() { show("Waiting for approval") }
}
