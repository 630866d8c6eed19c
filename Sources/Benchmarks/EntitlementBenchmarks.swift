import AppReceipt
import AsyncStoreKit
import Dispatch
import Foundation

/// How long it takes to say what a customer owns: the first time, when nothing has changed, and for a view's body.
enum EntitlementBenchmarks {
    /// Measures and prints.
    static func run() async {
        print("Entitlements, 10 000 transactions of 50 products")
        let backend = HistoryBackend(transactions: 10_000)
        let first = await Measurement(runs: 11) {
            PurchaseStore(over: backend)
        } _: { store in
            if await store.entitlements.current.productIDs.isEmpty { print("  nothing is owned") }
        }
        first.report("  first answer", operations: 1, goal: "50 ms")
        let store = PurchaseStore(over: backend)
        _ = await store.entitlements.current
        let again = await Measurement(runs: 51) {
        } _: { _ in
            _ = await store.entitlements.refresh()
        }
        again.report("  a read that changes nothing", operations: 1, goal: "5 ms")
        let entitlements = store.entitlements
        let latest = await Measurement(runs: 11) {
        } _: { _ in
            for _ in 0..<100_000 where entitlements.latest.basis == .unknown { print("  nothing is known") }
        }
        latest.report("  .latest, 100 000 times", operations: 100_000, goal: "0.1 µs")
    }
}

/// A device with a long history, as StoreKit 2 hands it over.
private final class HistoryBackend: StoreBackend {
    private let history: SignedPurchaseHistory

    init(transactions count: Int) {
        let start = Date(timeIntervalSinceNow: -Double(count / 50) * 604_800)
        history = SignedPurchaseHistory(
            transactions: (0..<count).map { number in
                let period = Double(number / 50)
                var row = ReceiptTransaction(
                    productID: "com.example.subscription.\(number % 50)", transactionID: "\(1_000_000_000 + number)",
                    purchaseDate: start.addingTimeInterval(period * 604_800), originalTransactionID: "\(1_000_000_000 + number % 50)",
                    originalPurchaseDate: start, expirationDate: start.addingTimeInterval((period + 1) * 604_800 + 3_600),
                    productKind: .autoRenewableSubscription)
                row.signedDate = row.purchaseDate
                row.subscriptionGroupID = "\(number % 50)"
                return SignedStatement(row, text: { "" })
            })
    }

    func purchaseHistory() async throws(StoreError) -> PurchaseHistory { .signed(history) }

    var canMakePayments: Bool { true }
    var storefront: AppStorefront? { nil }
    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {}
    func deactivate() {}
    func newestToken() -> TransactionToken { TransactionToken(source: 0, serial: 0) }
    func submit(_ payment: PaymentRequest, as id: CallID) {}
    func restoreCompletedTransactions(applicationUsername: String?) {}
    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) { completion() }
    func products(for productIDs: Set<String>) -> ProductsResponse { ProductsResponse(products: [], invalidProductIDs: productIDs) }
    func receiptData() throws(StoreError) -> Data { throw StoreError(.receiptUnavailable, "There is none here.") }
    func refreshReceipt() {}
}
