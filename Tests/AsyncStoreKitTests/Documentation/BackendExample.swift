import AsyncStoreKitTesting
import TestHarness
import Testing

/// The code of the article about backends.
@Suite(.bounded) struct BackendExample {
    private typealias MyBackend = SimulatedBackend

    func holds(_ behavior: BackendBehavior) async throws {
        try await behavior.check { MyBackend(launch: $0) }
    }

    @Test func `a behavior is checked over a backend as the article shows`() async throws {
        for behavior in BackendBehavior.all.prefix(3) { try await holds(behavior) }
    }
}
