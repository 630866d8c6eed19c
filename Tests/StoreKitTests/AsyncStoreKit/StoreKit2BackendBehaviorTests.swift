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
        timing.emptyRestorePause = 0
        try await behavior.checkVariants(over: .storeKit2) { [timing] launch in
            StoreKit2Backend(environment: SystemStoreKit2(launch: launch), timing: timing)
        }
    }

    @Test func `most behaviors apply to StoreKit 2, and the others need a missing capability`() {
        #expect(BackendBehavior.ofStoreKit2.count >= 41)
        for behavior in BackendBehavior.all
        where !behavior.requirements.isDisjoint(with: BackendBehavior.lackingInStoreKit2) {
            let lacking = behavior.requirements.intersection(BackendBehavior.lackingInStoreKit2).map { "\($0)" }
                .sorted()
            print("Not over StoreKit 2: \(behavior.description) (\(lacking.joined(separator: ", ")))")
        }
    }
}
