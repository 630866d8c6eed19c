import Foundation

/// Requests values. Concurrent calls share one request, which has a timeout.
///
/// A lock instead of an actor: cached values cost no hop, and a cancellation takes effect before `cancel()` returns.
final class SharedRequests<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Response = Result<[Key: Value], StoreError>
    typealias Waiter = @Sendable (Response) -> Void

    /// Ends a request or its timer.
    typealias Cancellation = @Sendable () -> Void

    struct State: Sendable {
        var table: RequestTable<Key, Value>
        var waiters = [CallID: Waiter]()
        /// The cancellations of running requests, and of the timers of waiting calls.
        var cancellations = [CallID: Cancellation]()

        /// Removes the waiter of a call, and returns the actions that end its timer and call it.
        mutating func answer(_ id: CallID, _ response: Response) -> [Cancellation] {
            guard let waiter = waiters.removeValue(forKey: id) else { return [] }
            let timer = cancellations.removeValue(forKey: id).map { [$0] } ?? []
            return timer + [{ waiter(response) }]
        }
    }

    let state: MachineHost<State, Cancellation>
    private let what: String
    private let timeout: TimeInterval
    private let clock: any StoreClock
    private let work: (any StoreWork)?
    private let load: StoreFunction<Set<Key>, [Key: Value]>

    /// - Parameters:
    ///   - what: The name of the values in error messages.
    ///   - load: Loads values. Its task is canceled when no call waits any longer.
    init(
        of what: String, timeout: TimeInterval, clock: any StoreClock, keepsAnswers: Bool,
        lifetime: TimeInterval = .infinity,
        load: @escaping @Sendable (Set<Key>) async throws(StoreError) -> [Key: Value]
    ) {
        self.what = what
        self.timeout = timeout
        self.clock = clock
        work = clock.storeWork
        state = MachineHost(State(table: RequestTable(keepsAnswers: keepsAnswers, lifetime: lifetime)))
        self.load = StoreFunction(load)
    }

    func known(_ key: Key) -> Value? {
        state.withLock { $0.table[key] }
    }

    /// The cached values, in no particular order.
    var knownValues: [Value] { state.withLock { $0.table.values } }

    /// Empties the cache. Running requests still answer their calls, and no later ones.
    func invalidate() {
        state.withLock { $0.table.invalidate() }
    }

    /// Marks cached values as not recent, and keeps them.
    func markStale() {
        state.withLock { $0.table.markStale() }
    }

    nonisolated(nonsending) func values(for keys: Set<Key>) async throws(StoreError) -> [Key: Value] {
        guard !Task.isCancelled else { throw .cancelled("the request for \(what)") }
        let id = CallID()
        let promise = Promise<Response>()
        register(id, keys) { promise.fulfill($0) }
        return try await promise.value { cancel(id) }.get()
    }

    /// Requests the values of these keys under an ID, for ``cancel(_:)``. The waiter is called once, before this
    /// function returns if all values are cached.
    func register(_ id: CallID, _ keys: Set<Key>, ignoringCache: Bool = false, _ waiter: @escaping Waiter) {
        let now = clock.now
        // The tasks of the request and of the timer begin under the lock, so that they end after they are kept.
        let known = state.withLock { state -> [Key: Value]? in
            switch state.table.register(id, keys, ignoringCache: ignoringCache, now: now) {
            case .answer(let values): return values
            case .wait: break
            case .start(let request, let missing): state.cancellations[request] = loading(missing, as: request)
            }
            state.waiters[id] = waiter
            state.cancellations[id] = clock.startTimer(whileRunningFor: timeout) { [weak self, what, timeout] in
                self?.end(id, StoreError(.timedOut, "The request for \(what) timed out after \(timeout) seconds."))
            }
            return nil
        }
        if let known { waiter(.success(known)) }
    }

    /// Cancels a registered call. Its waiter is called before this function returns, unless the answer has arrived.
    func cancel(_ id: CallID) {
        end(id, .cancelled("the request for \(what)"))
    }

    /// Ends a call without the answer to its request.
    private func end(_ id: CallID, _ error: StoreError) {
        // Not an update, which may return before its actions are performed.
        let actions = state.withLock { state in
            let abandoned = state.table.cancel(id, hasTimedOut: error.code == .timedOut)
            let cancellation = abandoned.flatMap { state.cancellations.removeValue(forKey: $0) }
            return (cancellation.map { [$0] } ?? []) + state.answer(id, .failure(error))
        }
        actions.forEach { $0() }
    }

    private func loading(_ keys: Set<Key>, as request: CallID) -> Cancellation {
        let task = work.task { [self] in
            do throws(StoreError) {
                requestEnded(request, .success(try await load(keys)))
            } catch {
                requestEnded(request, .failure(error))
            }
        }
        return { task.cancel() }
    }

    private func requestEnded(_ request: CallID, _ response: Response) {
        let now = clock.now
        state.update { state in
            let cancellation = state.cancellations.removeValue(forKey: request).map { [$0] } ?? []
            let answers = state.table.end(request, with: response, now: now)
            return cancellation + answers.flatMap { state.answer($0, $1) }
        } perform: { action in
            action()
        }
    }
}
