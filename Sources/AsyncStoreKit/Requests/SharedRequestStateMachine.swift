/// Which requests are under way, who waits for them, and what is known already.
///
/// Callers that want overlapping sets share what is in flight; a request ends when nobody waits for it any longer.
struct SharedRequestStateMachine<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight: Sendable {
        let keys: Set<Key>
        let generation: Int
        var callers: Set<CallID>
    }

    private struct Caller: Sendable {
        let keys: Set<Key>
        var values: [Key: Value]
        var flights: Set<CallID>
    }

    /// Whether an answer may be used again.
    let keepsAnswers: Bool
    private var cache: [Key: Value] = [:]
    private var flights: [CallID: Flight] = [:]
    private var flightsByKey: [Key: CallID] = [:]
    private var callers: [CallID: Caller] = [:]
    // Answers that were asked for before the cache was emptied are not kept.
    private var generation = 0

    init(keepsAnswers: Bool) {
        self.keepsAnswers = keepsAnswers
    }

    /// What is known of a key without asking.
    subscript(key: Key) -> Value? { cache[key] }

    /// Everything that is known.
    var values: [Value] { Array(cache.values) }

    enum RequestAction {
        /// Everything is known.
        case answer([Key: Value])
        /// The call waits; a request for these keys is to be started if there are any.
        case wait(flight: CallID, Set<Key>)
    }

    /// A caller wants these keys.
    mutating func request(_ id: CallID, _ keys: Set<Key>) -> RequestAction {
        var caller = Caller(keys: keys, values: [:], flights: [])
        var missing: Set<Key> = []
        for key in keys {
            if let value = cache[key] {
                caller.values[key] = value
            } else if let flight = flightsByKey[key] {
                caller.flights.insert(flight)
                flights[flight]?.callers.insert(id)
            } else {
                missing.insert(key)
            }
        }
        let new = CallID()
        if !missing.isEmpty {
            flights[new] = Flight(keys: missing, generation: generation, callers: [id])
            for key in missing { flightsByKey[key] = new }
            caller.flights.insert(new)
        }
        guard !caller.flights.isEmpty else { return .answer(caller.values) }
        callers[id] = caller
        return .wait(flight: new, missing)
    }

    /// A request was answered. Returns the calls that have everything they wanted.
    mutating func succeed(_ flight: CallID, _ values: [Key: Value]) -> [(CallID, Result<[Key: Value], StoreError>)] {
        guard let ended = remove(flight) else { return [] }
        if keepsAnswers, ended.generation == generation { cache.merge(values) { _, new in new } }
        var answers: [(CallID, Result<[Key: Value], StoreError>)] = []
        for id in ended.callers {
            guard var caller = callers[id] else { continue }
            caller.flights.remove(flight)
            for key in ended.keys where caller.keys.contains(key) { caller.values[key] = values[key] }
            callers[id] = caller.flights.isEmpty ? nil : caller
            if caller.flights.isEmpty { answers.append((id, .success(caller.values))) }
        }
        return answers
    }

    /// A request failed. Returns the calls that fail with it, and the requests that nobody waits for now.
    mutating func fail(_ flight: CallID) -> (callers: [CallID], abandoned: [CallID]) {
        guard let ended = remove(flight) else { return ([], []) }
        var abandoned: [CallID] = []
        let failed = ended.callers.filter { callers[$0] != nil }
        for id in failed { abandoned += drop(id) }
        return (Array(failed), abandoned)
    }

    /// A call no longer waits. True when it has to be answered, with the requests that nobody waits for now.
    mutating func cancel(_ id: CallID) -> (answers: Bool, abandoned: [CallID]) {
        guard callers[id] != nil else { return (false, []) }
        return (true, drop(id))
    }

    /// What is known is out of date, and so is what is under way for later callers.
    mutating func invalidate() {
        cache = [:]
        flightsByKey = [:]
        generation &+= 1
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
            flights[flight]?.callers.remove(id)
            guard flights[flight]?.callers.isEmpty == true else { continue }
            _ = remove(flight)
            abandoned.append(flight)
        }
        return abandoned
    }
}
