import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// Random histories of customers against the App Store's records, over both simulated engines.
@Suite(.bounded) struct EntitlementCheckpointTests {
    private static let slices = seedSlices(
        of: "Checkpoints", seed: Checkpoints.seed, count: Checkpoints.count, usualCount: 1, size: 20)
    private static let receiptSlices = seedSlices(
        of: "Checkpoints over StoreKit 1", seed: Checkpoints.seed,
        count: Checkpoints.count.flatMap { Int($0) }.map { "\($0 / 10)" }, usualCount: 1, size: 5)

    @Test(arguments: slices.indices)
    func `whatever the device has said, the answer is the App Store's once the device tells the truth`(slice: Int)
        async throws
    {
        for seed in Self.slices[slice] {
            // Every tenth customer has a cache that is accepted.
            let checkpoint = EntitlementCheckpoint(seed: seed, signs: seed.isMultiple(of: 10)) { launch, device in
                StoreKit2Backend(environment: device.environment(SimulatedStoreKit2(launch)))
            }
            if let violation = try await checkpoint.play(steps: 15) {
                Issue.record("CHECKPOINT_SEED=\(seed): \(violation)")
                return
            }
        }
    }

    @Test(arguments: receiptSlices.indices)
    func `over StoreKit 1, the answer is the receipt's once the device tells the truth`(slice: Int) async throws {
        for seed in Self.receiptSlices[slice] {
            let checkpoint = EntitlementCheckpoint(seed: seed, isReceipt: true, signs: true) { launch, _ in
                SimulatedBackend(launch: launch, engine: .storeKit1)
            }
            if let violation = try await checkpoint.play(steps: 12) {
                Issue.record("CHECKPOINT_SEED=\(seed): \(violation)")
                return
            }
        }
    }
}
