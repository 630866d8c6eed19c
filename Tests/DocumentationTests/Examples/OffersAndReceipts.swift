import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitHTTP
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The code of the articles on promoted purchases, on receipts, and on the app's server.
private struct OfferExamples {
    let store: PurchaseStore
    let server: Server
    let shown = Recorder<String>()

    func show(_ text: String) { shown.record(text) }

    func continuePurchases() async {
        for await intent in store.purchaseIntents {
            do throws(StoreError) {
                try await intent.purchase { purchase in
                    try await server.deliver(purchase)
                }
            } catch {
                if !error.isUserInitiated { show(error.localizedDescription) }
            }
        }
    }

    func continueAtOnce(unless isInGame: @escaping @Sendable () -> Bool) {
        store.setPolicies(PaymentQueuePolicies(promotedPurchase: isInGame() ? .hold : .continue))
    }

    func ownsPro() async throws -> Bool {
        let receipt = try await store.receipt.verify(using: .local(bundleID: "com.example.app", environment: nil))
        return receipt.owns("com.example.pro", at: .now)
    }

    func subscription(in receipt: Receipt) -> String {
        let status = receipt.subscriptionStatus(of: ["com.example.monthly", "com.example.yearly"], at: .now)
        return status.isEntitled ? "Member" : "Not a member"
    }

    func bundleIsWrong() async throws(StoreError) -> Bool {
        do throws(StoreError) {
            _ = try await store.receipt.verify(using: .local(bundleID: "com.example.other", environment: nil))
            return false
        } catch {
            guard error.code == .receiptInvalid, let reason = error.underlying as? ReceiptVerificationError else {
                throw error
            }
            return reason.check == .bundleID
        }
    }

    struct Login: Sendable {
        var account: UUID
        var token: String
    }

    func delivery(to serverURL: URL, login: @escaping @Sendable () async throws -> Login?) throws
        -> HTTPPurchaseDelivery
    {
        var options = HTTPDeliveryOptions()
        options.session = { _ in
            guard let login = try await login() else { return nil }
            return HTTPDeliverySession(
                account: .token(login.account), headers: ["Authorization": "Bearer \(login.token)"])
        }
        options.timeout = 20
        return try HTTPPurchaseDelivery(url: serverURL, options: options)
    }

    func store(with delivery: HTTPPurchaseDelivery) -> PurchaseStore {
        let store = PurchaseStore(configuration: StoreConfiguration(delivery: delivery))
        return store
    }
}

extension Server {
    /// Signs a promotional offer, as the app's server would with its key.
    func sign(offer: String, for productID: String, account: UUID) async throws -> PurchaseOffer {
        .promotional(id: offer, keyID: "KEY", nonce: UUID(), signature: "c2lnbmF0dXJl", timestamp: 0)
    }
}

@Suite(.bounded) struct OfferExampleTests {
    private let appStore = SimulatedAppStore(products: [
        .nonConsumable("com.example.pro", price: 10),
        SimulatedProduct(
            productID: "com.example.monthly", kind: .autoRenewableSubscription, price: 5,
            subscription: SimulatedSubscription(
                groupID: "club", period: .month(1), introductoryOffer: .freeTrial(.days(7)),
                promotionalOffers: [.payAsYouGo(2.5, each: .month(1), times: 3, id: "half-price")])),
    ])
    private let server = Server()

    private var examples: OfferExamples {
        OfferExamples(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: server)
    }

    @Test func `a purchase that starts on the App Store continues`() async throws {
        let examples = examples
        examples.continueAtOnce { true }
        let continuing = Task { await examples.continuePurchases() }
        defer { continuing.cancel() }
        appStore.setNextPurchaseOutcome(.failed(.unknown))
        try appStore.promotePurchase(of: "com.example.pro")
        #expect(try await examples.shown.first(1).count == 1)
        try appStore.promotePurchase(of: "com.example.pro")
        await server.until { $0.coins == 1 }
    }

    @Test func `a receipt is verified, and the error for another app's receipt says why`() async throws {
        let examples = examples
        try await examples.store.purchase("com.example.monthly") { _ in }
        let receipt = try await examples.store.receipt.verify(using: .simulated())
        #expect(examples.subscription(in: receipt) == "Member")
        // The simulator's receipts are not Apple's.
        await #expect(throws: StoreError.self) { try await examples.ownsPro() }
        #expect(try await !examples.bundleIsWrong())
    }

    @Test func `a delivery to the app's server is installed with the store`() throws {
        let url = try #require(URL(string: "https://server.example/purchases"))
        let delivery = try examples.delivery(to: url) { OfferExamples.Login(account: UUID(), token: "TOKEN") }
        #expect("\(delivery)" == "HTTPPurchaseDelivery(server.example)")
        #expect(examples.store(with: delivery).canMakePayments)
    }
}
