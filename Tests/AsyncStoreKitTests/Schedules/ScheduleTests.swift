import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded) struct ScheduleTests {
    @Test(arguments: Schedule.slices.indices)
    func `the promises hold for random schedules`(slice: Int) async throws {
        try await Schedule.play(slice) { SimulatedBackend(launch: $0, engine: .storeKit1) }
    }
}
