import AppStoreSimulator
import AsyncStoreKit
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
}

@Suite(.bounded) struct OtherLibraryExampleTests {
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
