import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct LoadedProductsTests {
    private static let offline = Result<[StoreProduct], StoreError>.failure(
        StoreError(.networkError, "There is no network."))
    private let settings = ConfirmationPlace()
    private let shop = ConfirmationPlace()

    /// `#require` can't change the value that its argument names.
    private func required<Value>(_ value: Value?, _ comment: Comment? = nil) throws -> Value {
        try #require(value, comment)
    }

    private func products(_ productIDs: [String]) async throws -> [StoreProduct] {
        let appStore = SimulatedAppStore(products: [
            .nonConsumable("pro", price: 10), .consumable("coins", price: 1),
        ])
        return Array(try await PurchaseStore(backend: SimulatedBackend(appStore)).products(for: productIDs))
    }

    @Test func `products are requested once, and a view that appears requests the missing ones`() async throws {
        var loaded = LoadedProducts()
        let nothing = loaded.want([], at: shop)
        expectEqual(nothing, nil)
        let first = try required(loaded.want(["pro", "pro"], at: settings))
        expectEqual(first.productIDs, ["pro"])
        let again = loaded.want(["pro"], at: settings)
        expectEqual(again, nil, "the request is running")
        let second = try required(loaded.want(["coins", "pro"], at: shop))
        expectEqual(second.productIDs, ["coins"])
        loaded.answered(second, .success(try await products(["coins"])))
        loaded.answered(first, .success(try await products(["pro"])))
        expectEqual(loaded.products.map(\.id), ["coins", "pro"], "the order of the newest list")
        let third = loaded.want(["pro", "coins"], at: settings)
        expectEqual(third, nil)
        expectEqual(loaded.products.map(\.id), ["pro", "coins"])
        expectEqual(loaded["coins"]?.displayPrice, "$1.00")
        expectEqual(loaded["none"], nil)
    }

    @Test func `products that could not be loaded are requested again, and loaded products stay`() async throws {
        var loaded = LoadedProducts()
        let before = loaded.requestAgain(evenIfLoaded: true)
        expectEqual(before, nil, "nothing was requested")
        let first = try required(loaded.want(["pro", "coins"], at: shop))
        let running = loaded.requestAgain(evenIfLoaded: false)
        expectEqual(running, nil, "the request is running")
        loaded.answered(first, Self.offline)
        expectEqual(loaded.error?.code, .networkError)
        let second = try required(loaded.requestAgain(evenIfLoaded: false))
        expectEqual(second.productIDs, ["pro", "coins"])
        loaded.answered(second, .success(try await products(["pro", "coins"])))
        expectEqual(loaded.error, nil)
        let none = loaded.requestAgain(evenIfLoaded: false)
        expectEqual(none, nil)
        let third = try required(loaded.requestAgain(evenIfLoaded: true), "prices change with the storefront")
        loaded.answered(third, Self.offline)
        #expect(loaded.products.count == 2 && loaded.error != nil)
    }

    @Test func `when the storefront changes, running requests are ignored, and products without a view are forgotten`()
        async throws
    {
        var loaded = LoadedProducts()
        let old = try required(loaded.want(["pro"], at: settings))
        loaded.answered(old, .success(try await products(["pro"])))
        let running = try required(loaded.want(["coins"], at: shop))
        loaded.leave(settings)
        expectEqual(loaded["pro"]?.id, "pro", "the view may come back")
        let again = try required(loaded.requestAgain(evenIfLoaded: true))
        expectEqual(again.productIDs, ["coins"])
        expectEqual(loaded["pro"], nil, "this is the price of the storefront before")
        loaded.answered(running, .success(try await products(["coins"])))
        #expect(loaded.products.isEmpty, "these are the prices of the storefront before")
        loaded.answered(again, .success(try await products(["coins"])))
        expectEqual(loaded.products.map(\.id), ["coins"])
    }

    @Test func `the products of calls stay, and those of the last view while no view is on the screen`() async throws {
        var loaded = LoadedProducts()
        let first = try required(loaded.want(["pro"], at: shop))
        loaded.answered(first, .success(try await products(["pro"])))
        loaded.leave(shop)
        expectEqual(loaded.products.map(\.id), ["pro"], "a cover is over the view")
        let called = try required(loaded.want(["coins"], at: nil))
        loaded.answered(called, .success(try await products(["coins"])))
        expectEqual(loaded.products.map(\.id), ["coins"])
        _ = loaded.want(["pro"], at: nil)
        expectEqual(loaded.products.map(\.id), ["pro", "coins"])
        _ = loaded.want(["pro"], at: shop)
        loaded.leave(shop)
        expectEqual(loaded.products.map(\.id), ["pro", "coins"])
    }
}
