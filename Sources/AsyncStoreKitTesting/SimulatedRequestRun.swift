import AppStoreSimulator
import AsyncStoreKit

/// Runs one request to its first response.
final class SimulatedRequestRun: Sendable {
    struct Products: Sendable {
        let found: [SimulatedProduct]
        let invalid: [String]
    }

    private let response = Promise<Result<Products?, any Error>>()

    func receive(_ event: SimulatedRequestEvent) {
        switch event {
        case .products(let found, let invalid): response.fulfill(.success(Products(found: found, invalid: invalid)))
        case .finished: response.fulfill(.success(nil))
        case .failed(let error): response.fulfill(.failure(error))
        }
    }

    func end() { response.fulfill(.failure(CancellationError())) }

    /// Starts the request and waits for its response; `nil` for a request without products. Cancellation cancels the
    /// request.
    func response(to request: SimulatedRequest, during what: String) async throws(StoreError) -> Products? {
        guard !Task.isCancelled else { throw .cancelledRequest(during: what) }
        request.start()
        let result = await response.value(isResponse: true) { [self] in
            request.cancel()
            end()
        }
        switch result {
        case .success(let products): return products
        case .failure(let error as SimulatedError): throw StoreError(error, during: what)
        case .failure: throw .cancelledRequest(during: what)
        }
    }
}
