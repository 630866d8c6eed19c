import AppStoreSimulator
import AsyncStoreKit

/// Runs one request to its first answer.
final class SimulatedRequestRun: Sendable {
    struct Products: Sendable {
        let found: [SimulatedProduct]
        let invalid: [String]
    }

    private let first = FirstAnswer<Products?>()

    func receive(_ event: SimulatedRequestEvent) {
        switch event {
        case .products(let found, let invalid): first.end(.success(Products(found: found, invalid: invalid)))
        case .finished: first.end(.success(nil))
        case .failed(let error): first.end(.failure(error))
        }
    }

    /// The products found; `nil` for a request that has none.
    func answer(_ request: SimulatedRequest, during what: String) async throws(StoreError) -> Products? {
        switch await first.wait(start: { request.start() }, cancel: { request.cancel() }) {
        case .success(let products): return products
        case .failure(let error as SimulatedError): throw StoreError(error, during: what)
        case .failure: throw .cancelled(what)
        }
    }
}
