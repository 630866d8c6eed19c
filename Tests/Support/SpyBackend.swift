package import AsyncStoreKit
import AsyncStoreKitTesting
package import Foundation

/// Passes everything on, remembers what went through, and holds product requests back when it is told to.
package final class SpyBackend: StoreBackend {
    private struct State: Sendable {
        var finished: [TransactionToken] = []
        var asked: [Set<String>] = []
    }

    private let backend: any StoreBackend
    private let state = Locked(State())
    private let gate = Gate()
    private let reports = Recorder<StoreTransaction>()

    package init(_ backend: any StoreBackend, holdsProducts: Bool = false) {
        self.backend = backend
        if !holdsProducts { gate.open() }
    }

    package var finished: [TransactionToken] { state.withLock { $0.finished } }
    package var asked: [Set<String>] { state.withLock { $0.asked } }

    /// The first transaction that was passed on in this state.
    package func firstReport(in wanted: StoreTransaction.State) async throws -> StoreTransaction {
        try await reports.first { $0.state == wanted }
    }

    package func untilAsked(_ count: Int) async throws { try await gate.arrivals(count) }
    package func releaseProducts() { gate.open() }

    package var canMakePayments: Bool { backend.canMakePayments }
    package var storefront: AppStorefront? { backend.storefront }

    package func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        backend.activate { [reports] event in
            receive(event)
            if case .updatedTransactions(let batch) = event { batch.forEach(reports.record) }
        }
    }

    package func deactivate() { backend.deactivate() }
    package func newestToken() -> TransactionToken { backend.newestToken() }
    package func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) { try backend.submit(payment, as: id) }

    package func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) {
        try backend.restoreCompletedTransactions(applicationUsername: applicationUsername)
    }

    package func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        state.withLock { $0.finished.append(token) }
        backend.finish(token, completion: completion)
    }

    package func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        state.withLock { $0.asked.append(productIDs) }
        await gate.pass()
        return try await backend.products(for: productIDs)
    }

    package func receiptData() throws(StoreError) -> Data { try backend.receiptData() }
    package func refreshReceipt() async throws(StoreError) { try await backend.refreshReceipt() }
}
