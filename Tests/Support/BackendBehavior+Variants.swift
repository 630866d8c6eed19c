package import AppStoreSimulator
package import AsyncStoreKit
package import AsyncStoreKitTesting
import Foundation

extension BackendBehavior {
    /// Plays the scenario under one combination of switches after the other: those that have every combination of any three switches, or
    /// all where `BEHAVIOR_VARIANTS` is `all`.
    /// - Throws: ``VariantViolation`` for the first under which it does not hold.
    package func checkVariants(
        over engine: StoreEngine = .storeKit1, makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend
    ) async throws {
        let playsAll = ProcessInfo.processInfo.environment["BEHAVIOR_VARIANTS"] == "all"
        let variants = playsAll ? SimulatorBehavior.variants(over: engine) : SimulatorBehavior.coveringVariants(over: engine)
        for variant in variants {
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
