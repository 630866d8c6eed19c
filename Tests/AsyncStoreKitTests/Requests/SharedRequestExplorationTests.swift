import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct SharedRequestExplorationTests {
    @Test(arguments: [true, false])
    func `after any inputs, every call is answered once and completely, and no key is requested twice at the same time`(
        keepsAnswers: Bool
    ) async {
        await explore(
            "SharedRequestStateMachine(keepsAnswers: \(keepsAnswers))", SharedRequestModel(keepsAnswers: keepsAnswers),
            depth: 5)
    }
}

/// Three calls for overlapping sets of two keys, and a server that answers each request in any way.
private struct SharedRequestModel: ExploredModel {
    typealias Machine = SharedRequestStateMachine<String, Int>

    enum Input {
        case request(Set<String>)
        case succeed(Int)
        case succeedWithNothing(Int)
        case fail(Int)
        case timeOut(Int)
        case cancel(Int)
        case invalidate
    }

    private struct Flight {
        let id: CallID
        let keys: Set<String>
        let generation: Int
        /// The calls for which the request was started.
        let founders: Set<Int>
        /// The calls that joined it later.
        var joiners: Set<Int> = []
        var isOver = false
    }

    private struct Call {
        let keys: Set<String>
        /// The generation of each value at its request.
        let generation: Int
        var isAnswered = false
    }

    private static let ids = (0..<3).map { _ in CallID() }

    private let keepsAnswers: Bool
    private(set) var machine: Machine
    private var calls: [Call] = []
    private var flights: [Flight] = []
    private var generation = 0

    init(keepsAnswers: Bool) {
        self.keepsAnswers = keepsAnswers
        machine = Machine(keepsAnswers: keepsAnswers)
    }

    var inputs: [Input] {
        var inputs: [Input] = [.invalidate]
        if calls.count < Self.ids.count { inputs += [.request(["a"]), .request(["b"]), .request(["a", "b"])] }
        inputs += calls.indices.map(Input.cancel)
        let underWay = flights.indices.filter { !flights[$0].isOver }
        inputs +=
            underWay.map(Input.succeed) + underWay.map(Input.fail) + underWay.map(Input.timeOut)
            + underWay.prefix(1).map(Input.succeedWithNothing)
        return inputs
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .request(let keys): try request(keys)
        case .succeed(let index): try succeed(index, answers: flights[index].keys)
        case .succeedWithNothing(let index): try succeed(index, answers: [])
        case .fail(let index):
            flights[index].isOver = true
            let (failed, abandoned) = machine.fail(flights[index].id)
            for id in failed { try answer(id) }
            try abandon(abandoned)
            try promise(machine.fail(flights[index].id).callers.isEmpty, "a request failed twice")
        case .timeOut(let index): try timeOut(index)
        case .cancel(let index):
            let (answers, abandoned) = machine.cancel(Self.ids[index])
            try promise(answers == !calls[index].isAnswered, "a canceled call was answered twice, or not at all")
            calls[index].isAnswered = true
            try abandon(abandoned)
        case .invalidate:
            generation += 1
            machine.invalidate()
            try promise(machine["a"] == nil && machine["b"] == nil, "an outdated value is cached")
        }
        for flight in flights where !flight.isOver {
            try promise(calls.contains { !$0.isAnswered }, "a request continues without a waiting call")
        }
    }

    private mutating func request(_ keys: Set<String>) throws(BrokenPromise) {
        let index = calls.count
        calls.append(Call(keys: keys, generation: generation))
        let wanted = keys.filter { machine[$0] == nil }
        switch machine.request(Self.ids[index], keys) {
        case .answer(let values): try answer(Self.ids[index], values)
        case .wait(let id, let missing):
            try promise(missing.isSubset(of: wanted), "a key is requested that no call wants, or that is cached")
            join([index], wanted)
            if !missing.isEmpty { try start(id, missing, for: [index]) }
        }
    }

    /// Adds calls to the running requests of these keys.
    private mutating func join(_ joining: Set<Int>, _ keys: Set<String>) {
        for index in flights.indices where !flights[index].isOver && flights[index].generation == generation {
            let wanted = flights[index].keys.intersection(keys)
            flights[index].joiners.formUnion(joining.filter { !calls[$0].keys.isDisjoint(with: wanted) })
        }
    }

    private mutating func start(_ id: CallID, _ keys: Set<String>, for founders: Set<Int>) throws(BrokenPromise) {
        let running = flights.filter { !$0.isOver && $0.generation == generation }
        try promise(running.allSatisfy { $0.keys.isDisjoint(with: keys) }, "a key is requested twice at the same time")
        flights.append(Flight(id: id, keys: keys, generation: generation, founders: founders))
    }

    /// The calls for which the request was started fail. Calls that joined it wait for another request.
    private mutating func timeOut(_ index: Int) throws(BrokenPromise) {
        flights[index].isOver = true
        let ended = flights[index]
        let failing = ended.founders.filter { !calls[$0].isAnswered }
        let (failed, abandoned, next) = machine.timeOut(ended.id)
        try promise(Set(failed) == Set(failing.map { Self.ids[$0] }), "the wrong calls timed out")
        for id in failed { try answer(id) }
        try abandon(abandoned)
        let joiners = ended.joiners.filter { !calls[$0].isAnswered }
        join(joiners, ended.keys)
        if let next {
            try promise(next.keys.isSubset(of: ended.keys), "another key is requested")
            try start(next.flight, next.keys, for: joiners.filter { !calls[$0].keys.isDisjoint(with: next.keys) })
        }
        try promise(machine.timeOut(ended.id).callers.isEmpty, "a request timed out twice")
    }

    /// Every value has the generation in which it was requested.
    private mutating func succeed(_ index: Int, answers keys: Set<String>) throws(BrokenPromise) {
        flights[index].isOver = true
        let values = Dictionary(uniqueKeysWithValues: keys.map { ($0, flights[index].generation) })
        for (id, result) in machine.succeed(flights[index].id, values) {
            guard case .success(let values) = result else {
                throw BrokenPromise(message: "a call failed without a failure")
            }
            try answer(id, values)
        }
        try promise(machine.succeed(flights[index].id, values).isEmpty, "a request succeeded twice")
        if !keepsAnswers { try promise(keys.allSatisfy { machine[$0] == nil }, "an answer was kept") }
    }

    private mutating func answer(_ id: CallID, _ values: [String: Int]? = nil) throws(BrokenPromise) {
        guard let index = Self.ids.firstIndex(of: id) else {
            throw BrokenPromise(message: "an unknown call was answered")
        }
        try promise(!calls[index].isAnswered, "a call was answered twice")
        calls[index].isAnswered = true
        guard let values else { return }
        try promise(Set(values.keys).isSubset(of: calls[index].keys), "a call received a key that it didn't request")
        try promise(
            values.values.allSatisfy { $0 >= calls[index].generation },
            "a call received a value that was outdated before the call")
    }

    private mutating func abandon(_ ids: [CallID]) throws(BrokenPromise) {
        for id in ids {
            guard let index = flights.firstIndex(where: { $0.id == id && !$0.isOver }) else {
                throw BrokenPromise(message: "a request was abandoned that isn't running")
            }
            flights[index].isOver = true
        }
    }

    mutating func conclude() throws(BrokenPromise) {
        for index in flights.indices where !flights[index].isOver { try take(.succeed(index)) }
        try promise(calls.allSatisfy(\.isAnswered), "a call was never answered")
        machine.invalidate()
    }
}
