import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded, .serialized) struct StoreKit2BackendBehaviorTests {
    /// What StoreKit 2 lacks: all of it is StoreKit 1's alone, but for the questions about the storefront. Each purchase takes along who
    /// answers them, and when it has, no store can tell.
    private static let lacking: Set<BackendCapability> = [
        .hostedContent, .userNames, .declines, .removals, .unattributedAnswers, .restoredRows, .storefrontQuestions,
    ]

    /// Those that a queue can have that says itself whose a transaction is.
    private static let behaviors = BackendBehavior.all.filter { $0.requirements.isDisjoint(with: lacking) }

    @Test(arguments: behaviors)
    func `holds over StoreKit 2, under every combination of switches`(_ behavior: BackendBehavior) async throws {
        // Many scenarios restore although nothing is owned, under hundreds of combinations.
        var timing = StoreKit2Backend.Timing()
        timing.emptyRestorePause = 0
        try await behavior.checkVariants(over: .storeKit2) { [timing] launch in
            StoreKit2Backend(environment: StoreKit2Environment(launch: launch), timing: timing)
        }
    }

    @Test func `most of what must hold holds over StoreKit 2 too, and the rest lacks a capability`() {
        #expect(Self.behaviors.count >= 42)
        for behavior in BackendBehavior.all where !behavior.requirements.isDisjoint(with: Self.lacking) {
            let lacking = behavior.requirements.intersection(Self.lacking).map { "\($0)" }.sorted()
            print("Not over StoreKit 2: \(behavior.description) (\(lacking.joined(separator: ", ")))")
        }
    }
}
