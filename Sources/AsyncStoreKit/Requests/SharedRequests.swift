import Foundation

/// Asks for values, once for everybody who wants them at the same time, and gives up after a while.
///
/// Synchronous under a lock rather than an actor: what is cached costs its callers no hop, and a cancellation takes effect
/// before `cancel()` returns.
final class SharedRequests<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Response = Result<[Key: Value], StoreError>
    typealias Waiter = @Sendable (Response) -> Void

    struct State: Sendable {
        var machine: SharedRequestStateMachine<Key, Value>
        var waiters: [CallID: Waiter] = [:]
        var tasks: [CallID: [Task<Void, Never>]] = [:]
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
    ///   - what: What is asked for, as it stands in an error's message.
    ///   - keepsAnswers: Whether an answer may be used again.
    ///   - lifetime: For how long an answer is recent, in seconds.
    ///   - sharing: For how long after its start a request takes more callers, in seconds.
    ///   - load: Asks. Its task is cancelled when nobody waits any longer.
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

    /// What is known of a key without asking.
    func known(_ key: Key) -> Value? {
        state.withLock { $0.machine[key] }
    }

    /// Everything that is known, in no order.
    var knownValues: [Value] { state.withLock { $0.machine.values } }

    /// Forgets what is known; requests under way still answer those who wait for them, and nobody else.
    func invalidate() {
        state.withLock { $0.machine.invalidate() }
    }

    /// Calls what is known old, without forgetting it.
    func markStale() {
        state.withLock { $0.machine.markStale() }
    }

    /// The values of these keys.
    func values(for keys: Set<Key>) async throws(StoreError) -> [Key: Value] {
        guard !Task.isCancelled else { throw .cancelled("the request for \(what)") }
        let id = CallID()
        let promise = Promise<Response>()
        register(id, keys) { promise.fulfill($0) }
        return try await promise.value { cancel(id) }.get()
    }

    /// Asks for the values of these keys under an ID by which the wait can be cancelled. The waiter is called once, from inside this
    /// call when everything is known.
    func register(_ id: CallID, _ keys: Set<Key>, anew: Bool = false, _ waiter: @escaping Waiter) {
        let now = clock.now
        let action = state.withLock { state in
            let action = state.machine.request(id, keys, anew: anew, now: now)
            if case .wait(let flight, let missing) = action {
                state.waiters[id] = waiter
                // On record before either task can end, and before anybody can cancel them.
                if !missing.isEmpty { state.tasks[flight] = [loading(missing, on: flight), timing(flight)] }
            }
            return action
        }
        if case .answer(let values) = action { waiter(.success(values)) }
    }

    /// Ends the wait of a call that has been registered: its waiter is called before this returns, unless its answer is there.
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
            fail(flight, StoreError(.timedOut, "The request for \(what) was not answered within \(timeout) seconds."))
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
