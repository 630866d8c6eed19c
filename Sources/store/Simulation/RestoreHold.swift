import AsyncStoreKit
import AsyncStoreKitTesting

/// A backend that can hold restores back, as a slow App Store does.
final class RestoreHold: RelayBackend {
    private struct State: Sendable {
        var isHolding = false
        var held: [@Sendable () -> Void] = []
    }

    let next: any StoreBackend
    private let state = Locked(State())
    private let (begun, beginning) = AsyncStream.makeStream(of: Void.self)

    init(_ next: any StoreBackend) {
        self.next = next
    }

    /// Holds back all restores until ``releaseRestores()``.
    func holdRestores() {
        state.withLock { $0.isHolding = true }
    }

    /// Returns when a restore is being held back.
    func waitForRestore() async {
        for await _ in begun { return }
    }

    /// Continues the restores that were held back, and holds back no more.
    func releaseRestores() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        held.forEach { $0() }
    }

    func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) {
        let isHeld = state.withLock { state in
            guard state.isHolding else { return false }
            state.held.append { [next] in
                try? next.restoreCompletedTransactions(applicationUsername: applicationUsername)
            }
            return true
        }
        guard isHeld else { return try next.restoreCompletedTransactions(applicationUsername: applicationUsername) }
        beginning.yield()
    }
}
