import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded, .serialized) struct BackendBehaviorTests {
    @Test(arguments: BackendBehavior.all)
    func `holds over the simulated backend, under every combination of switches`(_ behavior: BackendBehavior) async throws {
        try await behavior.checkVariants { SimulatedBackend(launch: $0) }
    }
}
