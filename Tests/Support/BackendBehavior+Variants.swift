package import AppStoreSimulator
package import AsyncStoreKit
package import AsyncStoreKitTesting
import Foundation

extension BackendBehavior {
    /// The switches' combinations that the tests play: all of them, or as many as `BEHAVIOR_VARIANTS` says, chosen evenly, for runs
    /// that are slow, such as under a sanitizer.
    private static let variants: [SimulatorBehavior] = {
        let all = SimulatorBehavior.variants
        guard let count = ProcessInfo.processInfo.environment["BEHAVIOR_VARIANTS"].flatMap(Int.init), count > 0 else { return all }
        // A step without a common factor with the number of combinations meets every value of every switch.
        return (0..<min(count, all.count)).map { all[$0 * 37 % all.count] }
    }()

    /// Plays the scenario under one combination of switches after the other.
    /// - Throws: ``VariantViolation`` for the first under which it does not hold.
    package func checkVariants(makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend) async throws {
        for variant in Self.variants {
            do {
                try await check(under: variant, makeBackend: makeBackend)
            } catch {
                throw VariantViolation(error: error, variant: variant)
            }
        }
    }
}

/// What went wrong, and under which switches.
package struct VariantViolation: Error, CustomStringConvertible {
    package let error: any Error
    package let variant: SimulatorBehavior

    package var description: String { "\(error), under \(variant)" }
}
