import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// Compares the simulated engines with the engines over this package's StoreKit, event by event.
@Suite(.bounded) struct EngineDifferenceTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The seeds of each pair in slices. `DIFFERENCE_SEED` selects the first seed, and `DIFFERENCES` their number.
    private static let slices = seedSlices(
        of: "Differences", seed: environment["DIFFERENCE_SEED"], count: environment["DIFFERENCES"], usualCount: 200,
        size: 10)

    private func expectNoDifference(_ one: EngineUnderTest, _ other: EngineUnderTest, slice: Int) async throws {
        for seed in Self.slices[slice] {
            var lines: ([String], [String]) = ([], [])
            // Threads may order independent events either way, so a difference is reported only if each of three runs
            // has one.
            for _ in 0..<3 {
                lines = try await withDeadline("the end of DIFFERENCE_SEED=\(seed)") {
                    (
                        try await EngineSchedule(seed: seed, over: one).play(seed: seed, steps: 12),
                        try await EngineSchedule(seed: seed, over: other).play(seed: seed, steps: 12)
                    )
                }
                if lines.0 == lines.1 { break }
            }
            guard lines.0 != lines.1 else { continue }
            let place = zip(lines.0, lines.1).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
            let expected = lines.0.indices.contains(place) ? lines.0[place] : "nothing"
            let actual = lines.1.indices.contains(place) ? lines.1[place] : "nothing"
            let before = lines.0[..<place].suffix(6).joined(separator: "\n")
            Issue.record("DIFFERENCE_SEED=\(seed)\n\(before)\n\(one): \(expected)\n\(other): \(actual)")
            return
        }
    }

    @Test(arguments: slices.indices)
    func `simulated StoreKit 2 reports, returns and throws the same as StoreKit 2`(slice: Int) async throws {
        try await expectNoDifference(.storeKit2, .simulatedStoreKit2, slice: slice)
    }

    @Test(arguments: slices.indices)
    func `simulated StoreKit 1 reports, returns and throws the same as StoreKit 1`(slice: Int) async throws {
        try await expectNoDifference(.storeKit1, .simulatedStoreKit1, slice: slice)
    }
}
