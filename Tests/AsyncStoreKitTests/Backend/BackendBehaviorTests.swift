import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Testing

@Suite("Backend behavior", .serialized)
struct BackendBehaviorTests {
    enum Kind: String, CaseIterable, Sendable {
        case simulated, storeKit

        func backend(_ launch: SimulatedLaunch) -> any StoreBackend {
            switch self {
            case .simulated: SimulatedBackend(launch: launch)
            case .storeKit: StoreKit1Backend(environment: StoreKit1Environment(launch: launch))
            }
        }
    }

    /// All of them, or as many as `BEHAVIOR_VARIANTS` says, chosen evenly: for runs that are slow, such as under a sanitizer.
    private static let variants: [SimulatorBehavior] = {
        let all = SimulatorBehavior.variants
        guard let count = ProcessInfo.processInfo.environment["BEHAVIOR_VARIANTS"].flatMap(Int.init), count > 0 else { return all }
        // A step without a common factor with the number of combinations meets every value of every switch.
        return (0..<min(count, all.count)).map { all[$0 * 37 % all.count] }
    }()

    @Test("holds over every backend, under every combination of switches", arguments: BackendBehavior.all, Kind.allCases)
    func holds(_ behavior: BackendBehavior, over kind: Kind) async throws {
        for variant in Self.variants {
            do {
                try await behavior.check(under: variant) { kind.backend($0) }
            } catch {
                Issue.record("\(error), under \(variant)")
                return
            }
        }
    }
}
