import Foundation

/// Requests values. Concurrent calls share one request, which has a timeout.
///
/// A lock instead of an actor: cached values cost no hop, and a cancellation takes effect before `cancel()` returns.
final class SharedRequests<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Response = Result<[Key: Value], StoreError>
    typealias Waiter = @Sendable (Response) -> Void

    /// Ends a request or its timer.
    typealias Cancellation = @Sendable () -> Void

    /// Loads values.
    enum Loader: Sendable {
        /// In a task, which is canceled when no call waits any longer.
        case task(StoreFunction<Set<Key>, [Key: Value]>)
        /// Without a task: starts a request on the thread of the call, and returns its cancellation.
        case direct(@Sendable (Set<Key>, _ respond: @escaping @Sendable (Response) -> Void) -> Cancellation)
    }

    struct State: Sendable {
        var machine: SharedRequestStateMachine<Key, Value>
        var waiters = [CallID: Waiter]()
        /// The running requests, with the cancellations of the request and of its timer.
        var running = [CallID: [Cancellation]]()

        /// Removes the waiter of a call, and returns the action that calls it.
        mutating func answer(_ id: CallID, _ response: Response) -> Action? {
            guard let waiter = waiters.removeValue(forKey: id) else { return nil }
            return { waiter(response) }
        }

        /// Removes requests, and returns the actions that end them and their timers.
        mutating func removeRequests(_ flights: [CallID]) -> [Action] {
            flights.flatMap { running.removeValue(forKey: $0) ?? [] }
        }
    }

    typealias Action = @Sendable () -> Void

    let state: MachineHost<State, Action>
    private let what: String
    private let timeout: TimeInterval
    private let clock: any StoreClock
    private let work: StoreWork?
    private let loader: Loader

    /// - Parameters:
    ///   - what: The name of the values in error messages.
    ///   - keepsAnswers: Whether answers are cached.
    ///   - lifetime: How long an answer is recent, in seconds.
    ///   - sharing: How long after its start a request accepts more calls, in seconds.
    init(
        of what: String, timeout: TimeInterval, clock: any StoreClock, keepsAnswers: Bool,
        lifetime: TimeInterval = .infinity,
        sharing: TimeInterval = .infinity, loader: Loader
    ) {
        self.what = what
        self.timeout = timeout
        self.clock = clock
        work = clock.storeWork
        let machine = SharedRequestStateMachine<Key, Value>(
            keepsAnswers: keepsAnswers, lifetime: lifetime, sharing: sharing)
        state = MachineHost(State(machine: machine))
        self.loader = loader
    }

    /// - Parameter load: Loads values. Its task is canceled when no call waits any longer.
    convenience init(
        of what: String, timeout: TimeInterval, clock: any StoreClock, keepsAnswers: Bool,
        lifetime: TimeInterval = .infinity,
        sharing: TimeInterval = .infinity,
        load: @escaping @Sendable (Set<Key>) async throws(StoreError) -> [Key: Value]
    ) {
        self.init(
            of: what, timeout: timeout, clock: clock, keepsAnswers: keepsAnswers, lifetime: lifetime, sharing: sharing,
            loader: .task(StoreFunction(load)))
    }

    /// Returns the cached value of a key.
    func known(_ key: Key) -> Value? {
        state.withLock { $0.machine[key] }
    }

    /// The cached values, in no particular order.
    var knownValues: [Value] { state.withLock { $0.machine.values } }

    /// Empties the cache. Running requests still answer their calls, and no later ones.
    func invalidate() {
        state.withLock { $0.machine.invalidate() }
    }

    /// Marks cached values as not recent, and keeps them.
    func markStale() {
        state.withLock { $0.machine.markStale() }
    }

    /// Returns the values of these keys.
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
        let action = state.withLock { state in
            let action = state.machine.request(id, keys, ignoringCache: ignoringCache, now: now)
            if case .wait(let flight, let missing) = action {
                state.waiters[id] = waiter
                if !missing.isEmpty { state.running[flight] = [] }
            }
            return action
        }
        switch action {
        case .answer(let values): waiter(.success(values))
        // Outside the lock, because the response can arrive from inside the call.
        case .wait(let flight, let missing): if !missing.isEmpty { start(flight, missing) }
        }
    }

    /// Cancels a registered call. Its waiter is called before this function returns, unless the answer has arrived.
    func cancel(_ id: CallID) {
        // Not an update, which may return before its actions are performed.
        let actions = state.withLock { state in
            let action = state.machine.cancel(id)
            let answer = action.answers ? state.answer(id, .failure(.cancelled("the request for \(what)"))) : nil
            return state.removeRequests(action.abandoned) + [answer].compactMap(\.self)
        }
        actions.forEach { $0() }
    }

    private func start(_ flight: CallID, _ keys: Set<Key>) {
        let cancellations = [timing(flight), loading(keys, on: flight)]
        let isOver = state.withLock { state in
            guard state.running[flight] != nil else { return true }
            state.running[flight] = cancellations
            return false
        }
        if isOver { cancellations.forEach { $0() } }
    }

    private func loading(_ keys: Set<Key>, on flight: CallID) -> Cancellation {
        switch loader {
        case .direct(let start): return start(keys) { [self] in requestEnded(flight, $0) }
        case .task(let load):
            let task = work.task { [self] in
                do throws(StoreError) {
                    requestEnded(flight, .success(try await load(keys)))
                } catch {
                    requestEnded(flight, .failure(error))
                }
            }
            return { task.cancel() }
        }
    }

    private func timing(_ flight: CallID) -> Cancellation {
        clock.startTimer(whileRunningFor: timeout) { [weak self, what, timeout] in
            self?.timeOut(
                flight, StoreError(.timedOut, "The request for \(what) timed out after \(timeout) seconds."))
        }
    }

    private func requestEnded(_ flight: CallID, _ response: Response) {
        switch response {
        case .success(let values): succeed(flight, values)
        case .failure(let error): fail(flight, error)
        }
    }

    private func succeed(_ flight: CallID, _ values: [Key: Value]) {
        let now = clock.now
        state.update { state in
            let answers = state.machine.succeed(flight, values, now: now)
            return state.removeRequests([flight]) + answers.compactMap { state.answer($0, $1) }
        } perform: { action in
            action()
        }
    }

    private func fail(_ flight: CallID, _ error: StoreError) {
        state.update { state in
            let action = state.machine.fail(flight)
            return state.removeRequests(action.abandoned + [flight])
                + action.callers.compactMap { state.answer($0, .failure(error)) }
        } perform: { action in
            action()
        }
    }

    private func timeOut(_ flight: CallID, _ error: StoreError) {
        let now = clock.now
        state.update { state in
            let action = state.machine.timeOut(flight, now: now)
            var actions = state.removeRequests(action.abandoned + [flight])
            if let next = action.next {
                state.running[next.flight] = []
                actions.append { [self] in start(next.flight, next.keys) }
            }
            return actions + action.callers.compactMap { state.answer($0, .failure(error)) }
        } perform: { action in
            action()
        }
    }
}
