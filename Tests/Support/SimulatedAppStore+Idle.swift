package import AppStoreSimulator
import AsyncStoreKitTesting

extension SimulatedAppStore {
    /// Returns when nothing is under way any more.
    package func idle() async throws {
        try await withDeadline("the App Store to be idle") { await self.waitUntilIdle() }
    }
}
