import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded, .serialized) struct StoreKit2BackendBehaviorTests {
    @Test(arguments: BackendBehavior.ofStoreKit2)
    func `each behavior holds over StoreKit 2, under every combination of switches`(_ behavior: BackendBehavior)
        async throws
    {
        // Many scenarios restore although nothing is owned, under hundreds of combinations.
        var timing = StoreKit2Backend.Timing()
        timing.restorePause = { _ in }
        try await behavior.checkVariants(over: .storeKit2) { [timing] launch in
            StoreKit2Backend(environment: SystemStoreKit2(launch: launch), timing: timing)
        }
    }
}
