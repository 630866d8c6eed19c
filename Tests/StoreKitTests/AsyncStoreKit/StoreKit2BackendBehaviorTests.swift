import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded, .serialized) struct StoreKit2BackendBehaviorTests {
    /// What StoreKit 2 lacks: all of it is StoreKit 1's alone.
    private static let lacking: Set<BackendCapability> = [
        .hostedContent, .receipt, .userNames, .declines, .removals, .unattributedAnswers, .restoredRows, .storefrontQuestions,
    ]

    /// Those that a queue can have that says itself whose a transaction is.
    private static let behaviors = BackendBehavior.all.filter { $0.requirements.isDisjoint(with: lacking) }

    @Test(arguments: behaviors)
    func `holds over StoreKit 2`(_ behavior: BackendBehavior) async throws {
        // A listing that lags behind what was bought a moment ago is for entitlements to bear with.
        var switches = SimulatorBehavior()
        switches.listingLag = 0
        try await behavior.check(under: switches) { StoreKit2Backend(environment: StoreKit2Environment(launch: $0)) }
    }

    @Test func `most of what must hold holds over StoreKit 2 too`() {
        #expect(Self.behaviors.count >= 40)
    }
}
