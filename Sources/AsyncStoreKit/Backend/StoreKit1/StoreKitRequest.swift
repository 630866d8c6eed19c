import Foundation
import StoreKit

/// Runs one `SKRequest` to its first response.
// @unchecked because: the request is only started and canceled, which StoreKit allows from any thread.
final class StoreKitRequest: NSObject, @unchecked Sendable {
    typealias Response = Result<SKProductsResponse?, StoreError>

    private struct State: Sendable {
        var respond: (@Sendable (Response) -> Void)?
        /// Keeps the request and its weak delegate until the response. Nothing depends on the end of a products
        /// request, which StoreKit reports after the response.
        var delegate: StoreKitRequest?
    }

    private let request: SKRequest
    /// What the request loads, in error messages.
    private let what: String
    private let state = Locked(State())

    init(_ request: SKRequest, during what: String) {
        self.request = request
        self.what = what
    }

    /// Starts the request.
    /// - Parameter respond: Called once with the response, which is `nil` for a request that has none. Not called after
    ///   a cancellation.
    func start(_ respond: @escaping @Sendable (Response) -> Void) {
        state.withLock { state in
            state.respond = respond
            state.delegate = self
        }
        if let products = request as? SKProductsRequest {
            products.delegate = self
        } else {
            request.delegate = self
        }
        request.start()
    }

    /// Cancels the request. Has no effect after the response.
    func cancel() {
        if reset().respond != nil { request.cancel() }
    }

    /// Starts the request, and returns its response. Canceling the task cancels the request.
    func response() async throws(StoreError) -> SKProductsResponse? {
        guard !Task.isCancelled else { throw .cancelledRequest(during: what) }
        let response = Promise<Response>()
        start { response.fulfill($0) }
        return try await response.value { [self] in
            cancel()
            response.fulfill(.failure(.cancelledRequest(during: what)))
        }.get()
    }

    private func respond(_ response: Response) {
        reset().respond?(response)
    }

    /// Resets the state, because only the first response is used. Returns the former state.
    private func reset() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}

extension StoreKitRequest: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        respond(.success(response))
    }

    func requestDidFinish(_ request: SKRequest) {
        respond(.success(nil))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        respond(.failure(StoreError(storeKitError: error, during: what)))
    }
}

extension DeviceReceipt {
    /// Creates the receipt for a file and StoreKit's request.
    init(request: @escaping @Sendable () -> SKReceiptRefreshRequest, read: @escaping @Sendable () -> Data?) {
        self.init(
            read: read,
            request: { () async throws(StoreError) in
                _ = try await StoreKitRequest(request(), during: "The request for a new receipt").response()
            })
    }
}
