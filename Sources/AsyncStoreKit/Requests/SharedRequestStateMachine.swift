import AppReceipt
import Foundation

/// Which requests are under way, who waits for them, and what is known already.
///
/// Callers with overlapping sets share a running request, unless it has been silent for long. A request ends when no caller waits for it
/// any longer.
/// Answers are kept, and used again while they are recent.
struct SharedRequestStateMachine<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight: Sendable {
        let keys: Set<Key>
        let generation: Int
        /// When the request started.
        let start: Date
        var callers: Set<CallID>
    }

    private struct Caller: Sendable {
        /// The place of the call among all.
        let number: Int
        let keys: Set<Key>
        var values: [Key: Value]
        var flights: Set<CallID>
    }

    private struct Answer: Sendable {
        let value: Value
        /// When it came; `nil` when it was called old.
        var date: Date?
    }

    /// Whether an answer may be used again.
    let keepsAnswers: Bool
    /// For how long an answer is recent, in seconds.
    let lifetime: TimeInterval
    /// For how long after its start a request takes more callers, in seconds. A later caller has a request of its own.
    let sharing: TimeInterval
    private var cache: [Key: Answer] = [:]
    private var flights: [CallID: Flight] = [:]
    private var flightsByKey: [Key: CallID] = [:]
    private var callers: [CallID: Caller] = [:]
    // Answers that were asked for before the cache was emptied are not kept.
    private var generation = 0
    private var lastNumber = 0

    init(keepsAnswers: Bool, lifetime: TimeInterval = .infinity, sharing: TimeInterval = .infinity) {
        self.keepsAnswers = keepsAnswers
        self.lifetime = lifetime
        self.sharing = sharing
    }

    /// What is known of a key without asking.
    subscript(key: Key) -> Value? { cache[key]?.value }

    private func isRecent(_ answer: Answer, now: Date) -> Bool {
        // A clock that was set back makes no answer last longer.
        answer.date.map { $0 <= now && now.timeIntervalSince($0) < lifetime } ?? false
    }

    /// Everything that is known.
    var values: [Value] { cache.values.map(\.value) }

    enum RequestAction {
        /// Everything is known.
        case answer([Key: Value])
        /// The call waits; a request for these keys is to be started if there are any.
        case wait(flight: CallID, Set<Key>)
    }

    /// A caller wants these keys.
    /// - Parameter anew: Whether no answer counts that came before. What is under way is shared all the same.
    mutating func request(_ id: CallID, _ keys: Set<Key>, anew: Bool = false, now: Date = .distantPast) -> RequestAction {
        lastNumber &+= 1
        var caller = Caller(number: lastNumber, keys: keys, values: [:], flights: [])
        var missing: Set<Key> = []
        for key in keys {
            if !anew, let answer = cache[key], isRecent(answer, now: now) {
                caller.values[key] = answer.value
            } else if let flight = flightsByKey[key], let start = flights[flight]?.start, now.timeIntervalSince(start) < sharing {
                caller.flights.insert(flight)
                flights[flight]?.callers.insert(id)
            } else {
                missing.insert(key)
            }
        }
        let new = CallID()
        if !missing.isEmpty {
            flights[new] = Flight(keys: missing, generation: generation, start: now, callers: [id])
            for key in missing { flightsByKey[key] = new }
            caller.flights.insert(new)
        }
        guard !caller.flights.isEmpty else { return .answer(caller.values) }
        callers[id] = caller
        return .wait(flight: new, missing)
    }

    /// A request was answered. Returns the calls that have everything they wanted, in the order in which they were made.
    mutating func succeed(
        _ flight: CallID, _ values: [Key: Value], now: Date = .distantPast
    ) -> [(CallID, Result<[Key: Value], StoreError>)] {
        guard let ended = remove(flight) else { return [] }
        if keepsAnswers, ended.generation == generation {
            // What is not in the answer does not exist any more.
            for key in ended.keys { cache[key] = values[key].map { Answer(value: $0, date: now) } }
        }
        var answers: [(CallID, Result<[Key: Value], StoreError>)] = []
        for id in ended.callers.inOrder(by: { number(of: $0) < number(of: $1) }) {
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
        let failed = ended.callers.filter { callers[$0] != nil }.inOrder(by: { number(of: $0) < number(of: $1) })
        for id in failed { abandoned += drop(id) }
        return (failed, abandoned)
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

    /// What is known is not recent any more, and still known.
    mutating func markStale() {
        for key in Array(cache.keys) { cache[key]?.date = nil }
    }

    private func number(of id: CallID) -> Int { callers[id]?.number ?? 0 }

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
