package import AsyncStoreKit
package import Foundation

/// A backend that forwards every requirement to another backend, except for those that it implements itself.
///
/// The properties ``StoreBackend/hostedContent`` and ``StoreBackend/sheets`` are forwarded too, so calls for hosted
/// content and sheets go directly to the other backend.
package protocol RelayBackend: StoreBackend {
    var next: any StoreBackend { get }
}

extension RelayBackend {
    package var clock: any StoreClock { next.clock }
    package var usualPaymentResponseTimeout: TimeInterval { next.usualPaymentResponseTimeout }
    package var canMakePayments: Bool { next.canMakePayments }
    package var storefront: AppStorefront? { next.storefront }
    package var hostedContent: (any HostedContentBackend)? { next.hostedContent }
    package var sheets: (any SystemSheetBackend)? { next.sheets }
    package func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) { next.activate(receive) }
    package func deactivate() { next.deactivate() }
    package func newestToken() -> TransactionToken? { next.newestToken() }
    package func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
        try next.submit(payment, as: id)
    }
    package func release(_ id: CallID) { next.release(id) }
    package func forget(_ tokens: [TransactionToken]) { next.forget(tokens) }
    package func apply(_ policies: PaymentQueuePolicies) { next.apply(policies) }
    package func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) {
        try next.restoreCompletedTransactions(applicationUsername: applicationUsername)
    }
    package func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        next.finish(token, completion: completion)
    }
    package var finishesImmediately: Bool { next.finishesImmediately }
    package func refreshPendingState() { next.refreshPendingState() }
    package func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        try await next.products(for: productIDs)
    }
    package func receiptData() throws(StoreError) -> Data { try next.receiptData() }
    package func refreshReceipt() async throws(StoreError) { try await next.refreshReceipt() }
    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        try await next.purchaseHistory(groups: groups)
    }
    package func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory {
        try await next.completePurchaseHistory()
    }
    package func appTransaction() async throws(StoreError) -> String? { try await next.appTransaction() }
    package var historyTrust: HistoryTrust {
        get async { await next.historyTrust }
    }
    package func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? {
        await next.isEligibleForIntroductoryOffer(inGroup: groupID)
    }
}
