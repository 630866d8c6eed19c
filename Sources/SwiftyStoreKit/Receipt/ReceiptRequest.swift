import Foundation
import StoreKit

/// A call that fetches or validates a receipt: it ends once, on the main queue, with the first result there is.
///
/// What it ends with is decided when the completion is about to be called, so that nothing but a cancelled error comes after a `cancel()` on
/// the main thread.
// @unchecked because: everything mutable is in `state`, which is only touched while `lock` is held; the completion is called on the main
// queue only, and a result is handed on, never shared.
final class ReceiptRequest<Outcome>: InAppRequest, @unchecked Sendable {
    private struct State {
        var completion: ((Outcome) -> Void)?
        var outcome: Outcome?
        /// What is under way.
        var work: Task<Void, Never>?
    }

    private let lock = NSLock()
    private var state: State
    private let cancelled: (any Error) -> Outcome

    /// - Parameter cancelled: makes the outcome of a request that is cancelled.
    init(completion: @escaping (Outcome) -> Void, cancelled: @escaping (any Error) -> Outcome) {
        state = State(completion: completion)
        self.cancelled = cancelled
    }

    /// Does nothing: a request is under way when it is handed out.
    func start() {}

    /// Ends the request with a cancelled error. Does nothing when the completion has been called.
    func cancel() {
        end(with: cancelled(SKError(.paymentCancelled)), replacing: true)
    }

    /// Ends the request, unless it has ended.
    func finish(_ outcome: Outcome) {
        end(with: outcome, replacing: false)
    }

    /// Whether there is an outcome; a cancelled request needs no further work.
    var hasEnded: Bool {
        lock.withLock { state.outcome != nil || state.completion == nil }
    }

    /// Remembers what to cancel; at once when the request has ended.
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
