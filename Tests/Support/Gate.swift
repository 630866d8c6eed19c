import AsyncStoreKitTesting

/// A gate at which tasks wait while it is closed.
package final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen: Bool
        var arrived = 0
    }

    private let state: Monitor<State>

    package init(isOpen: Bool = false) {
        state = Monitor(State(isOpen: isOpen))
    }

    /// Waits until the gate is open, the task is canceled, or the timeout of a failed test has passed.
    package func pass() async {
        state.update { $0.arrived += 1 }
        try? await state.wait(for: "a gate to be opened") { $0.isOpen ? () : nil }
    }

    /// Opens the gate for all current and later tasks.
    package func open() {
        state.update { $0.isOpen = true }
    }

    /// Closes the gate for later tasks.
    package func close() {
        state.update { $0.isOpen = false }
    }

    /// Waits until a number of tasks have arrived at the gate.
    package func arrivals(_ count: Int) async throws {
        try await state.wait(for: "\(count) arrivals at a gate") { $0.arrived >= count ? () : nil }
    }
}
