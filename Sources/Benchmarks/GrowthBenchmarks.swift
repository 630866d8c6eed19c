import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// Measures how time and memory grow with what one customer buys over a simulated StoreKit 2.
///
/// The memory is the process's, so it includes what the simulated App Store keeps of each purchase.
enum GrowthBenchmarks {
    @concurrent static func run() async {
        print("One customer's purchases, over StoreKit 2")
        await buy([25_000, 50_000, 100_000])
        await own([5_000, 10_000, 20_000])
    }

    /// Buys consumables serially, and prints each part's costs.
    private static func buy(_ counts: [Int]) async {
        let products = [SimulatedProduct.consumable("coins", price: 1)]
        let (elsewhere, before, begin) = (appStore(products), ResidentMemory.current, Machine.processorSeconds)
        for _ in 0..<counts[0] { try? elsewhere.buyProduct(productID: "coins") }
        let cost = each(Machine.processorSeconds - begin, since: before, counts[0], goal: "none")
        print("  \(counts[0]) purchases in the simulated App Store alone: " + cost)
        let simulated = appStore(products)
        let store = PurchaseStore(simulating: simulated)
        _ = try? await store.purchase("coins") { _ in }
        var done = 0
        for count in counts {
            let (memory, start) = (ResidentMemory.current, Machine.processorSeconds)
            for number in done..<count {
                // The simulated App Store caches the texts that it has signed at the present date.
                if number.isMultiple(of: 1_000) { simulated.advance(by: 1) }
                _ = try? await store.purchase("coins") { _ in }
            }
            let seconds = Machine.processorSeconds - start
            print(
                "  \(count) purchases over it: "
                    + each(seconds, since: memory, count - done, goal: "1.2 kB in the store")
            )
            done = count
        }
        withExtendedLifetime(elsewhere) {}
    }

    /// Buys products that are owned, and prints the costs of the first answer and of a later read.
    private static func own(_ counts: [Int]) async {
        let products = (0..<(counts.last ?? 0)).map { SimulatedProduct.nonConsumable("level.\($0)", price: 1) }
        let appStore = appStore(products)
        var done = 0
        for count in counts {
            for product in products[done..<count] { try? appStore.buyProduct(productID: product.productID) }
            await appStore.waitUntilIdle()
            done = count
            let (memory, start) = (ResidentMemory.current, Machine.processorSeconds)
            let store = PurchaseStore(simulating: appStore)
            store.setDelivery { _ in .accepted }
            try? await store.settled()
            if await store.entitlements.current.productIDs.count != count { print("  a product isn't owned") }
            let first = Machine.processorSeconds - start
            print(
                "  \(count) owned products, delivered and listed: " + each(first, since: memory, count, goal: "linear"))
            let again = Machine.processorSeconds
            for _ in 0..<5 { _ = await store.entitlements.refresh() }
            let refresh = (Machine.processorSeconds - again) / 5
            print(
                String(
                    format: "  a refresh with \(count): %.1f ms, %.2f µs each (goal: linear)", refresh * 1e3,
                    refresh * 1e6 / Double(count)))
        }
    }

    private static func appStore(_ products: [SimulatedProduct]) -> SimulatedAppStore {
        let appStore = SimulatedAppStore(products: products)
        appStore.behavior.signsReceipts = false
        return appStore
    }

    private static func each(_ seconds: Double, since memory: Int?, _ count: Int, goal: String) -> String {
        let time = String(format: "%.1f µs each", seconds * 1e6 / Double(count))
        guard let memory, let now = ResidentMemory.current else { return "\(time) (goal: \(goal))" }
        return time + String(format: ", %.2f kB each (goal: \(goal))", Double(now - memory) / 1e3 / Double(count))
    }
}
