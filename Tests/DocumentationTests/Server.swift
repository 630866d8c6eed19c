import AsyncStoreKit
import Foundation

/// The app's server. It credits coins once for each delivery, and can be down.
struct Server: Sendable {
    enum State { case up, down }

    struct Figures: Sendable {
        var coins = 0
        var requests = 0
    }

    struct Unreachable: Error {}

    private actor Accounts {
        private(set) var figures = Figures() { didSet { tellObservers() } }
        private var state = State.up
        private var credited: Set<String> = []
        private var observers: [(holds: @Sendable (Figures) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []

        func credit(_ quantity: Int, for key: String) async throws {
            figures.requests += 1
            guard state == .up else { throw Unreachable() }
            if credited.insert(key).inserted { figures.coins += quantity }
        }

        func become(_ state: State) { self.state = state }

        func until(_ holds: @escaping @Sendable (Figures) -> Bool) async {
            if !holds(figures) { await withCheckedContinuation { observers.append((holds, $0)) } }
        }

        private func tellObservers() {
            for observer in observers where observer.holds(figures) { observer.continuation.resume() }
            observers.removeAll { $0.holds(figures) }
        }
    }

    private let accounts = Accounts()

    var coins: Int { get async { await accounts.figures.coins } }

    func deliver(_ purchase: StorePurchase) async throws {
        try await accounts.credit(purchase.quantity, for: purchase.deliveryKey)
    }

    func become(_ state: State) async { await accounts.become(state) }

    /// Returns when the server's figures meet a condition.
    func until(_ holds: @escaping @Sendable (Figures) -> Bool) async { await accounts.until(holds) }
}
