import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded) struct ProductsResponseTests {
    private let world = StoreWorld(selling: .shop, engine: .storeKit1)

    @Test func `products have the order of the request, without duplicates, even from the cache`() async throws {
        let store = world.launch()
        for ids in [["pro", "coins", "gold", "pro", "weekly"], ["weekly", "pro"], ["coins", "nothing", "pro"]] {
            let response = try await store.products(for: ids)
            var seen: Set<String> = []
            let expected = ids.filter { !["gold", "nothing"].contains($0) && seen.insert($0).inserted }
            expectEqual(response.map(\.id), expected)
            expectEqual(response.products, Array(response))
            expectEqual(response.invalidProductIDs, Set(ids).intersection(["gold", "nothing"]))
        }
    }

    @Test func `any collection of identifiers is accepted`() async throws {
        let store = world.launch()
        let numbered = [1: "coins", 2: "pro"].sorted { $0.key < $1.key }.lazy.map(\.value)
        expectEqual(try await store.products(for: Array(numbered)).map(\.id), ["coins", "pro"])
        expectEqual(Set(try await store.products(for: Set(["coins", "pro"])).map(\.id)), ["coins", "pro"])
        expectEqual(try await store.products(for: ["news"].prefix(1)).first?.id, "news")
        await #expect(throws: StoreError.self) { try await store.products(for: [String]()) }
    }

    @Test func `a response is a collection, and returns products by identifier`() async throws {
        let response = try await world.launch().products(for: ["pro", "coins"])
        #expect(response.count == 2 && response[1].id == "coins")
        expectEqual(response["pro"]?.id, "pro")
        expectEqual(response["news"], nil)
        expectEqual(response.reversed().map(\.id), ["coins", "pro"])
    }
}
