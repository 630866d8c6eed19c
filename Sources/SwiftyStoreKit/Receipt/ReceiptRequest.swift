import AsyncStoreKit
import Foundation
import StoreKit

/// A call that fetches or validates a receipt. The completion is called once, on the main queue, with the first result.
///
/// The result is selected just before the completion is called. Therefore a `cancel()` on the main thread always leads
/// to a cancellation error.
final class ReceiptRequest<Outcome>: InAppRequest, Sendable {
    // @unchecked because: the completion is called only on the main queue, and a result is passed on, never shared.
    private struct State: @unchecked Sendable {
        var completion: ((Outcome) -> Void)?
        var outcome: Outcome?
        /// The running task.
        var work: Task<Void, Never>?
    }

    private let state: Locked<State>
    private let cancelled: @Sendable (any Error) -> Outcome

    /// Creates a running request.
    ///
    /// - Parameters:
    ///   - completion: Receives the outcome.
    ///   - cancelled: Creates the outcome of a canceled request.
    init(completion: @escaping (Outcome) -> Void, cancelled: @escaping @Sendable (any Error) -> Outcome) {
        state = Locked(State(completion: completion))
        self.cancelled = cancelled
    }

    /// Does nothing: the request is already running.
    func start() {}

    /// Ends the request with a cancellation error. Does nothing if the completion was called.
    func cancel() {
        end(with: cancelled(SKError(.paymentCancelled)), replacing: true)
    }

    /// Ends the request with an outcome. Does nothing if the request has ended.
    func finish(_ outcome: Outcome) {
        end(with: outcome, replacing: false)
    }

    /// Whether the request has an outcome and needs no further work.
    var hasEnded: Bool {
        state.withLock { $0.outcome != nil || $0.completion == nil }
    }

    /// Stores the task that a cancellation cancels. If the request has ended, cancels the task immediately.
    func run(_ work: Task<Void, Never>) {
        let hasEnded = state.withLock { state in
            if state.outcome == nil, state.completion != nil {
                state.work = work
                return false
            }
            return true
        }
        if hasEnded { work.cancel() }
    }

    private func end(with outcome: Outcome, replacing: Bool) {
        let (isFirst, work) = state.withLock { state -> (Bool, Task<Void, Never>?) in
            guard state.completion != nil, replacing || state.outcome == nil else { return (false, nil) }
            let isFirst = state.outcome == nil
            state.outcome = outcome
            defer { state.work = nil }
            return (isFirst, state.work)
        }
        work?.cancel()
        if isFirst { CompletionQueue.shared.enqueue { self.complete() } }
    }

    private func complete() {
        let ended = state.withLock { state in
            defer { (state.completion, state.outcome) = (nil, nil) }
            return state
        }
        if let completion = ended.completion, let outcome = ended.outcome { completion(outcome) }
    }
}
