import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded) struct SoakTests {
    @Test(arguments: Soak.slices.indices)
    func `the promises hold while 300 calls run at the same time over an unreliable App Store`(
        slice: Int
    ) async throws {
        let broken = try await Soak.play(slice, over: "SimulatedBackend") { launch, _ in
            SimulatedBackend(launch: launch, engine: .storeKit1)
        }
        expectEqual(broken, nil)
    }

    @Test func `a run finds a backend that doesn't tell the App Store to finish`() async {
        let broken = await Self.invariants { ForgetfulBackend(next: $0) }
        #expect(broken.contains(.finished))
    }

    @Test func `a run detects a backend that finishes undelivered transactions`() async {
        let broken = await Self.invariants { HastyBackend(next: $0) }
        #expect(broken.contains(.deliveredBeforeFinish))
    }

    /// Returns the promises that three runs over a backend break.
    private static func invariants(
        _ makeBackend: @escaping @Sendable (SimulatedBackend) -> any StoreBackend
    ) async -> Set<SoakInvariant> {
        var broken: Set<SoakInvariant> = []
        for seed in UInt64(1)...3 {
            let run = SoakRun(seed: seed) { launch, _ in
                makeBackend(SimulatedBackend(launch: launch, engine: .storeKit1))
            }
            await broken.formUnion(run.run().map(\.invariant))
        }
        return broken
    }
}

/// Reports transactions as finished without telling the App Store.
private struct ForgetfulBackend: RelayBackend {
    let next: any StoreBackend

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) { completion() }
}

/// Finishes every transaction as soon as it's reported.
private struct HastyBackend: RelayBackend {
    let next: any StoreBackend

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        next.activate { [next] event in
            receive(event)
            guard case .updatedTransactions(let batch) = event else { return }
            for transaction in batch where transaction.state == .purchased { next.finish(transaction.token) {} }
        }
    }
}
