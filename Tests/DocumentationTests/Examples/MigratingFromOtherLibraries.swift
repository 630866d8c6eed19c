import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitHTTP
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The code of the article Migrating from other libraries.
private struct MigratedShop {
    let store: PurchaseStore

    func products(listedIn file: URL) async throws -> [StoreProduct] {
        let productIDs = try PropertyListDecoder().decode(
            [String].self, from: Data(contentsOf: file))
        return try await store.products(for: productIDs).products
    }

    func options(acceptedBody: Data) -> HTTPDeliveryOptions {
        var options = HTTPDeliveryOptions()
        options.decision = { response in
            response.statusCode == 200 && response.body == acceptedBody ? .accepted : response.decision()
        }
        return options
    }
}

@Suite(.bounded) struct OtherLibraryExampleTests {
    @Test func `only the body of the app's own server accepts`() throws {
        let shop = MigratedShop(store: PurchaseStore(simulating: SimulatedAppStore(products: [])))
        let decision = try #require(shop.options(acceptedBody: Data("{\"ok\":1}".utf8)).decision)
        expectEqual(decision(HTTPDeliveryResponse(statusCode: 200, body: Data("{\"ok\":1}".utf8))), .accepted)
        expectEqual(decision(HTTPDeliveryResponse(statusCode: 200)), .retryLater)
    }

    @Test func `products of a property list are loaded in its order`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("ProductIds-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try PropertyListEncoder().encode(["pro", "none", "coins"]).write(to: file)
        let appStore = SimulatedAppStore(products: [
            .consumable("coins", price: 1), .nonConsumable("pro", price: 5),
        ])
        let shop = MigratedShop(store: PurchaseStore(simulating: appStore))
        let products = try await shop.products(listedIn: file)
        expectEqual(products.map(\.id), ["pro", "coins"])
        try Data("no list".utf8).write(to: file)
        await #expect(throws: DecodingError.self) { try await shop.products(listedIn: file) }
    }
}
