package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

extension Schedule {
    /// The seeds in tenths, so that a slow machine shows its progress. `SCHEDULE_SEED` selects one seed, and
    /// `SCHEDULES` the number of seeds.
    package static let tenths: [[UInt64]] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SCHEDULE_SEED"].flatMap(UInt64.init) { return [[seed]] }
        let count = UInt64(max(10, environment["SCHEDULES"].flatMap(Int.init) ?? 300))
        let first = UInt64.random(in: 0...UInt64.max / 2)
        print("Random schedules: \(count), the first is SCHEDULE_SEED=\(first)")
        return (0..<10).map { tenth in (0..<count).filter { $0 % 10 == tenth }.map { first &+ $0 } }
    }()

    /// Runs a tenth of the seeds.
    /// - Throws: ``BrokenPromise`` for the first seed with a broken promise.
    package static func play(_ tenth: Int, makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend)
        async throws
    {
        for seed in tenths[tenth] {
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
