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
        var isAsking = false
        var waiters = [CallID: Promise<Response>]()
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
        let id = CallID()
        let promise = Promise<Response>()
        let (known, isFirst) = state.withLock { state in
            if let text = state.text { return (String?.some(text), false) }
            state.waiters[id] = promise
            defer { state.isAsking = true }
            return (nil, !state.isAsking)
        }
        if let known { return known }
        if isFirst { Task.detached(priority: .userInitiated) { await self.run() } }
        return try await promise.value { cancel(id) }.get()
    }

    /// The result of the request, or `nil` while there is no verified app transaction. Starts no request.
    package var knownAppTransaction: SignedAppTransactionInfo? {
        state.withLock { $0.text }.flatMap { try? SignedPayload.unverified(jws: $0).appTransaction }
    }

    private func run() async {
        let response: Response
        do throws(StoreError) {
            response = .success(try await ask())
        } catch {
            response = .failure(error)
        }
        let waiters = state.withLock { state in
            if case .success(let text) = response { state.text = text }
            state.isAsking = false
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        waiters.forEach { $0.fulfill(response) }
    }

    private func cancel(_ id: CallID) {
        let promise = state.withLock { $0.waiters.removeValue(forKey: id) }
        promise?.fulfill(.failure(.cancelled("the request for the app transaction")))
    }
}
