import AsyncStoreKit
import Foundation

/// A backend that answers every payment with a purchase immediately, from inside the call.
///
/// The backend doesn't use `StoreKit1Queue` and other generic code, so that the benchmark measures only the store.
final class InstantBackend: StoreBackend {
    private struct State: Sendable {
        var serial: UInt64 = 0
        var receive: (@Sendable (QueueEvent) -> Void)?
    }

    private let state = Locked(State())

    var clock: any StoreClock { SystemStoreClock() }
    var usualPaymentResponseTimeout: TimeInterval { 30 }
    var canMakePayments: Bool { true }
    var storefront: AppStorefront? { nil }
    var hostedContent: (any HostedContentBackend)? { nil }
    var finishesImmediately: Bool { false }
    var sheets: (any SystemSheetBackend)? { nil }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        state.withLock { $0.receive = receive }
    }

    func deactivate() {
        state.withLock { $0.receive = nil }
    }

    func newestToken() -> TransactionToken {
        TransactionToken(source: 0, serial: state.withLock { $0.serial })
    }

    func submit(_ payment: PaymentRequest, as id: CallID) {
        let (serial, receive) = state.withLock { state in
            state.serial += 1
            return (state.serial, state.receive)
        }
        let transaction = StoreTransaction(
            token: TransactionToken(source: 0, serial: serial), state: .purchased, productID: payment.productID,
            quantity: payment.quantity, id: String(serial))
        receive?(.updatedTransactions([transaction]))
    }

    func restoreCompletedTransactions(applicationUsername: String?) {
        state.withLock { $0.receive }?(.restoreFinished)
    }

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        state.withLock { $0.receive }?(.removedTransactions([token]))
        completion()
    }

    func products(for productIDs: Set<String>) -> ProductsResponse {
        ProductsResponse(products: productIDs.map(Self.product), invalidProductIDs: [])
    }

    func receiptData() throws(StoreError) -> Data {
        throw StoreError(.receiptUnavailable, "This backend has no receipt.")
    }

    func refreshReceipt() {}

    func release(_ id: CallID) {}
    func forget(_ tokens: [TransactionToken]) {}
    func apply(_ policies: PaymentQueuePolicies) {}
    func refreshPendingState() {}

    func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        .receipt(try receiptData())
    }

    func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory { try await purchaseHistory(groups: []) }

    func appTransaction() async throws(StoreError) -> String? { nil }
    var historyTrust: HistoryTrust {
        get async { HistoryTrust(bundleID: nil, environment: nil) }
    }
    func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? { nil }

    static func product(_ id: String) -> StoreProduct {
        StoreProduct(id: id, displayName: id, description: "", price: 1, priceLocale: Locale(identifier: "en_US"))
    }
}
