#if !canImport(Darwin)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting
    import Foundation

    /// What a purchase costs over each engine, and a launch with much that is unfinished: over the simulated App Store, which signs
    /// everything that StoreKit 2 hands over.
    enum EngineBenchmarks {
        private static let engines: [(name: String, backend: @Sendable (SimulatedLaunch) -> any StoreBackend)] = [
            ("StoreKit 1", { StoreKit1Backend(environment: StoreKit1Environment(launch: $0)) }),
            ("StoreKit 2", { StoreKit2Backend(environment: StoreKit2Environment(launch: $0)) }),
        ]

        @concurrent static func run() async {
            print("The engines, over a simulated App Store")
            for (name, backend) in engines {
                let count = 1_000
                await Measurement(runs: 5, prepare: { PurchaseStore(over: backend(newAppStore().launch())) }) { store in
                    for _ in 0..<count { _ = try? await store.purchase("coins") { _ in } }
                }.report("purchases over \(name), delivered, \(count)", operations: count, goal: "StoreKit 2 at most 3 × 1")
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
            appStore.behavior = .plain
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
#else
    /// Apple's StoreKit cannot be pointed at a simulated App Store from here.
    enum EngineBenchmarks {
        static func run() async {
            print("The engines: on Linux only, where StoreKit is this package's own")
        }
    }
#endif
