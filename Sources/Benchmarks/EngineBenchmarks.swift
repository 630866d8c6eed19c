import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// Measures purchases over each simulated engine, and a launch with many unfinished purchases.
enum EngineBenchmarks {
    private static let engines: [(name: String, backend: @Sendable (SimulatedLaunch) -> any StoreBackend)] = [
        ("StoreKit 1", { SimulatedBackend(launch: $0, engine: .storeKit1) }),
        ("StoreKit 2", { SimulatedBackend(launch: $0, engine: .storeKit2) }),
    ]

    @concurrent static func run() async {
        print("The engines, over a simulated App Store")
        for (name, backend) in engines {
            let count = 1_000
            await Measurement(runs: 5, prepare: { PurchaseStore(over: backend(newAppStore().launch())) }) { store in
                for _ in 0..<count { _ = try? await store.purchase("coins") { _ in } }
            }.report("purchases over \(name), delivered, \(count)", operations: count, goal: "StoreKit 2 at most 2 × 1")
        }
        for (name, backend) in engines {
            let count = 10_000
            await Measurement(runs: 5, prepare: { await appStore(with: count) }) { appStore in
                let store = PurchaseStore(over: backend(appStore.launch()))
                var rest = count
                for await _ in store.transactions {
                    rest -= 1
                    if rest == 0 { break }
                }
            }.report("\(count) offered at launch over \(name)", operations: count, goal: "under 250 ms in all")
        }
    }

    private static func newAppStore() -> SimulatedAppStore {
        let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1)])
        appStore.behavior.signsReceipts = false
        return appStore
    }

    private static func appStore(with count: Int) async -> SimulatedAppStore {
        let appStore = newAppStore()
        for _ in 0..<count { try? appStore.buyProduct(productID: "coins") }
        await appStore.waitUntilIdle()
        return appStore
    }
}
