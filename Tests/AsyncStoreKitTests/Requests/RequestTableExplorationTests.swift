import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct RequestTableExplorationTests {
    @Test(arguments: [true, false])
    func `after any inputs, every call is answered once and completely, and the same keys are requested once at a time`(
        keepsAnswers: Bool
    ) async {
        await explore(
            "RequestTable(keepsAnswers: \(keepsAnswers))", RequestTableModel(keepsAnswers: keepsAnswers), depth: 5)
    }
}

/// Three calls for overlapping sets of two keys, and a server that answers each request in any way.
private struct RequestTableModel: ExploredModel {
    enum Input {
        case request(Set<String>)
        case succeed(Int)
        case succeedWithNothing(Int)
        case fail(Int)
        case cancel(Int)
        case timeOut(Int)
        case invalidate
    }

    private struct Request {
        let id: CallID
        let keys: Set<String>
        let generation: Int
        /// Whether no call that waited for it has timed out.
        var isAnswering = true
        var isOver = false
    }

    private struct Call {
        let keys: Set<String>
        /// The generation of each value at its request.
        let generation: Int
        /// The request for which the call waits.
        var request: Int?
        var isAnswered = false
    }

    private static let ids = (0..<3).map { _ in CallID() }

    private typealias Response = RequestTable<String, Int>.Response
    /// The answers and the abandoned requests of the last input.
    private let answers = Locked<[(CallID, Response)]>([])
    private let abandoned = Locked<[CallID]>([])

    private let keepsAnswers: Bool
    private(set) var machine: RequestTable<String, Int>
    private var calls: [Call] = []
    private var requests: [Request] = []
    private var generation = 0

    init(keepsAnswers: Bool) {
        self.keepsAnswers = keepsAnswers
        machine = RequestTable(keepsAnswers: keepsAnswers)
    }

    var inputs: [Input] {
        var inputs: [Input] = [.invalidate]
        if calls.count < Self.ids.count { inputs += [.request(["a"]), .request(["b"]), .request(["a", "b"])] }
        inputs += calls.indices.map(Input.cancel) + calls.indices.map(Input.timeOut)
        let running = requests.indices.filter { !requests[$0].isOver }
        inputs += running.map(Input.succeed) + running.map(Input.fail)
        return inputs + running.prefix(1).map(Input.succeedWithNothing)
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .request(let keys): try request(keys)
        case .succeed(let index): try end(index, .success(requests[index].keys))
        case .succeedWithNothing(let index): try end(index, .success([]))
        case .fail(let index): try end(index, .failure(StoreError(.networkError, "")))
        case .cancel(let index): try leave(index, hasTimedOut: false)
        case .timeOut(let index): try leave(index, hasTimedOut: true)
        case .invalidate:
            generation += 1
            machine.invalidate()
            try promise(machine["a"] == nil && machine["b"] == nil, "an outdated value is cached")
        }
        for request in requests {
            let isRunning = machine.requests.contains { $0.id == request.id }
            try promise(isRunning == !request.isOver, "a request runs without a call, or has ended")
        }
    }

    private mutating func request(_ keys: Set<String>) throws(BrokenPromise) {
        let index = calls.count
        calls.append(Call(keys: keys, generation: generation))
        let missing = keys.filter { machine[$0] == nil }
        let shared = requests.firstIndex { request in
            !request.isOver && request.isAnswering && request.generation == generation
                && request.keys.isSuperset(of: missing)
        }
        let call = Self.ids[index]
        var started: (id: CallID, keys: Set<String>)?
        let values = machine.register(call, keys) { [answers] response in
            answers.withLock { $0.append((call, response)) }
        } startTimer: {
            {}
        } load: { [abandoned] id, keys in
            started = (id, keys)
            return { abandoned.withLock { $0.append(id) } }
        }
        if let values {
            try promise(missing.isEmpty, "a call was answered without all its keys")
            try answer(call, .success(values))
        } else if let started {
            try promise(shared == nil, "the same keys are requested twice at the same time")
            try promise(started.keys == missing, "a key is requested that no call wants, or that is cached")
            calls[index].request = requests.count
            requests.append(Request(id: started.id, keys: started.keys, generation: generation))
        } else {
            try promise(shared != nil, "a call waits for a request that doesn't load its keys")
            calls[index].request = shared
        }
    }

    /// Performs actions. Returns the answers and the abandoned requests.
    private func perform(
        _ actions: [RequestTable<String, Int>.Action]
    ) -> (answers: [(call: CallID, response: Response)], abandoned: [CallID]) {
        actions.forEach { $0() }
        defer {
            answers.withLock { $0 = [] }
            abandoned.withLock { $0 = [] }
        }
        return (answers.withLock { $0.map { ($0, $1) } }, abandoned.withLock { $0 })
    }

    /// The calls that wait for a request.
    private func waiting(for request: Int) -> [CallID] {
        calls.indices.filter { calls[$0].request == request && !calls[$0].isAnswered }.map { Self.ids[$0] }
    }

    /// Every value has the generation in which it was requested.
    private mutating func end(_ index: Int, _ response: Result<Set<String>, StoreError>) throws(BrokenPromise) {
        requests[index].isOver = true
        let ended = requests[index]
        let values = response.map { keys in Dictionary(uniqueKeysWithValues: keys.map { ($0, ended.generation) }) }
        let (answers, abandoned) = perform(machine.end(ended.id, with: values))
        try promise(abandoned.isEmpty, "a request was canceled at its end")
        try promise(answers.map(\.call) == waiting(for: index), "the wrong calls were answered, or in another order")
        for (id, result) in answers { try answer(id, result) }
        try promise(machine.end(ended.id, with: values).isEmpty, "a request ended twice")
        if !keepsAnswers { try promise(ended.keys.allSatisfy { machine[$0] == nil }, "an answer was kept") }
    }

    /// Ends a call. Its request ends with the last call.
    private mutating func leave(_ index: Int, hasTimedOut: Bool) throws(BrokenPromise) {
        let request = calls[index].isAnswered ? nil : calls[index].request
        calls[index].isAnswered = true
        let error = StoreError(hasTimedOut ? .timedOut : .taskCancelled, "")
        let (answers, abandoned) = perform(machine.cancel(Self.ids[index], error))
        guard let request else { return try promise(answers.isEmpty && abandoned.isEmpty, "a call ended twice") }
        try promise(answers.map(\.call) == [Self.ids[index]], "another call was answered, or none")
        try promise(answers.map(\.response) == [.failure(error)], "a canceled call received an answer")
        if hasTimedOut { requests[request].isAnswering = false }
        requests[request].isOver = waiting(for: request).isEmpty
        try promise(
            abandoned == (requests[request].isOver ? [requests[request].id] : []),
            "a request continues without a call, or ended before its last call")
    }

    private mutating func answer(_ id: CallID, _ result: Result<[String: Int], StoreError>) throws(BrokenPromise) {
        guard let index = Self.ids.firstIndex(of: id) else {
            throw BrokenPromise(message: "an unknown call was answered")
        }
        try promise(!calls[index].isAnswered, "a call was answered twice")
        calls[index].isAnswered = true
        guard case .success(let values) = result else { return }
        try promise(Set(values.keys).isSubset(of: calls[index].keys), "a call received a key that it didn't request")
        try promise(
            values.values.allSatisfy { $0 >= calls[index].generation },
            "a call received a value that was outdated before the call")
    }

    mutating func conclude() throws(BrokenPromise) {
        for index in requests.indices where !requests[index].isOver { try take(.succeed(index)) }
        try promise(calls.allSatisfy(\.isAnswered), "a call was never answered")
        machine.invalidate()
    }
}
