package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

extension BackendBehavior {
    /// The capabilities that StoreKit 2 lacks: those of StoreKit 1, and the questions about the storefront, which each
    /// purchase answers itself at a time that the store doesn't know.
    package static let lackingInStoreKit2: Set<BackendCapability> = [
        .hostedContent, .userNames, .declines, .removals, .unattributedAnswers, .restoredRows, .storefrontQuestions,
    ]

    /// The behaviors of a queue that reports which payment a transaction answers.
    package static let ofStoreKit2 = all.filter { $0.requirements.isDisjoint(with: lackingInStoreKit2) }

    /// Computed once, because the computation takes longer than a scenario.
    private static let covering = Dictionary(
        uniqueKeysWithValues: [StoreEngine.storeKit1, .storeKit2].map {
            ($0, SimulatorBehavior.coveringVariants(over: $0))
        })

    /// Runs the scenario with a covering set of switch combinations that contains every combination of any three
    /// switches. With `BEHAVIOR_VARIANTS=all`, runs all combinations; over StoreKit 2, which has three times as many,
    /// with `every`.
    /// - Throws: ``VariantViolation`` for the first combination with a violation.
    package func checkVariants(
        over engine: StoreEngine = .storeKit1, makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend
    ) async throws {
        let wanted = ProcessInfo.processInfo.environment["BEHAVIOR_VARIANTS"]
        let playsAll = wanted == "every" || wanted == "all" && engine != .storeKit2
        let variants = playsAll ? SimulatorBehavior.variants(over: engine) : Self.covering[engine] ?? []
        for variant in variants {
            do {
                try await check(under: variant, makeBackend: makeBackend)
            } catch {
                throw VariantViolation(error: error, variant: variant)
            }
        }
    }
}

/// A violation and its switches.
package struct VariantViolation: Error, CustomStringConvertible {
    package let error: any Error
    package let variant: SimulatorBehavior

    package var description: String { "\(error), under \(variant)" }
}
