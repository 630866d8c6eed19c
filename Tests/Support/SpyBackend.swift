public import AsyncStoreKit
import AsyncStoreKitTesting
public import Foundation

/// Passes everything on, remembers what went through, and holds product requests back when it is told to.
public final class SpyBackend: StoreBackend {
    private struct State: Sendable {
        var finished: [TransactionToken] = []
        var asked: [Set<String>] = []
    }

    private let backend: any StoreBackend
    private let state = Locked(State())
    private let gate = Gate()
    private let reports = Recorder<StoreTransaction>()

    public init(_ backend: any StoreBackend, holdsProducts: Bool = false) {
        self.backend = backend
        if !holdsProducts { gate.open() }
    }

    public var finished: [TransactionToken] { state.withLock { $0.finished } }
    public var asked: [Set<String>] { state.withLock { $0.asked } }

    /// The first transaction that was passed on in this state.
    public func firstReport(in wanted: StoreTransaction.State) async -> StoreTransaction? {
        await reports.first { $0.state == wanted }
    }

    public func untilAsked(_ count: Int) async { await gate.arrivals(count) }
    public func releaseProducts() { gate.open() }

    public var canMakePayments: Bool { backend.canMakePayments }
    public var storefront: StoreStorefront? { backend.storefront }

    public func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        backend.activate { [reports] event in
            receive(event)
            if case .updatedTransactions(let batch) = event { batch.forEach(reports.record) }
        }
    }

    public func deactivate() { backend.deactivate() }
    public func newestToken() -> TransactionToken { backend.newestToken() }
    public func submit(_ payment: PaymentRequest) throws(StoreError) { try backend.submit(payment) }

    public func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) {
        try backend.restoreCompletedTransactions(applicationUsername: applicationUsername)
    }

    public func finish(_ token: TransactionToken) {
        state.withLock { $0.finished.append(token) }
        backend.finish(token)
    }

    public func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        state.withLock { $0.asked.append(productIDs) }
        await gate.pass()
        return try await backend.products(for: productIDs)
    }

    public func receiptData() throws(StoreError) -> Data { try backend.receiptData() }
    public func refreshReceipt() async throws(StoreError) { try await backend.refreshReceipt() }
}
