package import AppStoreSimulator
package import AsyncStoreKit
package import AsyncStoreKitTesting
import Foundation

extension BackendBehavior {
    /// The capabilities that StoreKit 2 lacks: those of StoreKit 1 alone, and the questions about the storefront. Each
    /// purchase takes along who answers these, and no store can tell when.
    package static let lackingInStoreKit2: Set<BackendCapability> = [
        .hostedContent, .userNames, .declines, .removals, .unattributedAnswers, .restoredRows, .storefrontQuestions,
    ]

    /// The behaviors of a queue that says itself whose a transaction is.
    package static let ofStoreKit2 = all.filter { $0.requirements.isDisjoint(with: lackingInStoreKit2) }

    /// Found once: to look for them takes longer than to play a scenario.
    private static let covering = Dictionary(
        uniqueKeysWithValues: [StoreEngine.storeKit1, .storeKit2].map { ($0, SimulatorBehavior.coveringVariants(over: $0)) })

    /// Plays the scenario under one combination of switches after the other: those that have every combination of any three switches, or
    /// all where `BEHAVIOR_VARIANTS` is `all`; over StoreKit 2, which has three times as many, where it is `every`.
    /// - Throws: ``VariantViolation`` for the first under which it does not hold.
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

/// What went wrong, and under which switches.
package struct VariantViolation: Error, CustomStringConvertible {
    package let error: any Error
    package let variant: SimulatorBehavior

    package var description: String { "\(error), under \(variant)" }
}
