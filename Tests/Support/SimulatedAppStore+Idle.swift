package import AppStoreSimulator
import AsyncStoreKitTesting

extension SimulatedAppStore {
    /// Waits until the App Store is idle.
    package func idle() async throws {
        try await withDeadline("the App Store to be idle") { await self.waitUntilIdle() }
    }
}
