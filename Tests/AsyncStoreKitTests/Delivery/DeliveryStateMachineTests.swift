import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DeliveryStateMachineTests {
    typealias Job = DeliveryStateMachine.Job

    private func job(_ serials: UInt64..., origin: DeliveryStateMachine.Origin = .nobody) -> Job {
        Job(id: CallID(), tokens: serials.map { .entry($0) }, cause: .unsolicited, origin: origin)
    }

    private let start = Date.seconds(0)
    private let pause = DeliveryPause(begin: .seconds(0), end: .seconds(10), endOnReturn: .seconds(5))

    /// Returns every delivery that can be started at a number of seconds.
    private func startAll(_ machine: inout DeliveryStateMachine, at time: TimeInterval = 0) -> [Job] {
        var started: [Job] = []
        while let job = machine.next(now: .seconds(time)) { started.append(job) }
        return started
    }

    private func add(_ jobs: [Job], to machine: inout DeliveryStateMachine, at time: TimeInterval = 0) {
        for job in jobs { machine.enqueue(job, now: .seconds(time)) }
    }

    /// Ends a delivery because the server fails. The pause is until 10 seconds.
    private func fail(_ job: Job, in machine: inout DeliveryStateMachine, at time: TimeInterval = 0) {
        guard let ended = machine.deliveryEnded(job.id) else { return }
        _ = machine.retryWithServer(ended, isRequested: false, now: .seconds(time)) { _ in pause }
    }

    @Test func `deliveries start in the order of their arrival, four at once`() {
        var machine = DeliveryStateMachine()
        let jobs = (1...10).map { job($0) }
        add(jobs, to: &machine)
        expectEqual(DeliveryStateMachine.limit, 4)
        expectEqual(startAll(&machine), Array(jobs[0..<4]))
        expectEqual(machine.next(now: start), nil)
    }

    @Test func `the end of a delivery makes room for one more`() {
        var machine = DeliveryStateMachine()
        let jobs = (1...6).map { job($0) }
        add(jobs, to: &machine)
        _ = startAll(&machine)
        expectEqual(machine.deliveryEnded(jobs[2].id), jobs[2])
        expectEqual(startAll(&machine), [jobs[4]])
        expectEqual(machine.deliveryEnded(jobs[2].id), nil, "it has ended before")
        expectEqual(machine.deliveryEnded(jobs[5].id), nil, "it has not begun")
        expectEqual(machine.next(now: start), nil)
    }

    @Test func `what answers a call starts at once behind a hundred others, and while the server fails`() {
        var machine = DeliveryStateMachine()
        let backlog = (1...100).map { job($0) }
        add(backlog, to: &machine)
        expectEqual(startAll(&machine).count, 4)
        let calls = (101...106).map { job($0, origin: .purchase(CallID())) }
        add(calls, to: &machine)
        expectEqual(startAll(&machine), Array(calls[0..<4]), "calls have four places of their own")
        for job in calls[0..<4] { _ = machine.deliveryEnded(job.id) }
        for job in backlog[0..<4] { fail(job, in: &machine) }
        expectEqual(startAll(&machine), Array(calls[4...]))
    }

    @Test func `while the server fails, one purchase probes it, and its success starts the others`() {
        var machine = DeliveryStateMachine()
        let jobs = (1...6).map { job($0) }
        add(jobs, to: &machine)
        for job in startAll(&machine) { fail(job, in: &machine) }
        expectEqual(machine.health.failures, 1, "four failures at once are one")
        expectEqual(machine.nextDate, .seconds(10))
        expectEqual(startAll(&machine, at: 9), [])
        expectEqual(startAll(&machine, at: 10).map(\.tokens), [jobs[4].tokens], "one that was never tried is the first")
        expectEqual(machine.nextDate, nil, "the probe's end starts the others")
        _ = machine.deliveryEnded(jobs[4].id)
        machine.serverDecided()
        expectEqual(startAll(&machine, at: 11).map(\.tokens), [jobs[5], jobs[0], jobs[1], jobs[2]].map(\.tokens))
    }

    @Test func `a purchase that always fails doesn't keep the others from the server`() {
        var machine = DeliveryStateMachine()
        let bad = job(1)
        add([bad], to: &machine)
        fail(startAll(&machine)[0], in: &machine)
        let good = job(2)
        add([good], to: &machine, at: 1)
        expectEqual(startAll(&machine, at: 1), [good], "a new purchase is sent during the pause")
        fail(good, in: &machine, at: 1)
        let next = job(3)
        add([next], to: &machine, at: 2)
        expectEqual(startAll(&machine, at: 2), [], "but only once a minute")
        expectEqual(startAll(&machine, at: 10), [next])
        fail(next, in: &machine, at: 11)
        expectEqual(startAll(&machine, at: 12).map(\.id), [bad.id], "then the oldest failure")
    }

    @Test func `a return starts a probe at most once a minute, and not before the pause allows it`() {
        var machine = DeliveryStateMachine()
        add([job(1), job(2)], to: &machine)
        for job in startAll(&machine) { fail(job, in: &machine) }
        machine.returned(now: .seconds(4))
        expectEqual(startAll(&machine, at: 4), [])
        machine.returned(now: .seconds(5))
        let probe = startAll(&machine, at: 5)
        expectEqual(probe.map(\.attempt), [1])
        fail(probe[0], in: &machine, at: 5)
        for time in 6...9 { machine.returned(now: .seconds(Double(time))) }
        expectEqual(startAll(&machine, at: 9), [])
    }

    @Test func `a clock that is put back ends pauses, and doesn't keep returns from ending them`() {
        var machine = DeliveryStateMachine()
        add([job(1)], to: &machine)
        fail(startAll(&machine)[0], in: &machine)
        machine.returned(now: .seconds(5))
        fail(startAll(&machine, at: 5)[0], in: &machine, at: 5)
        machine.retry(job(2), after: pause)
        machine.returned(now: .seconds(-100))
        expectEqual(startAll(&machine, at: -100).count, 1)
        expectEqual(machine.nextDate, nil, "the other one is no longer paused")
    }

    @Test func `a pause of its own holds back only its purchases`() {
        var machine = DeliveryStateMachine()
        let (own, other) = (job(1), job(2))
        add([own], to: &machine)
        _ = startAll(&machine)
        _ = machine.deliveryEnded(own.id)
        machine.retry(own, after: pause)
        expectEqual(machine.pendingCount, 1)
        expectEqual(machine.nextDate, .seconds(10))
        add([other], to: &machine)
        expectEqual(startAll(&machine), [other])
        machine.endPauses(now: .seconds(9))
        expectEqual(startAll(&machine, at: 9), [])
        machine.endPauses(now: .seconds(10))
        let again = startAll(&machine, at: 10)
        expectEqual(again.map(\.attempt), [1])
        expectEqual(again.map(\.pause), [nil])
        expectEqual(machine.nextDate, nil)
    }

    @Test func `returns end pauses when they allow it, and the customer ends all of them`() {
        var machine = DeliveryStateMachine()
        machine.retry(job(1), after: pause)
        machine.returned(now: .seconds(4))
        expectEqual(startAll(&machine, at: 4), [])
        machine.returned(now: .seconds(5))
        expectEqual(startAll(&machine, at: 5).count, 1)
        machine.retry(job(2), after: pause)
        machine.hasten()
        expectEqual(startAll(&machine, at: 5).count, 1)
    }

    @Test func `a transaction leaves the deliveries that wait, and one without transactions is dropped`() {
        var machine = DeliveryStateMachine()
        let (pair, single, waiting) = (job(1, 2), job(3), job(8, 9))
        for job in [pair, single] { machine.retry(job, after: pause) }
        add((4...7).map { job($0) } + [waiting], to: &machine)
        let running = startAll(&machine)
        for serial: UInt64 in [1, 3, 4, 8] { machine.withdraw(.entry(serial)) }
        expectEqual(machine.pendingCount, 1)
        for job in running {
            expectEqual(machine.deliveryEnded(job.id)?.tokens, job.tokens, "a running delivery keeps them")
        }
        machine.endPauses(now: .seconds(10))
        expectEqual(startAll(&machine, at: 10).map(\.tokens), [[.entry(9)], [.entry(2)]])
    }

    @Test func `there is work until the last delivery has ended, and while a delivery is to be tried again`() {
        for isOwn in [false, true] {
            var machine = DeliveryStateMachine()
            #expect(!machine.hasWork)
            let job = job(1)
            add([job], to: &machine)
            #expect(machine.hasWork)
            _ = machine.next(now: start)
            #expect(machine.hasWork)
            _ = machine.deliveryEnded(job.id)
            #expect(!machine.hasWork)
            if isOwn {
                machine.retry(job, after: pause)
            } else {
                _ = machine.retryWithServer(job, isRequested: false, now: start) { _ in pause }
            }
            #expect(machine.hasWork)
            machine.deliveryReplaced()
            expectEqual(startAll(&machine).count, 1)
            _ = machine.deliveryEnded(job.id)
            #expect(!machine.hasWork)
        }
    }

    @Test func `a failed delivery is tried again and counted, without a waiting call`() throws {
        var machine = DeliveryStateMachine()
        var job = job(1, 2, origin: .purchase(CallID()))
        job.isPreexisting = true
        add([job], to: &machine)
        fail(startAll(&machine)[0], in: &machine)
        expectEqual(machine.pendingCount, 2, "transactions are counted, not deliveries")
        let again = try #require(startAll(&machine, at: 10).first)
        expectEqual(machine.pendingCount, 0)
        expectEqual(again.id, job.id)
        expectEqual(again.tokens, job.tokens)
        expectEqual(again.attempt, 1)
        expectEqual(again.origin, .nobody)
        #expect(again.isPreexisting)
        fail(again, in: &machine, at: 10)
        expectEqual(startAll(&machine, at: 10).map(\.attempt), [2])
    }

    @Test func `the pauses end oldest first, and with another delivery the server is treated as working`() {
        var machine = DeliveryStateMachine()
        let jobs = [job(30), job(10, 40), job(20), job(5)]
        for job in jobs { machine.retry(job, after: pause) }
        machine.deliveryReplaced()
        expectEqual(startAll(&machine).map(\.id), [jobs[3].id, jobs[1].id, jobs[2].id, jobs[0].id])
        fail(jobs[3], in: &machine)
        expectEqual(machine.health.failures, 1)
        machine.deliveryReplaced()
        expectEqual(machine.health, DeliveryHealth())
    }

    @Test func `a delivery without a call continues, running or waiting`() {
        var machine = DeliveryStateMachine()
        let calls = (0..<6).map { _ in CallID() }
        let jobs = calls.enumerated().map { job(UInt64($0.offset), origin: .purchase($0.element)) }
        add(jobs, to: &machine)
        expectEqual(startAll(&machine).count, 4)
        machine.abandon(.purchase(calls[0]))
        machine.abandon(.purchase(calls[4]))
        expectEqual(startAll(&machine).map(\.id), [jobs[5].id, jobs[4].id])
        expectEqual(machine.deliveryEnded(jobs[0].id)?.origin, .nobody)
        expectEqual(machine.deliveryEnded(jobs[1].id)?.origin, .purchase(calls[1]))
        expectEqual(machine.deliveryEnded(jobs[4].id)?.origin, .nobody)
    }

    @Test func `abandoning a purchase doesn't affect a restore`() {
        var machine = DeliveryStateMachine()
        let call = CallID()
        let restore = job(1, origin: .restore(call))
        add([restore], to: &machine)
        machine.abandon(.purchase(call))
        expectEqual(machine.next(now: start)?.origin, .restore(call))
        machine.abandon(.restore(call))
        expectEqual(machine.deliveryEnded(restore.id)?.origin, .nobody)
    }

    @Test func `the largest number of attempts doesn't trap`() {
        var machine = DeliveryStateMachine()
        var job = job(1)
        job.attempt = .max
        machine.retry(job, after: pause)
        machine.endPauses(now: .seconds(10))
        expectEqual(startAll(&machine).count, 1)
    }
}
