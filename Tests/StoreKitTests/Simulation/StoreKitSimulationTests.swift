import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct StoreKitSimulationTests {
    // Runs in a separate process, because other suites use the store of this process.
    @Test func `the last store installed before first use is the store of the process`() async {
        await #expect(processExitsWith: .success) { try StoreKitSimulationTests.playFirstUse() }
    }

    private static func playFirstUse() throws {
        let store = SimulatedAppStore(catalog: .samples, pacing: .manual)
        try StoreKitSimulation.install(SimulatedAppStore(catalog: SimulatedCatalog(), pacing: .manual))
        try StoreKitSimulation.install(store)
        expectEqual(StoreKitSimulation.receiptData(), nil)
        #expect(throws: StoreKitSimulation.InstallationError.alreadyInUse) {
            try StoreKitSimulation.install(SimulatedAppStore(catalog: SimulatedCatalog()))
        }

        #expect(SKPaymentQueue.default() === SKPaymentQueue.default())
        #expect(SKPaymentQueue.canMakePayments())
        store.behavior.canMakePayments = false
        #expect(!SKPaymentQueue.canMakePayments())
        store.behavior.canMakePayments = true

        let delegate = RecordingRequestDelegate()
        let request = SKProductsRequest(productIdentifiers: ["coins"])
        request.delegate = delegate
        request.start()
        store.runUntilIdle()
        let product = try #require(delegate.response?.products.first)

        let observer = RecordingObserver()
        SKPaymentQueue.default().add(observer)
        SKPaymentQueue.default().add(SKPayment(product: product))
        store.runUntilIdle()
        expectEqual(observer.events, ["coins purchasing", "coins purchased"])
        #expect(StoreKitSimulation.receiptData() != nil)
    }
}
