import Foundation
import StoreKit

/// Runs one `SKRequest` to its first answer.
// @unchecked because: the request is only started and cancelled, which StoreKit allows from any thread.
final class StoreKitRequest: NSObject, @unchecked Sendable {
    private let request: SKRequest
    private let first = FirstAnswer<SKProductsResponse?>()

    init(_ request: SKRequest) {
        self.request = request
    }

    /// The response to a products request; `nil` for a request that has none.
    func answer(during what: String) async throws(StoreError) -> SKProductsResponse? {
        // The delegate is weak: this frame keeps it, until there is an answer.
        setDelegate()
        switch await first.wait(start: { request.start() }, cancel: { self.request.cancel() }) {
        case .success(let response): return response
        case .failure(is CancellationError): throw .cancelled(what)
        case .failure(let error): throw StoreError(storeKitError: error, during: what)
        }
    }

    private func setDelegate() {
        if let products = request as? SKProductsRequest {
            products.delegate = self
        } else {
            request.delegate = self
        }
    }
}

extension StoreKitRequest: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        first.end(.success(response))
    }

    func requestDidFinish(_ request: SKRequest) {
        first.end(.success(nil))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        first.end(.failure(error))
    }
}
