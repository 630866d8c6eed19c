import AppReceipt
import Foundation

/// Tracks the running requests, the calls that wait for them, and the cached answers.
///
/// Calls with overlapping sets of keys share a running request, unless it started too long ago. A request is canceled
/// when its last call ends. Answers are cached, and used again while they are recent.
struct SharedRequestStateMachine<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight: Sendable {
        var keys: Set<Key> = []
        let generation: Int
        /// When the request started.
        let start: Date
        /// The calls in the order in which they were made, including those that have ended.
        var callers: [CallID] = []
        /// The number of calls for which the request was started. They are the first ones.
        var founderCount = 0
        /// The number of calls that haven't ended.
        var waitingCount = 0
    }

    private struct Caller: Sendable {
        let keys: Set<Key>
        var values: [Key: Value] = [:]
        /// The running requests, without duplicates.
        var flights: [CallID] = []
    }

    private struct Answer: Sendable {
        let value: Value
        /// When the answer arrived; `nil` after ``markStale()``.
        var date: Date?
    }

    /// Whether answers are cached.
    let keepsAnswers: Bool
    /// How long an answer is recent, in seconds.
    let lifetime: TimeInterval
    /// How long after its start a request accepts more calls, in seconds. A later call starts another request.
    let sharing: TimeInterval
    private var cache = [Key: Answer]()
    private var flights = [CallID: Flight]()
    private var flightsByKey = [Key: CallID]()
    private var callers = [CallID: Caller]()
    // Answers to requests from before `invalidate()` aren't cached.
    private var generation = 0

    init(keepsAnswers: Bool, lifetime: TimeInterval = .infinity, sharing: TimeInterval = .infinity) {
        self.keepsAnswers = keepsAnswers
        self.lifetime = lifetime
        self.sharing = sharing
    }

    /// The cached value of a key.
    subscript(key: Key) -> Value? { cache[key]?.value }

    private func isRecent(_ answer: Answer, now: Date) -> Bool {
        // Setting the clock back doesn't extend the lifetime.
        answer.date.map { $0 <= now && now.timeIntervalSince($0) < lifetime } ?? false
    }

    /// The cached values.
    var values: [Value] { cache.values.map(\.value) }

    enum RequestAction {
        /// All values are cached.
        case answer([Key: Value])
        /// The call waits. The caller starts a request for these keys, if there are any.
        case wait(flight: CallID, Set<Key>)
    }

    /// Registers a call for these keys.
    /// - Parameter ignoringCache: Whether to ignore cached answers. Running requests are shared in any case.
    mutating func request(_ id: CallID, _ keys: Set<Key>, ignoringCache: Bool = false, now: Date = .distantPast)
        -> RequestAction
    {
        var values: [Key: Value] = [:]
        for key in keys where !ignoringCache {
            if let answer = cache[key], isRecent(answer, now: now) { values[key] = answer.value }
        }
        guard values.count < keys.count else { return .answer(values) }
        callers[id] = Caller(keys: keys, values: values)
        let new = CallID()
        for key in keys where values[key] == nil { wait(id, for: key, startingAsNeeded: new, now: now) }
        return .wait(flight: new, flights[new]?.keys ?? [])
    }

    /// Adds a call to the running request of a key, or to a new request if there is none that still accepts calls.
    private mutating func wait(_ id: CallID, for key: Key, startingAsNeeded new: CallID, now: Date) {
        var flight = new
        if let running = flightsByKey[key], let start = flights[running]?.start, now.timeIntervalSince(start) < sharing
        {
            flight = running
        } else {
            flights[new, default: Flight(generation: generation, start: now)].keys.insert(key)
            flightsByKey[key] = new
        }
        guard callers[id]?.flights.contains(flight) == false else { return }
        callers[id]?.flights.append(flight)
        flights[flight]?.callers.append(id)
        flights[flight]?.waitingCount += 1
        if flight == new { flights[flight]?.founderCount += 1 }
    }

    /// Ends a request with its answer. Returns the calls that have all their values, in the order in which they were
    /// made.
    mutating func succeed(
        _ flight: CallID, _ values: [Key: Value], now: Date = .distantPast
    ) -> [(CallID, Result<[Key: Value], StoreError>)] {
        guard let ended = remove(flight) else { return [] }
        if keepsAnswers, ended.generation == generation {
            // A key that the answer lacks no longer exists.
            for key in ended.keys { cache[key] = values[key].map { Answer(value: $0, date: now) } }
        }
        var answers: [(CallID, Result<[Key: Value], StoreError>)] = []
        for id in ended.callers {
            guard var caller = callers.removeValue(forKey: id) else { continue }
            caller.flights.removeAll { $0 == flight }
            for key in ended.keys where caller.keys.contains(key) { caller.values[key] = values[key] }
            if caller.flights.isEmpty { answers.append((id, .success(caller.values))) } else { callers[id] = caller }
        }
        return answers
    }

    /// Ends a request with an error. Returns the calls that fail with it, and the requests that have no calls left.
    mutating func fail(_ flight: CallID) -> (callers: [CallID], abandoned: [CallID]) {
        guard let ended = remove(flight) else { return ([], []) }
        var abandoned: [CallID] = []
        let failed = ended.callers.filter { callers[$0] != nil }
        for id in failed { abandoned += drop(id) }
        return (failed, abandoned)
    }

    /// Ends a request without a response. Returns the calls that fail, the requests that have no calls left, and the
    /// request to start.
    ///
    /// The calls for which the request was started fail. Calls that joined it later have waited for less time than the
    /// timeout, so they get another request.
    mutating func timeOut(
        _ flight: CallID, now: Date = .distantPast
    ) -> (callers: [CallID], abandoned: [CallID], next: (flight: CallID, keys: Set<Key>)?) {
        guard let ended = remove(flight) else { return ([], [], nil) }
        var abandoned: [CallID] = []
        let failed = ended.callers.prefix(ended.founderCount).filter { callers[$0] != nil }
        for id in failed { abandoned += drop(id) }
        let new = CallID()
        for id in ended.callers.dropFirst(ended.founderCount) {
            guard let keys = callers[id]?.keys else { continue }
            callers[id]?.flights.removeAll { $0 == flight }
            for key in ended.keys where keys.contains(key) { wait(id, for: key, startingAsNeeded: new, now: now) }
        }
        return (failed, abandoned, flights[new].map { (new, $0.keys) })
    }

    /// Ends a call. Returns whether the call must be answered, and the requests that have no calls left.
    mutating func cancel(_ id: CallID) -> (answers: Bool, abandoned: [CallID]) {
        guard callers[id] != nil else { return (false, []) }
        return (true, drop(id))
    }

    /// Empties the cache. Later calls don't share the running requests.
    mutating func invalidate() {
        cache = [:]
        flightsByKey = [:]
        generation &+= 1
    }

    /// Marks all answers as not recent, and keeps them.
    mutating func markStale() {
        for key in Array(cache.keys) { cache[key]?.date = nil }
    }

    private mutating func remove(_ flight: CallID) -> Flight? {
        guard let ended = flights.removeValue(forKey: flight) else { return nil }
        for key in ended.keys where flightsByKey[key] == flight { flightsByKey[key] = nil }
        return ended
    }

    private mutating func drop(_ id: CallID) -> [CallID] {
        guard let caller = callers.removeValue(forKey: id) else { return [] }
        var abandoned: [CallID] = []
        for flight in caller.flights {
            flights[flight]?.waitingCount -= 1
            guard flights[flight]?.waitingCount == 0 else { continue }
            _ = remove(flight)
            abandoned.append(flight)
        }
        return abandoned
    }
}
