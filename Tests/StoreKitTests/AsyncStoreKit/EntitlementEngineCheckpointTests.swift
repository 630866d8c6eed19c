import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// Random histories of customers against the App Store's records, over this package's StoreKit.
@Suite(.bounded) struct EntitlementEngineCheckpointTests {
    private static let slices = seedSlices(
        of: "Checkpoints over this package's StoreKit", seed: Checkpoints.seed,
        count: Checkpoints.count.flatMap { Int($0) }.map { "\($0 / 5)" }, usualCount: 1, size: 10)

    @Test(arguments: slices.indices)
    func `the answer is the App Store's once the device tells the truth`(slice: Int) async throws {
        for seed in Self.slices[slice] {
            let checkpoint = EntitlementCheckpoint(seed: seed, signs: false) { launch, device in
                StoreKit2Backend(
                    environment: device.environment(
                        SystemStoreKit2(launch: launch, clock: SimulatedClock(launch.store))))
            }
            if let violation = try await checkpoint.play(steps: 15) {
                Issue.record("CHECKPOINT_SEED=\(seed): \(violation)")
                return
            }
        }
    }
}
