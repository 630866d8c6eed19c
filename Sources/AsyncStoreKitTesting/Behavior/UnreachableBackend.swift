import AsyncStoreKit
import Foundation

/// A backend that reaches nothing.
struct UnreachableBackend: StoreBackend {
    private let stamper = TransactionStamper<Int>()

    var canMakePayments: Bool { true }
    var storefront: AppStorefront? { nil }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {}

    func deactivate() {}

    func newestToken() -> TransactionToken { stamper.newest }

    func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) { throw unavailable }

    func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) { throw unavailable }

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) { completion() }

    func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse { throw unavailable }

    func receiptData() throws(StoreError) -> Data { throw unavailable }

    func refreshReceipt() async throws(StoreError) { throw unavailable }

    private var unavailable: StoreError { StoreError(.backendUnavailable, "This backend reaches nothing.") }
}
