import AsyncStoreKitTesting

/// Holds back whoever passes until it is opened.
package final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var arrived = 0
    }

    private let state = Monitor(State())

    package init() {}

    /// Returns when the gate is open; also when nobody has opened it for so long that the test has failed, or when the task is
    /// cancelled.
    package func pass() async {
        state.update { $0.arrived += 1 }
        try? await state.wait(for: "a gate to be opened") { $0.isOpen ? () : nil }
    }

    /// Lets everybody pass, now and later.
    package func open() {
        state.update { $0.isOpen = true }
    }

    /// Returns when so many have come to the gate.
    package func arrivals(_ count: Int) async throws {
        try await state.wait(for: "\(count) arrivals at a gate") { $0.arrived >= count ? () : nil }
    }
}
