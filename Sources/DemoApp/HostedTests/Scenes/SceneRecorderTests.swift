import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct SceneRecorderTests {
    @Test(arguments: [[], [SceneEvent.purchased("coins")]])
    func `a late event belongs to the step that caused it`(expected: [SceneEvent]) async throws {
        let store = PurchaseStore(simulating: SimulatedAppStore(products: []))
        let recorder = SceneRecorder(store)
        for event in expected { await recorder.record(event) }
        let step = Task {
            try await recorder.wait(for: expected, within: 60, quiet: 60)
            return await recorder.takeEvents()
        }
        await Task.yield()
        await recorder.record(.transaction("pro"))
        // The end of the launch ends the wait.
        await recorder.stop()
        #expect(try await step.value == expected + [.transaction("pro")])
    }
}
