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

    @Test("holds over every backend, under every combination of switches", arguments: BackendBehavior.all, Kind.allCases)
    func holds(_ behavior: BackendBehavior, over kind: Kind) async throws {
        for variant in SimulatorBehavior.variants {
            do {
                try await behavior.check(under: variant) { kind.backend($0) }
            } catch {
                Issue.record("\(error), under \(variant)")
                return
            }
        }
    }
}
