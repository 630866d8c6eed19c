import Foundation

/// Requests values. Concurrent calls share one request, which has a timeout.
///
/// A lock instead of an actor: cached values cost no hop, and a cancellation takes effect before `cancel()` returns.
final class SharedRequests<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Response = RequestTable<Key, Value>.Response

    let state: MachineHost<RequestTable<Key, Value>, RequestTable<Key, Value>.Action>
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
        state = MachineHost(RequestTable(keepsAnswers: keepsAnswers, lifetime: lifetime))
        self.load = StoreFunction(load)
    }

    func known(_ key: Key) -> Value? {
        state.withLock { $0[key] }
    }

    /// The cached values, in no particular order.
    var knownValues: [Value] { state.withLock { $0.values } }

    /// Empties the cache. Running requests still answer their calls, and no later ones.
    func invalidate() {
        state.withLock { $0.invalidate() }
    }

    /// Marks cached values as not recent, and keeps them.
    func markStale() {
        state.withLock { $0.markStale() }
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
    func register(
        _ id: CallID, _ keys: Set<Key>, ignoringCache: Bool = false, _ waiter: @escaping @Sendable (Response) -> Void
    ) {
        let now = clock.now
        // The tasks of the request and of the timer begin under the lock, so that they end after they are kept.
        let known = state.withLock { table in
            table.register(id, keys, ignoringCache: ignoringCache, now: now, waiter: waiter) {
                clock.startTimer(whileRunningFor: timeout) { [weak self, what, timeout] in
                    self?.end(id, .timeout(of: what, after: timeout))
                }
            } load: { request, missing in
                loading(missing, as: request)
            }
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
        state.withLock { $0.cancel(id, error) }.forEach { $0() }
    }

    private func loading(_ keys: Set<Key>, as request: CallID) -> @Sendable () -> Void {
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
        state.update({ $0.end(request, with: response, now: now) }, perform: { $0() })
    }
}

/// The running requests with the calls that wait for them, and the cached answers.
///
/// A call whose keys are all being requested waits for that request. Any other call starts a request. A request ends
/// with its last call. Answers are cached, and used again while they are recent.
struct RequestTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Response = Result<[Key: Value], StoreError>
    /// Calls a waiter, or cancels a request or a timer.
    typealias Action = @Sendable () -> Void

    fileprivate struct Call: Sendable {
        let id: CallID
        let keys: Set<Key>
        /// The cached values, which the request doesn't load.
        let values: [Key: Value]
        let waiter: @Sendable (Response) -> Void
        let cancelTimer: Action

        func end(_ response: Response) -> [Action] { [cancelTimer, { waiter(response) }] }
    }

    struct Request: Sendable {
        let id: CallID
        let keys: Set<Key>
        fileprivate let cancel: Action
        /// The calls in the order in which they were made.
        fileprivate var calls: [Call]
        /// Whether more calls can wait for the request, and its answer is cached.
        var isCurrent = true
    }

    private struct Answer: Sendable {
        let value: Value
        /// When the answer arrived; `nil` after ``markStale()``.
        var date: Date?
    }

    let keepsAnswers: Bool
    /// How long an answer is recent, in seconds.
    let lifetime: TimeInterval
    private var cache = [Key: Answer]()
    private(set) var requests: [Request] = []

    init(keepsAnswers: Bool, lifetime: TimeInterval = .infinity) {
        self.keepsAnswers = keepsAnswers
        self.lifetime = lifetime
    }

    subscript(key: Key) -> Value? { cache[key]?.value }

    var values: [Value] { cache.values.map(\.value) }

    /// Registers a call for these keys.
    /// - Parameters:
    ///   - ignoringCache: Whether to ignore cached answers. Running requests are shared in any case.
    ///   - waiter: Receives the answer of the request.
    ///   - startTimer: Starts the timer of a call that waits, and returns its cancellation.
    ///   - load: Starts a request for keys, and returns its cancellation.
    /// - Returns: The values if all are cached; otherwise `nil`, and the call waits.
    mutating func register(
        _ id: CallID, _ keys: Set<Key>, ignoringCache: Bool = false, now: Date = .distantPast,
        waiter: @escaping @Sendable (Response) -> Void, startTimer: () -> Action,
        load: (_ request: CallID, Set<Key>) -> Action
    ) -> [Key: Value]? {
        var values: [Key: Value] = [:]
        for key in keys where !ignoringCache {
            if let answer = cache[key], isRecent(answer, now: now) { values[key] = answer.value }
        }
        guard values.count < keys.count else { return values }
        let missing = keys.filter { values[$0] == nil }
        let running = requests.firstIndex { $0.isCurrent && $0.keys.isSuperset(of: missing) }
        if running == nil {
            let request = CallID()
            requests.append(Request(id: request, keys: missing, cancel: load(request, missing), calls: []))
        }
        requests[running ?? requests.count - 1].calls.append(
            Call(id: id, keys: keys, values: values, waiter: waiter, cancelTimer: startTimer()))
        return nil
    }

    /// Ends a request. Returns the actions that answer its calls, in the order in which they were made.
    mutating func end(_ request: CallID, with response: Response, now: Date = .distantPast) -> [Action] {
        guard let index = requests.firstIndex(where: { $0.id == request }) else { return [] }
        let ended = requests.remove(at: index)
        if keepsAnswers, ended.isCurrent, case .success(let values) = response {
            // A key that the answer lacks no longer exists.
            for key in ended.keys { cache[key] = values[key].map { Answer(value: $0, date: now) } }
        }
        return ended.calls.flatMap { call in
            call.end(
                response.map { values in
                    call.values.merging(values.filter { call.keys.contains($0.key) }) { _, new in new }
                })
        }
    }

    /// Ends a call. Returns the actions that answer the call, and cancel its request if no other call waits for it.
    /// - Parameter error: With ``StoreError/Code/timedOut``, the request was silent for the whole time, and later calls
    ///   don't wait for it.
    mutating func cancel(_ id: CallID, _ error: StoreError) -> [Action] {
        for (index, request) in requests.enumerated() {
            guard let position = request.calls.firstIndex(where: { $0.id == id }) else { continue }
            let call = requests[index].calls.remove(at: position)
            if error.code == .timedOut { requests[index].isCurrent = false }
            let abandoned = request.calls.count == 1 ? [requests.remove(at: index).cancel] : []
            return abandoned + call.end(.failure(error))
        }
        return []
    }

    /// Empties the cache. Running requests answer their calls, and no later ones.
    mutating func invalidate() {
        cache = [:]
        for index in requests.indices { requests[index].isCurrent = false }
    }

    /// Marks all answers as not recent, and keeps them.
    mutating func markStale() {
        for key in Array(cache.keys) { cache[key]?.date = nil }
    }

    private func isRecent(_ answer: Answer, now: Date) -> Bool {
        // Setting the clock back doesn't extend the lifetime.
        answer.date.map { $0 <= now && now.timeIntervalSince($0) < lifetime } ?? false
    }
}
