/// A call with a completion, or a handler of events, that can be called off.
///
/// Dropping it calls nothing off.
public final class StoreCall: Sendable {
    private struct State: Sendable {
        var isCancelled = false
        var isOver = false
    }

    private let state = Locked(State())
    private let withdraw: @Sendable () -> Void
    private let forget: @Sendable () -> Void

    /// - Parameters:
    ///   - withdraw: Has the store end the wait.
    ///   - forget: Has it forget that it was told to. A cancellation that came too late would be remembered for ever.
    init(withdraw: @escaping @Sendable () -> Void, forget: @escaping @Sendable () -> Void = {}) {
        self.withdraw = withdraw
        self.forget = forget
    }

    /// One that has its answer.
    package static var over: StoreCall { StoreCall {} }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the wait: the completion is called with ``StoreError/Code/cancelled``, unless it has its answer already, and a handler
    /// of events is not called any more.
    ///
    /// A payment that still waits for its turn is withdrawn; one that is with StoreKit goes on, and its transaction is for those who
    /// listen to ``PurchaseStore/transactions``. Calling it twice, or when the call is over, does nothing. From any thread.
    public func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled && !state.isOver
        }
        guard isFirst else { return }
        withdraw()
        // The answer may have come in between: whichever of the two comes second sees the other.
        if state.withLock({ $0.isOver }) { forget() }
    }

    /// The answer has come.
    func end() {
        let wasCancelled = state.withLock { state in
            state.isOver = true
            return state.isCancelled
        }
        if wasCancelled { forget() }
    }
}
