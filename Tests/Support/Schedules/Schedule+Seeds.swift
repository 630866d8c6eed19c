package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

extension Schedule {
    private static let environment = ProcessInfo.processInfo.environment

    /// The seeds in slices. `SCHEDULE_SEED` selects the first seed, and `SCHEDULES` the number of seeds.
    package static let slices = seedSlices(
        of: "Random schedules", seed: environment["SCHEDULE_SEED"], count: environment["SCHEDULES"], usualCount: 300,
        size: 50)

    /// Plays a slice of the seeds.
    /// - Throws: ``BrokenPromise`` for the first seed with a broken promise.
    package static func play(_ slice: Int, makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend)
        async throws
    {
        for seed in slices[slice] {
            let violations = try await withDeadline("the end of SCHEDULE_SEED=\(seed)") {
                await Schedule(seed: seed, makeBackend: makeBackend).play()
            }
            guard violations.isEmpty else { throw BrokenPromise(description: "SCHEDULE_SEED=\(seed): \(violations)") }
        }
    }
}

/// A promise that a schedule broke.
package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String
}
