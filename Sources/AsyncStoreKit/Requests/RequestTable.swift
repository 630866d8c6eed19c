import Foundation

/// The running requests with the calls that wait for them, and the cached answers.
///
/// A call whose keys are all being requested waits for that request. Any other call starts a request. A request ends
/// with its last call. Answers are cached, and used again while they are recent.
struct RequestTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    fileprivate struct Call: Sendable {
        let id: CallID
        let keys: Set<Key>
        /// The cached values, which the request doesn't load.
        let values: [Key: Value]
    }

    struct Request: Sendable {
        let id: CallID
        let keys: Set<Key>
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

    enum Decision {
        /// All values are cached.
        case answer([Key: Value])
        /// The call waits for a running request.
        case wait
        /// The call waits for a new request for these keys.
        case start(CallID, Set<Key>)
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
    /// - Parameter ignoringCache: Whether to ignore cached answers. Running requests are shared in any case.
    mutating func register(
        _ id: CallID, _ keys: Set<Key>, ignoringCache: Bool = false, now: Date = .distantPast
    ) -> Decision {
        var values: [Key: Value] = [:]
        for key in keys where !ignoringCache {
            if let answer = cache[key], isRecent(answer, now: now) { values[key] = answer.value }
        }
        guard values.count < keys.count else { return .answer(values) }
        let call = Call(id: id, keys: keys, values: values)
        let missing = keys.filter { values[$0] == nil }
        if let index = requests.firstIndex(where: { $0.isCurrent && $0.keys.isSuperset(of: missing) }) {
            requests[index].calls.append(call)
            return .wait
        }
        let request = Request(id: CallID(), keys: missing, calls: [call])
        requests.append(request)
        return .start(request.id, missing)
    }

    /// Ends a request. Returns the answers to its calls, in the order in which they were made.
    mutating func end(
        _ request: CallID, with response: Result<[Key: Value], StoreError>, now: Date = .distantPast
    ) -> [(CallID, Result<[Key: Value], StoreError>)] {
        guard let index = requests.firstIndex(where: { $0.id == request }) else { return [] }
        let ended = requests.remove(at: index)
        if keepsAnswers, ended.isCurrent, case .success(let values) = response {
            // A key that the answer lacks no longer exists.
            for key in ended.keys { cache[key] = values[key].map { Answer(value: $0, date: now) } }
        }
        return ended.calls.map { call in
            let answer = response.map { values in
                call.values.merging(values.filter { call.keys.contains($0.key) }) { _, new in new }
            }
            return (call.id, answer)
        }
    }

    /// Ends a call. Returns the request that no call waits for any longer.
    /// - Parameter hasTimedOut: Whether the request was silent for the whole time. Later calls don't wait for it then.
    mutating func cancel(_ id: CallID, hasTimedOut: Bool = false) -> CallID? {
        guard let index = requests.firstIndex(where: { $0.calls.contains { $0.id == id } }) else { return nil }
        requests[index].calls.removeAll { $0.id == id }
        if hasTimedOut { requests[index].isCurrent = false }
        return requests[index].calls.isEmpty ? requests.remove(at: index).id : nil
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
