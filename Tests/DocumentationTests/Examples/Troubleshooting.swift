import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The app of the article Troubleshooting.
private struct TroubledApp {
    let store: PurchaseStore
    let printed = Recorder<String>()

    func printDiagnosis() async throws {
        print(await store.diagnose(["com.example.pro", "com.example.coins"]))
        print(try await store.diagnostics())
        print(await store.entitlements.refresh())
    }

    func showDownloads() async {
        for await download in store.hostedContent.changes {
            show("\(download.contentID): \(download.state)")
        }
    }

    private func print(_ value: some Sendable) { printed.record("\(value)") }

    private func show(_ text: String) { printed.record(text) }
}

@Suite(.bounded) struct TroubleshootingTests {
    @Test func `the diagnosis names the product that the App Store doesn't return`() async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("com.example.pro", price: 10)])
        let app = TroubledApp(store: PurchaseStore(simulating: appStore))
        try await app.printDiagnosis()
        #expect(app.printed.elements.count == 3 && app.printed.elements[0].contains("com.example.coins"))
    }

    @Test func `a loop over the downloads gets the changes of every download`() async throws {
        let maps = SimulatedProduct(
            productID: "com.example.maps", kind: .nonConsumable, price: 4,
            hostedContent: [SimulatedHostedContent(contentID: "roads", contentLength: 10)])
        let appStore = SimulatedAppStore(catalog: SimulatedCatalog(products: [maps]))
        let app = TroubledApp(store: PurchaseStore(simulating: appStore, engine: .storeKit1))
        let showing = Task { await app.showDownloads() }
        defer { showing.cancel() }
        guard case .success(let purchase) = try await app.store.purchase("com.example.maps") else {
            throw CancellationError()
        }
        try await app.store.hostedContent.start(purchase.transaction.downloads)
        try await app.store.advance(by: 60)
        #expect(try await app.printed.first { $0 == "roads: finished" } == "roads: finished")
    }
}
