import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct ScheduleTests {
    /// `SCHEDULE_SEED` plays one, `SCHEDULES` so many instead of the usual number; `SCHEDULE_VERBOSE` names each
    /// before it is played, for the one that hangs.
    private static var seeds: [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SCHEDULE_SEED"].flatMap(UInt64.init) { return [seed] }
        let count = environment["SCHEDULES"].flatMap(Int.init) ?? 2_000
        let first = UInt64.random(in: 0...UInt64.max / 2)
        return (0..<UInt64(max(1, count))).map { first &+ $0 }
    }

    @Test(.timeLimit(.minutes(5)))
    func `the promises hold whatever happens, in whatever order`() async {
        let seeds = Self.seeds
        print("Random schedules: \(seeds.count), the first is SCHEDULE_SEED=\(seeds.first ?? 0)")
        let isVerbose = ProcessInfo.processInfo.environment["SCHEDULE_VERBOSE"] != nil
        for seed in seeds {
            if isVerbose { print("SCHEDULE_SEED=\(seed)") }
            let violations = await Schedule(seed: seed).play()
            #expect(violations.isEmpty, "SCHEDULE_SEED=\(seed): \(violations.joined(separator: "; "))")
            if !violations.isEmpty { break }
        }
    }
}
