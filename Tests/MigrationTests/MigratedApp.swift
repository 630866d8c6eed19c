import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support

/// The app of Migration.md after the migration: on the main actor, with a server. Its functions contain the guide's
/// blocks word for word, and the tests run them over a simulated App Store.
@MainActor final class MigratedApp {
    struct Server: Sendable {
        let delivered = Recorder<String>()

        func deliver(_ purchase: StorePurchase) async throws {
            delivered.record("\(purchase.productID), \(purchase.deliveryKey)")
        }
        func deliver(_ purchase: StorePurchase, receipt: Data) async throws { delivered.record(purchase.productID) }
        func verify(_ receipt: Data) async throws -> Receipt { try Receipt.unverified(pkcs7: receipt) }
        func sign(_ productID: String, offer: String) async -> PurchaseOffer {
            PurchaseOffer.promotional(id: offer, keyID: "KEY", nonce: UUID(), signature: "c2lnbmF0dXJl", timestamp: 0)
        }
    }

    let appStore: SimulatedAppStore
    let store: PurchaseStore
    let server = Server()
    let unlocked = Recorder<String>()
    let printed = Recorder<String>()
    let shown = Recorder<String>()

    init(_ engine: StoreEngine) {
        let prefix = "com.example."
        let halfPrice = SimulatedSubscription.Offer(
            id: "half-price", paymentMode: .payAsYouGo, price: 1.49, period: .init(1, .week))
        let weekly = SimulatedSubscription(groupID: "magazine", period: .init(1, .week), promotionalOffers: [halfPrice])
        appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(products: [
                SimulatedProduct(productID: prefix + "coins", kind: .consumable, price: 0.99),
                SimulatedProduct(productID: prefix + "pro", kind: .nonConsumable, price: 4.99),
                SimulatedProduct(
                    productID: prefix + "maps", kind: .nonConsumable, price: 3.99,
                    hostedContent: [SimulatedHostedContent(contentID: "roads", contentLength: 1000)]),
                SimulatedProduct(
                    productID: prefix + "weekly", kind: .autoRenewableSubscription, price: 2.99, subscription: weekly),
                SimulatedProduct(productID: prefix + "pass", kind: .nonRenewingSubscription, price: 9.99),
            ]))
        store = PurchaseStore(backend: SimulatedBackend(appStore, engine: engine))
    }

    /// Trusts the simulator's root certificate. The guide's verifier trusts Apple's.
    var verifier: LocalReceiptVerifier {
        .local(
            bundleID: "com.example.app", environment: nil,
            trustAnchors: (try? .certificate(SimulatedReceiptIssuer.rootCertificate)).map { [$0] } ?? [])
    }

    func unlock(_ productID: String) { unlocked.record(productID) }
    func lock(_ productID: String) { unlocked.record("not " + productID) }
    func show(_ text: String) { shown.record(text) }
    func print(_ text: String) { printed.record(text) }
    func keep(_ files: [URL]) throws { shown.record("\(files.count) files") }
}
