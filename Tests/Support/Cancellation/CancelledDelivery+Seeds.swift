package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

extension CancelledDelivery {
    private static let environment = ProcessInfo.processInfo.environment

    /// The seeds in slices. `CANCELLATION_SEED` selects the first seed, and `CANCELLATIONS` the number of seeds.
    package static let slices = seedSlices(
        of: "Random cancellations", seed: environment["CANCELLATION_SEED"], count: environment["CANCELLATIONS"],
        usualCount: 10, size: 500)

    /// Cancels the app at random moments, once for each seed of a slice and each kind of closure.
    /// - Throws: ``CancellationViolation`` for the first seed with a violation.
    package static func play(
        _ slice: Int, _ style: Style, over engine: String,
        makeBackend: @escaping @Sendable (SimulatedLaunch, any StoreClock) -> any StoreBackend
    ) async throws {
        var (cancelled, begun, delivered) = (0, 0, 0)
        for seed in slices[slice] {
            var random = ScheduleGenerator(seed: seed)
            for failure in Failure.allCases {
                // Short runs are as frequent as long ones.
                let turns = Int.random(in: 0...(1 << Int.random(in: 0...7, using: &random)), using: &random)
                let result = try await withDeadline("the end of CANCELLATION_SEED=\(seed)") {
                    try await CancelledDelivery(style, failure, .turns(turns), makeBackend: makeBackend).run()
                }
                if let violation = result.violation {
                    throw CancellationViolation(
                        description: "CANCELLATION_SEED=\(seed), \(style), \(failure): \(violation)")
                }
                if result.wasCancelled { cancelled += 1 }
                if result.wasCancelled && result.hadBegun { begun += 1 }
                if result.wasCancelled && result.hadDelivered { delivered += 1 }
            }
        }
        guard environment["CANCELLATIONS"] != nil else { return }
        print(
            "\(engine), \(style): \(slices[slice].count * Failure.allCases.count) runs, \(cancelled) cancelled,",
            "\(begun) after a delivery began, \(delivered) after one ended")
    }

    /// Cancels the app at each step.
    /// - Throws: ``CancellationViolation`` for the first step with a violation.
    /// - Returns: The number of steps.
    package static func playEveryStep(
        _ style: Style, _ failure: Failure,
        makeBackend: @escaping @Sendable (SimulatedLaunch, any StoreClock) -> any StoreBackend
    ) async throws -> Int {
        for step in 1...200 {
            let result = try await withDeadline("the end of a run that is cancelled at step \(step)") {
                try await CancelledDelivery(style, failure, .step(step), makeBackend: makeBackend).run()
            }
            if let violation = result.violation {
                throw CancellationViolation(description: "cancelled at step \(step): \(violation)")
            }
            guard result.wasCancelled else { return step - 1 }
        }
        throw CancellationViolation(description: "The run has no end.")
    }
}

/// What a run lost.
package struct CancellationViolation: Error, CustomStringConvertible {
    package let description: String
}
