#if os(Linux)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting
    import StoreKit
    import TestHarness
    import Testing

    @Suite(.bounded) struct TestCodeThatCallsStoreKit {
        @Test func `code that calls StoreKit runs over an App Store of its own`() async throws {
            let appStore = SimulatedAppStore(products: [.nonConsumable("pro", price: 10)])
            try await StoreKitSimulation.withLaunch(appStore.launch()) {
                let product = try #require(try await Product.products(for: ["pro"]).first)
                let result = try await product.purchase()
                guard case .success(.verified(let transaction)) = result else { throw Unexpected() }
                await transaction.finish()
            }
            #expect(appStore.allTransactions().map(\.isFinished) == [true])
        }

        /// Only the first caller in a process can install an App Store.
        private func makeStore() throws -> PurchaseStore {
            let appStore = SimulatedAppStore(products: [.nonConsumable("pro", price: 10)])
            try StoreKitSimulation.install(appStore)
            let store = PurchaseStore(configuration: StoreConfiguration(clock: SimulatedClock(appStore)))
            return store
        }

        private struct Unexpected: Error {}
    }
#endif
