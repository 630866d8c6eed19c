import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A purchase that the customer starts in the App Store is a purchase like any other.
@Suite(.bounded) struct PromotedPurchaseTests {
    private let appStore = SimulatedAppStore(catalog: .shop)

    /// Records the payments, and rejects those of a product.
    private final class Recording: RelayBackend {
        let next: any StoreBackend
        let requests = Recorder<PaymentRequest>()
        private let rejected: String?

        init(_ next: any StoreBackend, rejecting productID: String? = nil) {
            self.next = next
            rejected = productID
        }

        func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
            requests.record(payment)
            if payment.productID == rejected { throw StoreError(.offerUnavailable, "Rejected.") }
            try next.submit(payment, as: id)
        }
    }

    private func held(_ store: PurchaseStore) async throws -> StorePurchaseIntent {
        let intents = StreamListener(store.purchaseIntents)
        try appStore.promotePurchase(of: StoreWorld.coins)
        return try #require(try await intents.next())
    }

    /// The kinds of the next events of a product.
    private func kinds(_ count: Int, _ events: StreamListener<StoreEvent>) async throws -> [StoreEvent.Kind] {
        var kinds: [StoreEvent.Kind] = []
        while kinds.count < count, let event = try await events.next() {
            if event.productID == StoreWorld.coins { kinds.append(event.kind) }
        }
        return kinds
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a held purchase takes a timeout and a context, and is delivered with the context`(engine: StoreEngine)
        async throws
    {
        let backend = Recording(SimulatedBackend(appStore, engine: engine))
        let store = PurchaseStore(over: backend)
        let intent = try await held(store)
        let outcome = try await intent.purchase(options: [.timeout(60), .context("a gift")]) { purchase in
            expectEqual(purchase.context(as: String.self), "a gift")
        }
        guard case .success(let purchase) = outcome else { throw BrokenPromise(message: "no purchase") }
        expectEqual(purchase.productID, StoreWorld.coins)
        expectEqual(backend.requests.elements.map(\.options.timeout), [60])
        try await store.settled()
        expectEqual(appStore.allTransactions().count { !$0.isFinished }, 0)
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `an account reaches StoreKit 2, and is refused over StoreKit 1, which has made the payment already`(
        engine: StoreEngine
    ) async throws {
        let backend = Recording(SimulatedBackend(appStore, engine: engine))
        let store = PurchaseStore(over: backend)
        let intent = try await held(store)
        let account = UUID()
        do {
            _ = try await intent.purchase(options: [.appAccountToken(account), .quantity(2)])
            expectEqual(engine, .storeKit2)
        } catch {
            expectEqual(error.code, .unsupported)
            expectEqual(engine, .storeKit1)
            // The purchase can still continue.
            _ = try await intent.purchase()
        }
        let options = try #require(backend.requests.elements.last?.options)
        expectEqual(options.appAccountToken, engine == .storeKit2 ? account : nil)
        expectEqual(options.quantity, 1, "the quantity is the customer's")
    }

    @Test func `a purchase that continues by itself is an event, waits for earlier payments, and is offered`()
        async throws
    {
        let clock = SimulatedClock(appStore)
        let backend = Recording(SimulatedBackend(appStore))
        let store = PurchaseStore(
            over: backend,
            configuration: StoreConfiguration(policies: PaymentQueuePolicies(promotedPurchase: .continue), clock: clock)
        )
        let (events, transactions) = (StreamListener(store.events), StreamListener(store.transactions))
        appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: false))
        let silent = Task { try await store.purchase(StoreWorld.pro) }
        _ = try await store.core.diagnostics { $0.inFlight != nil }
        try appStore.promotePurchase(of: StoreWorld.coins)
        _ = try await store.core.diagnostics { $0.waitingPayments == 1 }
        expectEqual(backend.requests.elements.map(\.productID), [StoreWorld.pro])
        silent.cancel()
        let purchase = try #require(try await transactions.next())
        expectEqual(purchase.productID, StoreWorld.coins)
        expectEqual(purchase.cause, .unsolicited)
        await purchase.finish()
        expectEqual(try await kinds(2, events), [.started, .purchased])
    }

    @Test func `the reason why a purchase can't continue by itself is reported`() async throws {
        let backend = Recording(SimulatedBackend(appStore), rejecting: StoreWorld.coins)
        let store = PurchaseStore(
            over: backend,
            configuration: StoreConfiguration(policies: PaymentQueuePolicies(promotedPurchase: .continue)))
        let (events, failures) = (StreamListener(store.events), StreamListener(store.purchaseFailures))
        try appStore.promotePurchase(of: StoreWorld.coins)
        let failure = try #require(try await failures.next())
        expectEqual(failure.productID, StoreWorld.coins)
        expectEqual(failure.error.code, .offerUnavailable)
        expectEqual(try await kinds(2, events), [.started, .failed])
        expectEqual(try await store.diagnostics().waitingPayments, 0)
    }

    @Test func `a customer who closes the sheet of such a purchase has canceled it`() async throws {
        let store = PurchaseStore(
            over: SimulatedBackend(appStore),
            configuration: StoreConfiguration(policies: PaymentQueuePolicies(promotedPurchase: .continue)))
        let events = StreamListener(store.events)
        appStore.setNextPurchaseOutcome(.userCancelled)
        try appStore.promotePurchase(of: StoreWorld.coins)
        expectEqual(try await kinds(2, events), [.started, .cancelled])
    }
}
