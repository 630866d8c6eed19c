import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// A backend that answers every payment with a purchase immediately, from inside the call.
///
/// The backend doesn't use `StoreKit1Queue` and other generic code, so that the benchmark measures only the store.
final class InstantBackend: RelayBackend {
    private struct State: Sendable {
        var serial: UInt64 = 0
        var receive: (@Sendable (QueueEvent) -> Void)?
    }

    let next: any StoreBackend = UnreachableBackend()
    private let state = Locked(State())

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        state.withLock { $0.receive = receive }
    }

    func newestToken() -> TransactionToken? {
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

    static func product(_ id: String) -> StoreProduct {
        StoreProduct(id: id, displayName: id, description: "", price: 1, priceLocale: Locale(identifier: "en_US"))
    }
}
