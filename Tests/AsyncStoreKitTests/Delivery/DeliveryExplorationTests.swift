import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DeliveryExplorationTests {
    @Test func `after any inputs, no delivery is lost or runs twice, and a failing server gets one probe at a time`()
        async
    {
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
        /// The server fails, or decides that this purchase has to wait, or nothing is sent.
        case retryLater(Int, DeliveryAnswer.Evidence)
        case timer
        case back
        case install
        case abandon(Int)
    }

    private enum Place {
        case waiting, running, ended
    }

    private static let limit = 7
    private static let ids = (0..<limit).map { _ in (job: CallID(), call: CallID()) }

    private(set) var machine = DeliveryStateMachine()
    private var now = Date.seconds(0)
    private var places: [Place] = []
    private var jobs: [Job] = []

    init(running count: Int) {
        for _ in 0..<count { add(forCall: true) }
        while let job = machine.next(now: now) { places[index(of: job)] = .running }
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
        machine.enqueue(job, now: now)
    }

    private func all(_ place: Place) -> [Int] {
        places.indices.filter { places[$0] == place }
    }

    var inputs: [Input] {
        // One running delivery represents all of them.
        let running = all(.running).prefix(1)
        var inputs: [Input] = running.map(Input.accept)
        for evidence in [DeliveryAnswer.Evidence.failing, .working, .nothingSent] {
            inputs += running.map { .retryLater($0, evidence) }
        }
        if jobs.count < Self.limit { inputs += [.add(forCall: true), .add(forCall: false)] }
        if machine.nextDate(at: now) != nil { inputs += [.timer, .back, .install] }
        inputs += (running + all(.waiting)).filter { jobs[$0].origin != .nobody }.suffix(2).map(Input.abandon)
        return inputs
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .add(let forCall):
            add(forCall: forCall)
        case .accept(let index):
            try end(index)
            machine.serverDecided()
            places[index] = .ended
        case .retryLater(let index, let evidence):
            try end(index)
            let pause = DeliveryPause(begin: now, end: now + 10, endOnReturn: now + 5)
            switch evidence {
            case .working where !machine.serverPostponed("\(index)"): machine.retry(jobs[index], after: pause)
            case .nothingSent:
                machine.nothingSent()
                machine.retry(jobs[index], after: pause)
            case .working, .failing:
                _ = machine.retryWithServer(jobs[index], isRequested: false, now: now) { _ in pause }
            }
            places[index] = .waiting
            jobs[index].origin = .nobody
            jobs[index].attempt += 1
        case .timer:
            guard let date = machine.nextDate(at: now) else { throw BrokenPromise(message: "the timer has no date") }
            now = max(now, date)
            machine.endPauses(now: now)
        case .back:
            now += 5
            machine.returned(now: now)
            machine.endPauses(now: now)
        case .install:
            machine.deliveryReplaced()
        case .abandon(let index):
            machine.abandon(jobs[index].origin)
            jobs[index].origin = .nobody
        }
        try start()
    }

    private mutating func end(_ index: Int) throws(BrokenPromise) {
        let job = machine.deliveryEnded(jobs[index].id)
        try promise(job?.id == jobs[index].id, "\(String(describing: job)) ended instead of \(jobs[index])")
        try promise(machine.deliveryEnded(jobs[index].id) == nil, "it ended twice")
    }

    private mutating func start() throws(BrokenPromise) {
        while let job = machine.next(now: now) {
            let index = index(of: job)
            try promise(places[index] == .waiting, "\(job) started, and doesn't wait")
            try promise(job.origin == jobs[index].origin && job.attempt == jobs[index].attempt, "\(job) has changed")
            places[index] = .running
        }
        let own = all(.running).count { jobs[$0].origin == .nobody }
        let isFailing = machine.health.pause != nil
        let waitingCalls = all(.waiting).count { jobs[$0].origin != .nobody }
        try promise(
            waitingCalls == 0 || all(.running).count - own >= DeliveryStateMachine.limit,
            "a call waits although there is a free place")
        let date = machine.nextDate(at: now)
        let hasDate = date.map { $0 > now } ?? false
        try promise(
            all(.waiting).isEmpty || hasDate || !all(.running).isEmpty, "a delivery waits, and nothing starts it")
        try promise(!isFailing || date != nil || own > 0 || all(.waiting).isEmpty, "no probe is planned")
        try promise(machine.hasWork == places.contains { $0 != .ended }, "hasWork is wrong")
    }

    mutating func conclude() throws(BrokenPromise) {
        for _ in 0..<100 where machine.hasWork {
            if let index = all(.running).first { try take(.accept(index)) } else { try take(.timer) }
        }
        try promise(!machine.hasWork, "a delivery never ended")
    }
}

extension DeliveryStateMachine {
    /// Whether a delivery runs or waits.
    var hasWork: Bool { !running.isEmpty || !calls.isEmpty || !waiting.isEmpty || !paused.isEmpty }
}
