import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded) struct ScheduleTests {
    @Test(arguments: Schedule.tenths.indices)
    func `the promises hold for random schedules`(tenth: Int) async throws {
        try await Schedule.play(tenth) { SimulatedBackend(launch: $0, engine: .storeKit1) }
    }
}
