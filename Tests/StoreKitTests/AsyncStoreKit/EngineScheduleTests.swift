import AsyncStoreKit
import Support
import TestHarness
import Testing

@Suite(.bounded) struct EngineScheduleTests {
    @Test(arguments: Schedule.tenths.indices)
    func `the promises hold over StoreKit 1, whatever happens, in whatever order`(tenth: Int) async throws {
        try await Schedule.play(tenth) { StoreKit1Backend(environment: StoreKit1Environment(launch: $0)) }
    }

    @Test(arguments: Schedule.tenths.indices)
    func `the promises hold over StoreKit 2, whatever happens, in whatever order`(tenth: Int) async throws {
        // The clock of a schedule stands still most of the time: nothing waits for it.
        var timing = StoreKit2Backend.Timing()
        (timing.absenceInterval, timing.emptyRestorePause) = (0, 0)
        try await Schedule.play(tenth) { [timing] launch in
            StoreKit2Backend(environment: StoreKit2Environment(launch: launch), timing: timing)
        }
    }
}
