import AsyncStoreKit
import Foundation

/// A backend that answers every payment with a purchase at once, from inside the call.
// @unchecked because: what changes is only touched while `lock` is held. (Generic code of another module, such as
// `TransactionStamper`, is left out: it is the store that is measured.)
final class InstantBackend: StoreBackend, @unchecked Sendable {
    private let lock = NSLock()
    private var serial: UInt64 = 0
    private var receive: (@Sendable (QueueEvent) -> Void)?

    var canMakePayments: Bool { true }
    var storefront: AppStorefront? { nil }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        lock.withLock { self.receive = receive }
    }

    func deactivate() {
        lock.withLock { receive = nil }
    }

    func newestToken() -> TransactionToken {
        TransactionToken(source: 0, serial: lock.withLock { serial })
    }

    func submit(_ payment: PaymentRequest, as id: CallID) {
        lock.lock()
        serial += 1
        let (serial, receive) = (serial, receive)
        lock.unlock()
        let transaction = StoreTransaction(
            token: TransactionToken(source: 0, serial: serial), state: .purchased, productID: payment.productID,
            quantity: payment.quantity, id: String(serial))
        receive?(.updatedTransactions([transaction]))
    }

    func restoreCompletedTransactions(applicationUsername: String?) {
        lock.withLock { receive }?(.restoreFinished)
    }

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        lock.withLock { receive }?(.removedTransactions([token]))
        completion()
    }

    func products(for productIDs: Set<String>) -> ProductsResponse {
        ProductsResponse(products: productIDs.map(Self.product), invalidProductIDs: [])
    }

    func receiptData() throws(StoreError) -> Data {
        throw StoreError(.receiptUnavailable, "There is none here.")
    }

    func refreshReceipt() {}

    static func product(_ id: String) -> StoreProduct {
        StoreProduct(id: id, displayName: id, description: "", price: 1, priceLocale: Locale(identifier: "en_US"))
    }
}
