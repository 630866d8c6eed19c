import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// Apps print, dump and log these values. Doing so reflects over their fields, which ends the process on a system that
/// lacks the metadata of a field.
@Suite(.bounded) struct PrintedValueTests {
    private final class Window: Sendable {}

    private let appStore = SimulatedAppStore(products: [
        .consumable("coins", price: 1), .nonConsumable("pro", price: 10),
        .autoRenewable("monthly", price: 5, period: .month(1), group: "club"),
    ])
    private let window = Window()

    private var options: PurchaseOptions {
        [
            .quantity(2), .appAccountToken(UUID()), .timeout(60), .context("level 3"),
            .anchor(PresentationAnchor(object: window)), .offer(.promotional(id: "half", jws: "secret")),
        ]
    }

    private var configuration: StoreConfiguration {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        var configuration = StoreConfiguration(
            policies: PaymentQueuePolicies(
                promotedPurchase: .decide { _ in .hold }, shouldContinueTransaction: { _, _ in true }),
            deliveryLedger: DeliveryLedger(url: folder.appendingPathComponent("Deliveries")), log: { _ in })
        configuration.entitlementCache = EntitlementFile(url: folder.appendingPathComponent("Entitlements"))
        return configuration
    }

    /// The values of a customer's purchases, and those that an app makes.
    private func values() async throws -> [Any] {
        let store = PurchaseStore(simulating: appStore)
        let requests = Recorder<DeliveryRequest>()
        let products = try await store.products(for: ["coins", "pro", "monthly"])
        let closure = try await store.purchase("monthly") { _ in }
        store.setDelivery { request in
            requests.record(request)
            return .accepted
        }
        let outcome = try await store.purchase("coins", options: [.quantity(2)])
        let request = try await requests.first(1)[0]
        let restored = try await store.restore()
        let message = StoreLogEvent(.notice, "a line")
        return [
            products, products.products, closure, outcome, request, restored, await store.entitlements.current,
            try await store.diagnostics(), try await store.transactionHistory(), try await store.consumablePurchases(),
            try await store.appTransaction(), await store.offers(for: products.products[2]),
            await store.diagnose(["coins", "unknown"]), configuration, options, configuration.policies,
            CustomerTexts.current, message,
            StoreError(.networkError, "There is no network."), DeliveryDecision.retryLater(after: 60),
        ]
    }

    /// Reflects over the fields of a value, as `dump` does, but not over those of objects, which other threads change.
    private static func fieldCount(of value: Any, depth: Int = 0) -> Int {
        guard depth < 12, !(type(of: value) is AnyClass) else { return 1 }
        return Mirror(reflecting: value).children.reduce(1) { $0 + fieldCount(of: $1.value, depth: depth + 1) }
    }

    @Test func `each value can be printed, and no text has a function in it`() async throws {
        for value in try await values() {
            let texts = ["\(value)", String(reflecting: value)]
            for text in texts { #expect(!text.contains("(Function)"), "\(text)") }
            #expect(Self.fieldCount(of: value) > 0)
        }
    }

    @Test func `a request for a delivery prints its purchases, and a configuration its settings`() async throws {
        let request = try #require(try await values().compactMap { $0 as? DeliveryRequest }.first)
        let transaction = try #require(request.purchases.first?.transaction)
        expectEqual("\(request)", "\(transaction) (requested, attempt 0)")
        expectEqual(
            "\(configuration)",
            "engine: automatic, mode: finishing, policies: promotedPurchase: decided by the app, "
                + "shouldContinueTransaction, set: deliveryLedger, entitlementCache, log")
        expectEqual("\(StoreConfiguration())", "engine: automatic, mode: finishing, policies: promotedPurchase: hold")
    }

    @Test func `options print no account, no signature and no context`() {
        expectEqual(
            "\(options)",
            "[quantity: 2, account: set, offer: half, timeout: 60.0, anchor: set, context: set]")
        expectEqual("\(PurchaseOptions())", "[]")
    }

    @Test func `a ledger prints its file without the folder`() {
        expectEqual("\(DeliveryLedger(url: URL(fileURLWithPath: "/home/name/Deliveries")))", "ledger \"Deliveries\"")
    }
}
