import AsyncStoreKit
import AsyncStoreKitTesting

/// Makes restores slow: what is asked of the App Store for one is held back until it is released.
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

    /// Holds restores from here on.
    func hold() {
        state.withLock { $0.isHolding = true }
    }

    /// Returns when a restore is held.
    func untilBegun() async {
        for await _ in begun { return }
    }

    /// Lets restores continue.
    func letGo() {
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
            state.held.append { [next] in try? next.restoreCompletedTransactions(applicationUsername: applicationUsername) }
            return true
        }
        guard isHeld else { return try next.restoreCompletedTransactions(applicationUsername: applicationUsername) }
        beginning.yield()
    }
}
