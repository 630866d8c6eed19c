package import AsyncStoreKit
package import Foundation

/// A backend without an App Store. The backend reports no transactions, and every call fails.
package struct UnreachableBackend: StoreBackend {
    package init() {}

    package var clock: any StoreClock { SystemStoreClock() }
    package var usualPaymentResponseTimeout: TimeInterval { 30 }
    package var canMakePayments: Bool { true }
    package var storefront: AppStorefront? { nil }
    package var hostedContent: (any HostedContentBackend)? { nil }
    package var finishesImmediately: Bool { false }
    package var sheets: (any SystemSheetBackend)? { nil }

    package func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) { receive(.initialTransactionsReported) }

    package func deactivate() {}

    package func newestToken() -> TransactionToken? { nil }

    package func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) { throw unavailable }

    package func release(_ id: CallID) {}

    package func forget(_ tokens: [TransactionToken]) {}

    package func apply(_ policies: PaymentQueuePolicies) {}

    package func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) { throw unavailable }

    package func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) { completion() }

    package func refreshPendingState() {}

    package func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        throw unavailable
    }

    package func receiptData() throws(StoreError) -> Data { throw unavailable }

    package func refreshReceipt() async throws(StoreError) { throw unavailable }

    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory { throw unavailable }

    package func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory { throw unavailable }

    package func appTransaction() async throws(StoreError) -> String? { throw unavailable }

    package var historyTrust: HistoryTrust {
        get async { HistoryTrust(bundleID: nil, environment: nil) }
    }

    package func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? { nil }

    private var unavailable: StoreError { StoreError(.backendUnavailable, "This backend has no App Store.") }
}
