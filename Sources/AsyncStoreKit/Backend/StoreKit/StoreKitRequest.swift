import Foundation
import StoreKit

/// Runs one `SKRequest` to its first answer. What comes after that, or after a cancellation, is ignored.
final class StoreKitRequest: NSObject, @unchecked Sendable {
    // @unchecked because: `request` is only started and cancelled, which StoreKit allows from any thread; the rest is locked.
    private typealias Answer = Result<SKProductsResponse?, any Error>

    private enum State {
        case idle
        case running(CheckedContinuation<Answer, Never>)
        case over
    }

    private let request: SKRequest
    private let state = Locked(State.idle)

    init(_ request: SKRequest) {
        self.request = request
    }

    /// The response to a products request; `nil` for a request that has none.
    func answer(during what: String) async throws(StoreError) -> SKProductsResponse? {
        // The delegate is weak, and set before anything can come; the caller's frame keeps this object.
        setDelegate()
        let answer: Answer = await withTaskCancellationHandler {
            await withCheckedContinuation { start($0) }
        } onCancel: {
            request.cancel()
            end(.failure(CancellationError()))
        }
        switch answer {
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

    private func start(_ continuation: CheckedContinuation<Answer, Never>) {
        let isFirst = state.withLock { state in
            guard case .idle = state else { return false }
            state = .running(continuation)
            return true
        }
        guard isFirst else { return continuation.resume(returning: .failure(CancellationError())) }
        request.start()
    }

    private func end(_ answer: Answer) {
        let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            defer { state = .over }
            guard case .running(let continuation) = state else { return nil }
            return continuation
        }
        continuation?.resume(returning: answer)
    }
}

extension StoreKitRequest: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        end(.success(response))
    }

    func requestDidFinish(_ request: SKRequest) {
        end(.success(nil))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        end(.failure(error))
    }
}
