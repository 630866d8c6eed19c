package import AsyncStoreKit
import AsyncStoreKitTesting

/// A backend that forwards and records all calls, and can delay product requests.
package final class SpyBackend: RelayBackend {
    private struct State: Sendable {
        var finished: [TransactionToken] = []
        var asked: [Set<String>] = []
    }

    package let next: any StoreBackend
    private let state = Locked(State())
    private let gate = Gate()
    private let reports = Recorder<StoreTransaction>()

    package init(_ backend: any StoreBackend, holdsProducts: Bool = false) {
        next = backend
        if !holdsProducts { gate.open() }
    }

    package var finished: [TransactionToken] { state.withLock { $0.finished } }
    package var asked: [Set<String>] { state.withLock { $0.asked } }

    /// Waits for the first forwarded transaction in a state.
    package func firstReport(in wanted: StoreTransaction.State) async throws -> StoreTransaction {
        try await reports.first { $0.state == wanted }
    }

    package func untilAsked(_ count: Int) async throws { try await gate.arrivals(count) }
    package func releaseProducts() { gate.open() }

    package func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        next.activate { [reports] event in
            receive(event)
            if case .updatedTransactions(let batch) = event { batch.forEach(reports.record) }
        }
    }

    package func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        state.withLock { $0.finished.append(token) }
        next.finish(token, completion: completion)
    }

    package func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        state.withLock { $0.asked.append(productIDs) }
        await gate.pass()
        return try await next.products(for: productIDs)
    }
}
