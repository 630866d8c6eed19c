import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DeliveryExplorationTests {
    @Test func `after any inputs, no delivery is lost or runs twice, and no more than four run at once`() async {
        await explore("DeliveryStateMachine", DeliveryModel(running: 3), depth: 5)
    }
}

/// A delivery machine that is driven as a store drives it: every delivery that can start is started at once.
private struct DeliveryModel: ExploredModel {
    typealias Job = DeliveryStateMachine.Job

    enum Input {
        /// A delivery for a call, or without a call.
        case add(forCall: Bool)
        case accept(Int)
        case retryLater(Int)
        case timer(Int)
        case install
        case abandon(Int)
    }

    private enum Place {
        case waiting, running, pending, ended
    }

    private static let limit = 7
    private static let ids = (0..<limit).map { _ in (job: CallID(), call: CallID()) }

    private(set) var machine = DeliveryStateMachine()
    private var places: [Place] = []
    private var jobs: [Job] = []

    init(running count: Int) {
        for _ in 0..<count { add(forCall: true) }
        while let job = machine.next() { places[index(of: job)] = .running }
    }

    private func index(of job: Job) -> Int {
        jobs.firstIndex { $0.id == job.id } ?? 0
    }

    private mutating func add(forCall: Bool) {
        let id = Self.ids[jobs.count]
        let job = Job(
            id: id.job, tokens: [.entry(UInt64(jobs.count))], cause: .unsolicited,
            origin: forCall ? .purchase(id.call) : .nobody)
        jobs.append(job)
        places.append(.waiting)
        machine.add(job)
    }

    private func all(_ place: Place) -> [Int] {
        places.indices.filter { places[$0] == place }
    }

    var inputs: [Input] {
        // One running delivery and two delayed ones stand for all of them.
        let running = all(.running).prefix(1)
        var inputs: [Input] = running.map(Input.accept) + running.map(Input.retryLater)
        if jobs.count < Self.limit { inputs += [.add(forCall: true), .add(forCall: false)] }
        inputs += all(.pending).prefix(2).map(Input.timer)
        if !all(.pending).isEmpty { inputs.append(.install) }
        inputs += (running + all(.waiting)).filter { jobs[$0].origin != .nobody }.suffix(2).map(Input.abandon)
        return inputs
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .add(let forCall):
            add(forCall: forCall)
        case .accept(let index):
            try end(index)
            places[index] = .ended
        case .retryLater(let index):
            try end(index)
            machine.retryLater(jobs[index])
            places[index] = .pending
            jobs[index].origin = .nobody
            jobs[index].attempt += 1
        case .timer(let index):
            let job = machine.takePending(jobs[index].id)
            try promise(job == jobs[index], "\(String(describing: job)) is tried again instead of \(jobs[index])")
            try promise(machine.takePending(jobs[index].id) == nil, "it is tried again twice")
            addAgain(index)
        case .install:
            let taken = machine.takeAllPending()
            let pending = all(.pending).sorted { jobs[$0].tokens[0] < jobs[$1].tokens[0] }
            try promise(
                taken == pending.map { jobs[$0] }, "a delivery isn't tried again, or the oldest isn't the first")
            for job in taken { addAgain(index(of: job)) }
        case .abandon(let index):
            machine.abandon(jobs[index].origin)
            jobs[index].origin = .nobody
        }
        try start()
    }

    private mutating func addAgain(_ index: Int) {
        machine.add(jobs[index])
        places[index] = .waiting
        // It waits behind the deliveries that waited before.
        jobs.append(jobs.remove(at: index))
        places.append(places.remove(at: index))
    }

    private mutating func end(_ index: Int) throws(BrokenPromise) {
        let job = machine.end(jobs[index].id)
        try promise(job == jobs[index], "\(String(describing: job)) ended instead of \(jobs[index])")
        try promise(machine.end(jobs[index].id) == nil, "it ended twice")
    }

    private mutating func start() throws(BrokenPromise) {
        while let job = machine.next() {
            guard let first = all(.waiting).first else {
                throw BrokenPromise(message: "a delivery started that doesn't wait")
            }
            try promise(job == jobs[first], "\(job) started before \(jobs[first])")
            places[first] = .running
        }
        let running = all(.running).count
        try promise(running <= DeliveryStateMachine.limit, "\(running) run at once")
        try promise(
            all(.waiting).isEmpty || running == DeliveryStateMachine.limit,
            "a delivery waits although there is a free place")
        try promise(machine.pendingCount == all(.pending).count, "\(machine.pendingCount) are to be tried again")
        try promise(machine.hasWork == places.contains { $0 != .ended }, "hasWork is wrong")
    }

    mutating func conclude() throws(BrokenPromise) {
        if !all(.pending).isEmpty { try take(.install) }
        while let index = all(.running).first { try take(.accept(index)) }
        try promise(!machine.hasWork, "a delivery never ended")
    }
}
