import AsyncStoreKit
import Support
import TestHarness
import Testing

@Suite(.bounded) struct EngineScheduleTests {
    @Test(arguments: Schedule.slices.indices)
    func `the promises hold over StoreKit 1 in random schedules`(slice: Int) async throws {
        try await Schedule.play(slice) { StoreKit1Backend(environment: StoreKit1Environment(launch: $0)) }
    }

    @Test(arguments: Schedule.slices.indices)
    func `the promises hold over StoreKit 2 in random schedules`(slice: Int) async throws {
        // The clock of a schedule rarely advances, so no call waits for it.
        var timing = StoreKit2Backend.Timing()
        (timing.absenceInterval, timing.emptyRestorePause) = (0, 0)
        try await Schedule.play(slice) { [timing] launch in
            StoreKit2Backend(environment: SystemStoreKit2(launch: launch), timing: timing)
        }
    }
}
