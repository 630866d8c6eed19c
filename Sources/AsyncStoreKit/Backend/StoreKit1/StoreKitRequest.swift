import Foundation
import StoreKit

/// Runs one `SKRequest` to its first response.
// @unchecked because: the request is only started and cancelled, which StoreKit allows from any thread.
final class StoreKitRequest: NSObject, @unchecked Sendable {
    typealias Response = Result<SKProductsResponse?, StoreError>

    private struct State: Sendable {
        var respond: (@Sendable (Response) -> Void)?
        /// Processes the response if it doesn't arrive from inside the start of the request.
        var process: ReportProcessor?
        /// Keeps the request and its weak delegate until the request has ended.
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
    /// - Parameters:
    ///   - process: Processes a response that arrives later.
    ///   - respond: Called once with the response, which is `nil` for a request that has none. Not called after a
    ///     cancellation.
    func start(_ process: ReportProcessor? = nil, _ respond: @escaping @Sendable (Response) -> Void) {
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
        state.withLock { state in
            if state.respond != nil { state.process = process }
        }
    }

    /// Cancels the request. Has no effect after the response.
    func cancel() {
        guard takeResponder() != nil else { return }
        request.cancel()
        release()
    }

    /// Starts the request, and returns its response. Cancelling the task cancels the request.
    func response() async throws(StoreError) -> SKProductsResponse? {
        guard !Task.isCancelled else { throw .cancelled(what) }
        let response = Promise<Response>()
        start { response.fulfill($0) }
        return try await response.value { [self] in
            cancel()
            response.fulfill(.failure(.cancelled(what)))
        }.get()
    }

    private func respond(_ response: Response) {
        guard let (respond, process) = takeResponder() else { return }
        if let process { process { respond(response) } } else { respond(response) }
    }

    private func takeResponder() -> (respond: @Sendable (Response) -> Void, process: ReportProcessor?)? {
        state.withLock { state in
            defer { (state.respond, state.process) = (nil, nil) }
            return state.respond.map { ($0, state.process) }
        }
    }

    private func release() {
        state.withLock { state in
            defer { state.delegate = nil }
            return state.delegate
        }.map { withExtendedLifetime($0) {} }
    }
}

extension StoreKitRequest: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        respond(.success(response))
    }

    func requestDidFinish(_ request: SKRequest) {
        respond(.success(nil))
        release()
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        respond(.failure(StoreError(storeKitError: error, during: what)))
        release()
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
