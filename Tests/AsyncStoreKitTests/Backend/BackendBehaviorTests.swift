import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Testing

@Suite("Backend behavior")
struct BackendBehaviorTests {
    enum Kind: String, CaseIterable, Sendable {
        case simulated, storeKit

        func backend(_ launch: SimulatedLaunch) -> any StoreBackend {
            switch self {
            case .simulated: SimulatedBackend(launch: launch)
            case .storeKit: StoreKitBackend(environment: StoreKitEnvironment(launch: launch))
            }
        }
    }

    @Test("holds over every backend", arguments: BackendBehavior.all, Kind.allCases)
    func holds(_ behavior: BackendBehavior, over kind: Kind) async throws {
        try await behavior.check { kind.backend($0) }
    }
}
