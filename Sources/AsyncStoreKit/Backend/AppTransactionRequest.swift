package import AppReceipt

/// One request for the app transaction, which concurrent calls share, and its result, which is kept for as long as
/// this object lives.
///
/// The request runs in a separate task, because it may show a dialog: it completes even when every caller has been
/// canceled.
package final class AppTransactionRequest: Sendable {
    package typealias Response = Result<String?, StoreError>

    private struct State: Sendable {
        var text: String?
        var request: Task<Response, Never>?
    }

    private let state = Locked(State())
    private let ask: StoreFunction<Void, String?>

    /// - Parameter ask: Returns the signed text of a verified app transaction, or `nil` where StoreKit has none.
    package init(_ ask: StoreFunction<Void, String?>) {
        self.ask = ask
    }

    /// Returns the signed text. After a failure, the next call asks again.
    /// - Throws: The error of the request; ``StoreError/Code/taskCancelled`` if the task of this call is canceled.
    package func text() async throws(StoreError) -> String? {
        guard !Task.isCancelled else { throw .cancelled("the request for the app transaction") }
        let (known, request) = state.withLock { state in
            if state.text == nil, state.request == nil {
                state.request = Task.detached(priority: .userInitiated) { await self.response() }
            }
            return (state.text, state.request)
        }
        guard known == nil, let request else { return known }
        let promise = Promise<Response>()
        // The wait for the task ends with this call, and the task doesn't.
        Task { promise.fulfill(await request.value) }
        return try await promise.value {
            promise.fulfill(.failure(.cancelled("the request for the app transaction")))
        }.get()
    }

    /// The result of the request, or `nil` while there is no verified app transaction. Starts no request.
    package var knownAppTransaction: SignedAppTransactionInfo? {
        state.withLock { $0.text }.flatMap { try? SignedPayload.unverified(jws: $0).appTransaction }
    }

    private func response() async -> Response {
        let response: Response
        do throws(StoreError) {
            response = .success(try await ask())
        } catch {
            response = .failure(error)
        }
        return state.withLock { state in
            state = State(text: try? response.get())
            return response
        }
    }
}
