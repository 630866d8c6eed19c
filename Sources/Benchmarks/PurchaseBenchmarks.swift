import AsyncStoreKit
import Foundation

/// Measures the store itself, over a backend that answers immediately.
enum PurchaseBenchmarks {
    /// Measures and prints. Runs outside the main actor, so that the figures don't include wake-ups of the main thread.
    @concurrent static func run() async {
        print("Purchases, over a backend that answers at once")
        await run(1_000, runs: 15)
        let count = 20_000
        let productIDs = (0..<count).map { "product-\($0)" }
        await Measurement(runs: 5, prepare: { await newStore(knowing: productIDs) }, { await buy(productIDs, $0) })
            .report("all at once, \(count) distinct products", operations: count, goal: "under 250 ms in all")
    }

    /// Measures and prints 100,000 purchases.
    @concurrent static func runMany() async {
        print("Many purchases, over a backend that answers at once")
        await run(100_000, runs: 5)
    }

    private static func run(_ count: Int, runs: Int) async {
        await Measurement(runs: runs, prepare: newStore) { await oneAfterTheOther(count, $0) }
            .report("in sequence, \(count)", operations: count, goal: "under 10 µs each")
        await Measurement(runs: runs, prepare: newStore) { await atOnce(count, $0) }
            .report("all at once, \(count)", operations: count, goal: "under 10 µs each")
    }

    private static func newStore() -> PurchaseStore {
        PurchaseStore(over: InstantBackend())
    }

    private static func newStore(knowing productIDs: [String]) async -> PurchaseStore {
        let store = newStore()
        _ = try? await store.products(for: Set(productIDs))
        return store
    }

    static func oneAfterTheOther(_ count: Int, _ store: PurchaseStore) async {
        let product = InstantBackend.product("coins")
        for _ in 0..<count { _ = try? await store.purchase(product) }
    }

    private static func atOnce(_ count: Int, _ store: PurchaseStore) async {
        let product = InstantBackend.product("coins")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { _ = try? await store.purchase(product) } }
        }
    }

    private static func buy(_ productIDs: [String], _ store: PurchaseStore) async {
        await withTaskGroup(of: Void.self) { group in
            for productID in productIDs { group.addTask { _ = try? await store.purchase(productID) } }
        }
    }
}
