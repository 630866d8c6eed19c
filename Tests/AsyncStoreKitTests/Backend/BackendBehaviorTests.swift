import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded, .serialized) struct BackendBehaviorTests {
    @Test(arguments: BackendBehavior.all)
    func `each behavior holds over simulated StoreKit 1, under every combination of switches`(
        _ behavior: BackendBehavior
    ) async throws {
        try await behavior.checkVariants { SimulatedBackend(launch: $0, engine: .storeKit1) }
    }

    @Test(arguments: BackendBehavior.ofStoreKit2)
    func `each behavior holds over simulated StoreKit 2, under every combination of switches`(
        _ behavior: BackendBehavior
    ) async throws {
        try await behavior.checkVariants(over: .storeKit2) { SimulatedBackend(launch: $0) }
    }
}
