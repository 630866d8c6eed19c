import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded, .serialized) struct StoreKit1BackendBehaviorTests {
    @Test(arguments: BackendBehavior.all)
    func `each behavior holds over StoreKit 1, under every combination of switches`(_ behavior: BackendBehavior)
        async throws
    {
        try await behavior.checkVariants { StoreKit1Backend(environment: StoreKit1Environment(launch: $0)) }
    }
}
