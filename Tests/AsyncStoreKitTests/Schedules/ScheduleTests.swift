import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct ScheduleTests {
    /// In tenths, so that a slow machine shows how far it is. `SCHEDULE_SEED` plays one, `SCHEDULES` so many instead of the usual
    /// number.
    private static let tenths: [[UInt64]] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SCHEDULE_SEED"].flatMap(UInt64.init) { return [[seed]] }
        let count = UInt64(max(10, environment["SCHEDULES"].flatMap(Int.init) ?? 1_000))
        let first = UInt64.random(in: 0...UInt64.max / 2)
        print("Random schedules: \(count), the first is SCHEDULE_SEED=\(first)")
        return (0..<10).map { tenth in (0..<count).filter { $0 % 10 == tenth }.map { first &+ $0 } }
    }()

    @Test(arguments: tenths.indices)
    func `the promises hold whatever happens, in whatever order`(tenth: Int) async throws {
        for seed in Self.tenths[tenth] {
            let violations = try await withDeadline("the end of SCHEDULE_SEED=\(seed)") { await Schedule(seed: seed).play() }
            try #require(violations.isEmpty, "SCHEDULE_SEED=\(seed): \(violations.joined(separator: "; "))")
        }
    }
}
