import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// Compares the simulated engines with the engines over this package's StoreKit, event by event.
@Suite(.bounded) struct EngineDifferenceTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The number of schedules for each pair: 200, or the value of `DIFFERENCES`.
    private static let count = environment["DIFFERENCES"].flatMap(UInt64.init) ?? 200
    /// The number of test cases that share the schedules. With more schedules there are more cases, not longer ones.
    private static let slices = max(40, count / 20)
    private static let first =
        environment["DIFFERENCE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64.max / 2)

    private func expectNoDifference(_ one: EngineUnderTest, _ other: EngineUnderTest, slice: UInt64) async throws {
        if slice == 0 { print("Differences: DIFFERENCE_SEED=\(Self.first), \(Self.count) of them") }
        for number in 0..<Self.count where number % Self.slices == slice {
            let seed = Self.first &+ number
            var lines: ([String], [String]) = ([], [])
            // Threads may order independent events either way, so a difference counts if each of three runs has one.
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

    @Test(arguments: 0..<slices)
    func `simulated StoreKit 2 reports, returns and throws the same as StoreKit 2`(slice: UInt64) async throws {
        try await expectNoDifference(.storeKit2, .simulatedStoreKit2, slice: slice)
    }

    @Test(arguments: 0..<slices)
    func `simulated StoreKit 1 reports, returns and throws the same as StoreKit 1`(slice: UInt64) async throws {
        try await expectNoDifference(.storeKit1, .simulatedStoreKit1, slice: slice)
    }
}
