import Foundation

/// Requests values. Concurrent calls share one request, which has a time-out.
///
/// A lock instead of an actor: cached values cost no hop, and a cancellation takes effect before `cancel()` returns.
final class SharedRequests<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Response = Result<[Key: Value], StoreError>
    typealias Waiter = @Sendable (Response) -> Void

    struct State: Sendable {
        var machine: SharedRequestStateMachine<Key, Value>
        var waiters = [CallID: Waiter]()
        var tasks = [CallID: [Task<Void, Never>]]()
        /// The waiters to call with their answers.
        var answers = Outbox<(Waiter, Response)>()

        mutating func answer(_ id: CallID, _ answer: Response) {
            if let waiter = waiters.removeValue(forKey: id) { answers.append((waiter, answer)) }
        }
    }

    let state: Locked<State>
    private let what: String
    private let timeout: TimeInterval
    private let clock: any StoreClock
    private let work: StoreWork?
    private let load: @Sendable (Set<Key>) async throws(StoreError) -> [Key: Value]

    /// - Parameters:
    ///   - what: The name of the values in error messages.
    ///   - keepsAnswers: Whether answers are cached.
    ///   - lifetime: How long an answer is recent, in seconds.
    ///   - sharing: How long after its start a request accepts more calls, in seconds.
    ///   - load: Loads values. Its task is cancelled when no call waits any longer.
    init(
        of what: String, timeout: TimeInterval, clock: any StoreClock, keepsAnswers: Bool, lifetime: TimeInterval = .infinity,
        sharing: TimeInterval = .infinity,
        load: @escaping @Sendable (Set<Key>) async throws(StoreError) -> [Key: Value]
    ) {
        self.what = what
        self.timeout = timeout
        self.clock = clock
        work = clock.storeWork
        let machine = SharedRequestStateMachine<Key, Value>(keepsAnswers: keepsAnswers, lifetime: lifetime, sharing: sharing)
        state = Locked(State(machine: machine))
        self.load = load
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
    func values(for keys: Set<Key>) async throws(StoreError) -> [Key: Value] {
        guard !Task.isCancelled else { throw .cancelled("the request for \(what)") }
        let id = CallID()
        let promise = Promise<Response>()
        register(id, keys) { promise.fulfill($0) }
        return try await promise.value { cancel(id) }.get()
    }

    /// Requests the values of these keys under an ID, for ``cancel(_:)``. The waiter is called once, before this
    /// function returns if all values are cached.
    func register(_ id: CallID, _ keys: Set<Key>, anew: Bool = false, _ waiter: @escaping Waiter) {
        let now = clock.now
        let action = state.withLock { state in
            let action = state.machine.request(id, keys, anew: anew, now: now)
            if case .wait(let flight, let missing) = action {
                state.waiters[id] = waiter
                // Recorded before either task can end or be cancelled.
                if !missing.isEmpty { state.tasks[flight] = [loading(missing, on: flight), timing(flight)] }
            }
            return action
        }
        if case .answer(let values) = action { waiter(.success(values)) }
    }

    /// Cancels a registered call. Its waiter is called before this function returns, unless the answer has arrived.
    func cancel(_ id: CallID) {
        let (waiter, abandoned) = state.withLock { state in
            let action = state.machine.cancel(id)
            return (action.answers ? state.waiters.removeValue(forKey: id) : nil, action.abandoned)
        }
        cancelTasks(abandoned)
        waiter?(.failure(.cancelled("the request for \(what)")))
    }

    private func loading(_ keys: Set<Key>, on flight: CallID) -> Task<Void, Never> {
        work.task { [self] in
            do throws(StoreError) {
                succeed(flight, try await load(keys))
            } catch {
                fail(flight, error)
            }
        }
    }

    private func timing(_ flight: CallID) -> Task<Void, Never> {
        let clock = clock
        let timeout = timeout
        return work.task { [self] in
            guard (try? await clock.sleep(whileRunningFor: timeout)) != nil else { return }
            fail(flight, StoreError(.timedOut, "The request for \(what) timed out after \(timeout) seconds."))
        }
    }

    private func succeed(_ flight: CallID, _ values: [Key: Value]) {
        let now = clock.now
        state.withLock { state in
            for (id, answer) in state.machine.succeed(flight, values, now: now) { state.answer(id, answer) }
        }
        cancelTasks([flight])
        answerWaiters()
    }

    private func fail(_ flight: CallID, _ error: StoreError) {
        let abandoned = state.withLock { state in
            let action = state.machine.fail(flight)
            for id in action.callers { state.answer(id, .failure(error)) }
            return action.abandoned
        }
        cancelTasks(abandoned + [flight])
        answerWaiters()
    }

    private func answerWaiters() {
        state.handOver(from: \.answers) { waiter, answer in waiter(answer) }
    }

    private func cancelTasks(_ flights: [CallID]) {
        let tasks = state.withLock { state in flights.flatMap { state.tasks.removeValue(forKey: $0) ?? [] } }
        tasks.forEach { $0.cancel() }
    }
}
