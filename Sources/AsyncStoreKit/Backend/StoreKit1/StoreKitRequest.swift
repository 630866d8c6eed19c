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

/// The receipt in the app's bundle, which the App Store keeps up to date whichever engine buys.
package struct DeviceReceipt: Sendable {
    let request: @Sendable () -> SKReceiptRefreshRequest
    let read: @Sendable () -> Data?

    /// - Throws: ``StoreError/Code/receiptUnavailable``
    func data() throws(StoreError) -> Data {
        guard let data = read(), !data.isEmpty else {
            throw StoreError(.receiptUnavailable, "There is no receipt on this device yet; refresh it to get one.")
        }
        return data
    }

    /// Asks the App Store for a new one. Cancelling the task cancels the request.
    func refresh() async throws(StoreError) {
        _ = try await StoreKitRequest(request()).response(during: "The request for a new receipt")
    }
}
