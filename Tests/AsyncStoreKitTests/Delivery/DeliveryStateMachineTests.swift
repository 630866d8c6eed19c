import Foundation
import Testing

@testable import AsyncStoreKit

@Suite struct DeliveryStateMachineTests {
    typealias Job = DeliveryStateMachine.Job

    private func job(_ serials: UInt64..., origin: DeliveryStateMachine.Origin = .nobody) -> Job {
        Job(id: CallID(), tokens: serials.map { .entry($0) }, cause: .unsolicited, origin: origin)
    }

    /// Everything that can be started now.
    private func startAll(_ machine: inout DeliveryStateMachine) -> [Job] {
        var started: [Job] = []
        while let job = machine.next() { started.append(job) }
        return started
    }

    @Test func `deliveries start in the order in which they came, four at once`() {
        var machine = DeliveryStateMachine()
        let jobs = (1...10).map { job($0) }
        jobs.forEach { machine.add($0) }
        #expect(DeliveryStateMachine.limit == 4)
        #expect(startAll(&machine) == Array(jobs[0..<4]))
        #expect(machine.next() == nil)
    }

    @Test func `the end of a delivery makes room for one more`() {
        var machine = DeliveryStateMachine()
        let jobs = (1...6).map { job($0) }
        jobs.forEach { machine.add($0) }
        _ = startAll(&machine)
        #expect(machine.end(jobs[2].id) == jobs[2])
        #expect(startAll(&machine) == [jobs[4]])
        #expect(machine.end(jobs[2].id) == nil, "it has ended before")
        #expect(machine.end(jobs[5].id) == nil, "it has not begun")
        #expect(machine.next() == nil)
    }

    @Test func `there is work until the last delivery has ended, and while something is owed`() {
        var machine = DeliveryStateMachine()
        #expect(!machine.hasWork)
        let job = job(1)
        machine.add(job)
        #expect(machine.hasWork)
        _ = machine.next()
        #expect(machine.hasWork)
        _ = machine.end(job.id)
        #expect(!machine.hasWork)
        machine.owe(job)
        #expect(machine.hasWork)
        #expect(machine.takeOwed().count == 1)
        #expect(!machine.hasWork)
    }

    @Test func `what is owed is tried again, counted, and waited for by nobody`() throws {
        var machine = DeliveryStateMachine()
        let call = CallID()
        var job = job(1, 2, origin: .purchase(call))
        job.answersEarlierPayment = true
        machine.add(job)
        _ = machine.next()
        _ = machine.end(job.id)
        machine.owe(job)
        #expect(machine.owedCount == 2, "transactions are counted, not deliveries")
        #expect(machine.next() == nil, "not before its time has come")
        machine.retry(job.id)
        #expect(machine.owedCount == 0)
        let retried = machine.next()
        let again = try #require(retried)
        #expect(again.id == job.id)
        #expect(again.tokens == job.tokens)
        #expect(again.attempt == 1)
        #expect(again.origin == .nobody)
        #expect(again.answersEarlierPayment)
        _ = machine.end(job.id)
        machine.owe(again)
        machine.retry(job.id)
        #expect(machine.next()?.attempt == 2)
    }

    @Test func `a retry of what is not owed starts nothing`() {
        var machine = DeliveryStateMachine()
        let job = job(1)
        machine.retry(job.id)
        #expect(machine.next() == nil)
        machine.owe(job)
        machine.retry(job.id)
        machine.retry(job.id)
        #expect(startAll(&machine).count == 1, "the timer that comes twice tries once")
    }

    @Test func `everything owed is taken at once, oldest first`() {
        var machine = DeliveryStateMachine()
        let jobs = [job(30), job(10, 40), job(20), job()]
        jobs.forEach { machine.owe($0) }
        #expect(machine.takeOwed().map(\.id) == [jobs[3].id, jobs[1].id, jobs[2].id, jobs[0].id])
        #expect(machine.takeOwed().isEmpty)
        machine.retry(jobs[0].id)
        #expect(machine.next() == nil, "the timer of what was taken does nothing")
    }

    @Test func `a delivery that nobody waits for any longer goes on, running or waiting`() {
        var machine = DeliveryStateMachine()
        let calls = (0..<6).map { _ in CallID() }
        let jobs = calls.enumerated().map { job(UInt64($0.offset), origin: .purchase($0.element)) }
        jobs.forEach { machine.add($0) }
        let running = startAll(&machine)
        #expect(running.count == 4)
        machine.abandon(.purchase(calls[0]))
        machine.abandon(.purchase(calls[4]))
        #expect(machine.end(jobs[0].id)?.origin == .nobody)
        #expect(machine.end(jobs[1].id)?.origin == .purchase(calls[1]))
        #expect(startAll(&machine).map(\.origin) == [.nobody, .purchase(calls[5])])
    }

    @Test func `a purchase and a restore are told apart when one is abandoned`() {
        var machine = DeliveryStateMachine()
        let call = CallID()
        let restore = job(1, origin: .restore(call))
        machine.add(restore)
        machine.abandon(.purchase(call))
        #expect(machine.next()?.origin == .restore(call))
        machine.abandon(.restore(call))
        #expect(machine.end(restore.id)?.origin == .nobody)
    }

    @Test func `the pause doubles with each attempt, up to five minutes`() {
        let pauses = (1...11).map { DeliveryStateMachine.backoff(attempt: $0) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    }

    @Test(arguments: [Int.min, -1, 0])
    func `the pause is never below a second`(attempt: Int) {
        #expect(DeliveryStateMachine.backoff(attempt: attempt) == 1)
    }

    @Test(arguments: [12, 1_000, Int.max])
    func `the pause is never above five minutes`(attempt: Int) {
        #expect(DeliveryStateMachine.backoff(attempt: attempt) == 300)
    }

    @Test func `a pause lasts from half the longest wait to all of it, and the same one always as long`() {
        for attempt in [1, 2, 5, 10, 1_000] {
            let longest = DeliveryStateMachine.backoff(attempt: attempt)
            let pauses = (0..<200).map { DeliveryStateMachine.pause(asked: nil, attempt: attempt, key: "200000\($0)") }
            #expect(pauses.allSatisfy { $0 > longest / 2 && $0 <= longest })
            #expect(pauses == (0..<200).map { DeliveryStateMachine.pause(asked: nil, attempt: attempt, key: "200000\($0)") })
            // Purchases that began to wait together are spread over the whole half, however alike their keys are.
            for tenth in 0..<10 {
                let start = longest / 2 + longest / 20 * Double(tenth)
                #expect(pauses.contains { $0 >= start && $0 <= start + longest / 20 }, "attempt \(attempt), tenth \(tenth)")
            }
        }
    }

    @Test func `one purchase draws anew for each attempt`() {
        #expect(Set((1...100).map { DeliveryStateMachine.jitter(attempt: $0, key: "a") }).count == 100)
    }

    @Test(arguments: [(0.0, 0.0), (0.5, 0.5), (120, 120), (86_400, 86_400), (86_401, 86_400), (1e300, 86_400), (.infinity, 86_400)])
    func `a pause that the delivery asks for is kept, up to a day`(asked: TimeInterval, pause: TimeInterval) {
        #expect(DeliveryStateMachine.pause(asked: asked, attempt: 1, key: "a") == pause)
    }

    @Test(arguments: [TimeInterval.nan, -1, -TimeInterval.infinity]) func `a pause that makes no sense is the usual one`(
        asked: TimeInterval
    ) {
        let usual = DeliveryStateMachine.pause(asked: nil, attempt: 3, key: "a")
        #expect(DeliveryStateMachine.pause(asked: asked, attempt: 3, key: "a") == usual)
    }

    @Test func `attempts beyond counting do not trap`() {
        var machine = DeliveryStateMachine()
        var job = job(1)
        job.attempt = .max
        machine.owe(job)
        #expect(machine.takeOwed().count == 1)
    }
}
