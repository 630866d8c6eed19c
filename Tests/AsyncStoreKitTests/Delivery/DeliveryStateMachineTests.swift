import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DeliveryStateMachineTests {
    typealias Job = DeliveryStateMachine.Job

    private func job(_ serials: UInt64..., origin: DeliveryStateMachine.Origin = .nobody) -> Job {
        Job(id: CallID(), tokens: serials.map { .entry($0) }, cause: .unsolicited, origin: origin)
    }

    /// Returns every delivery that can be started now.
    private func startAll(_ machine: inout DeliveryStateMachine) -> [Job] {
        var started: [Job] = []
        while let job = machine.next() { started.append(job) }
        return started
    }

    /// Retries a delivery after its pause.
    private func retry(_ id: CallID, in machine: inout DeliveryStateMachine) {
        if let job = machine.takePending(id) { machine.add(job) }
    }

    @Test func `deliveries start in the order of their arrival, four at once`() {
        var machine = DeliveryStateMachine()
        let jobs = (1...10).map { job($0) }
        jobs.forEach { machine.add($0) }
        expectEqual(DeliveryStateMachine.limit, 4)
        expectEqual(startAll(&machine), Array(jobs[0..<4]))
        expectEqual(machine.next(), nil)
    }

    @Test func `the end of a delivery makes room for one more`() {
        var machine = DeliveryStateMachine()
        let jobs = (1...6).map { job($0) }
        jobs.forEach { machine.add($0) }
        _ = startAll(&machine)
        expectEqual(machine.end(jobs[2].id), jobs[2])
        expectEqual(startAll(&machine), [jobs[4]])
        expectEqual(machine.end(jobs[2].id), nil, "it has ended before")
        expectEqual(machine.end(jobs[5].id), nil, "it has not begun")
        expectEqual(machine.next(), nil)
    }

    @Test func `a transaction leaves the deliveries that wait, and a retry without transactions is dropped`() {
        var machine = DeliveryStateMachine()
        let (pair, single, waiting) = (job(1, 2), job(3), job(8, 9))
        for job in [pair, single] { machine.retryLater(job) }
        for job in (4...7).map({ job($0) }) + [waiting] { machine.add(job) }
        let running = startAll(&machine)
        expectEqual(machine.withdraw(.entry(1)), [], "the retry has another transaction")
        expectEqual(machine.withdraw(.entry(3)), [single.id])
        expectEqual(machine.withdraw(.entry(8)), [], "the delivery waits for a free place")
        expectEqual(machine.takePending(single.id), nil)
        expectEqual(machine.takePending(pair.id)?.tokens, [.entry(2)])
        for serial: UInt64 in 4...7 { expectEqual(machine.withdraw(.entry(serial)), [], "the delivery is running") }
        for job in running { _ = machine.end(job.id) }
        expectEqual(startAll(&machine).map(\.tokens), [[.entry(9)]])
    }

    @Test func `there is work until the last delivery has ended, and while a delivery is to be tried again`() {
        var machine = DeliveryStateMachine()
        #expect(!machine.hasWork)
        let job = job(1)
        machine.add(job)
        #expect(machine.hasWork)
        _ = machine.next()
        #expect(machine.hasWork)
        _ = machine.end(job.id)
        #expect(!machine.hasWork)
        machine.retryLater(job)
        #expect(machine.hasWork)
        expectEqual(machine.takeAllPending().count, 1)
        #expect(!machine.hasWork)
    }

    @Test func `a failed delivery is tried again and counted, without a waiting call`() throws {
        var machine = DeliveryStateMachine()
        let call = CallID()
        var job = job(1, 2, origin: .purchase(call))
        job.isPreexisting = true
        machine.add(job)
        _ = machine.next()
        _ = machine.end(job.id)
        machine.retryLater(job)
        expectEqual(machine.pendingCount, 2, "transactions are counted, not deliveries")
        expectEqual(machine.next(), nil, "not before its date")
        retry(job.id, in: &machine)
        expectEqual(machine.pendingCount, 0)
        let retried = machine.next()
        let again = try #require(retried)
        expectEqual(again.id, job.id)
        expectEqual(again.tokens, job.tokens)
        expectEqual(again.attempt, 1)
        expectEqual(again.origin, .nobody)
        #expect(again.isPreexisting)
        _ = machine.end(job.id)
        machine.retryLater(again)
        retry(job.id, in: &machine)
        expectEqual(machine.next()?.attempt, 2)
    }

    @Test func `only delayed deliveries are tried again, once`() {
        var machine = DeliveryStateMachine()
        let job = job(1)
        retry(job.id, in: &machine)
        expectEqual(machine.next(), nil)
        machine.retryLater(job)
        retry(job.id, in: &machine)
        retry(job.id, in: &machine)
        expectEqual(startAll(&machine).count, 1, "the timer that comes twice tries once")
    }

    @Test func `all delayed deliveries are taken at once, oldest first`() {
        var machine = DeliveryStateMachine()
        let jobs = [job(30), job(10, 40), job(20), job()]
        jobs.forEach { machine.retryLater($0) }
        expectEqual(machine.takeAllPending().map(\.id), [jobs[3].id, jobs[1].id, jobs[2].id, jobs[0].id])
        #expect(machine.takeAllPending().isEmpty)
        retry(jobs[0].id, in: &machine)
        expectEqual(machine.next(), nil, "the timer of a taken delivery has no effect")
    }

    @Test func `a delivery without a call continues, running or waiting`() {
        var machine = DeliveryStateMachine()
        let calls = (0..<6).map { _ in CallID() }
        let jobs = calls.enumerated().map { job(UInt64($0.offset), origin: .purchase($0.element)) }
        jobs.forEach { machine.add($0) }
        let running = startAll(&machine)
        expectEqual(running.count, 4)
        machine.abandon(.purchase(calls[0]))
        machine.abandon(.purchase(calls[4]))
        expectEqual(machine.end(jobs[0].id)?.origin, .nobody)
        expectEqual(machine.end(jobs[1].id)?.origin, .purchase(calls[1]))
        expectEqual(startAll(&machine).map(\.origin), [.nobody, .purchase(calls[5])])
    }

    @Test func `abandoning a purchase doesn't affect a restore`() {
        var machine = DeliveryStateMachine()
        let call = CallID()
        let restore = job(1, origin: .restore(call))
        machine.add(restore)
        machine.abandon(.purchase(call))
        expectEqual(machine.next()?.origin, .restore(call))
        machine.abandon(.restore(call))
        expectEqual(machine.end(restore.id)?.origin, .nobody)
    }

    @Test func `the largest number of attempts doesn't trap`() {
        var machine = DeliveryStateMachine()
        var job = job(1)
        job.attempt = .max
        machine.retryLater(job)
        expectEqual(machine.takeAllPending().count, 1)
    }
}
