import Foundation
import StoreKit

/// A call that fetches or validates a receipt. The completion is called once, on the main queue, with the first result.
///
/// The result is selected just before the completion is called. Therefore a `cancel()` on the main thread always leads
/// to a cancellation error.
// @unchecked because: all mutable state is in `state`, which is accessed only while `lock` is held; the completion is
// called only on the main queue, and a result is passed on, never shared.
final class ReceiptRequest<Outcome>: InAppRequest, @unchecked Sendable {
    private struct State {
        var completion: ((Outcome) -> Void)?
        var outcome: Outcome?
        /// The running task.
        var work: Task<Void, Never>?
    }

    private let lock = NSLock()
    private var state: State
    private let cancelled: (any Error) -> Outcome

    /// Creates a running request.
    ///
    /// - Parameters:
    ///   - completion: Receives the outcome.
    ///   - cancelled: Creates the outcome of a canceled request.
    init(completion: @escaping (Outcome) -> Void, cancelled: @escaping (any Error) -> Outcome) {
        state = State(completion: completion)
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
        lock.withLock { state.outcome != nil || state.completion == nil }
    }

    /// Stores the task that a cancellation cancels. If the request has ended, cancels the task immediately.
    func run(_ work: Task<Void, Never>) {
        let hasEnded = lock.withLock {
            if state.outcome == nil, state.completion != nil {
                state.work = work
                return false
            }
            return true
        }
        if hasEnded { work.cancel() }
    }

    private func end(with outcome: Outcome, replacing: Bool) {
        let (isFirst, work) = lock.withLock { () -> (Bool, Task<Void, Never>?) in
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
        let (completion, outcome) = lock.withLock { () -> (((Outcome) -> Void)?, Outcome?) in
            defer { (state.completion, state.outcome) = (nil, nil) }
            return (state.completion, state.outcome)
        }
        if let completion, let outcome { completion(outcome) }
    }
}
