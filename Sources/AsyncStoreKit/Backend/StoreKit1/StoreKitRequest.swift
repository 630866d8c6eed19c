import Foundation
import StoreKit

/// Runs one `SKRequest` to its first response.
// @unchecked because: the request is only started and cancelled, which StoreKit allows from any thread.
final class StoreKitRequest: NSObject, @unchecked Sendable {
    private let request: SKRequest
    private let response = Promise<Result<SKProductsResponse?, any Error>>()

    init(_ request: SKRequest) {
        self.request = request
    }

    /// The response to a products request; `nil` for a request that has none.
    func response(during what: String) async throws(StoreError) -> SKProductsResponse? {
        guard !Task.isCancelled else { throw .cancelled(what) }
        // The delegate is weak: this frame keeps it, until there is a response.
        setDelegate()
        request.start()
        let result = await response.value { [self] in
            request.cancel()
            response.fulfill(.failure(CancellationError()))
        }
        switch result {
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
        self.response.fulfill(.success(response))
    }

    func requestDidFinish(_ request: SKRequest) {
        response.fulfill(.success(nil))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        response.fulfill(.failure(error))
    }
}

extension DeviceReceipt {
    /// Creates the receipt for a file and StoreKit's request.
    init(request: @escaping @Sendable () -> SKReceiptRefreshRequest, read: @escaping @Sendable () -> Data?) {
        self.init(
            read: read,
            request: { () async throws(StoreError) in
                _ = try await StoreKitRequest(request()).response(during: "The request for a new receipt")
            })
    }
}
