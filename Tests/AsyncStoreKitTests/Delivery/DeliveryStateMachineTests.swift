import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DeliveryStateMachineTests {
    static let scripts = [
        Script(
            "deliveries start in the order of their arrival, four at once, and the end of one makes room for one more",
            """
            add 1-6, start → 1 + 2 + 3 + 4, end 3 → 3, start → 5, end 3 → none, end 6 → none, start → none
            """),
        Script(
            "what answers a call starts at once behind a hundred others, in places of its own, and while the server fails",
            """
            add 1-100, start → 1 + 2 + 3 + 4, add 101-106 call, start → 101 call + 102 call + 103 call + 104 call
            end 101 → 101 call, end 102 → 102 call, end 103 → 103 call, end 104 → 104 call
            fail 1, fail 2, fail 3, fail 4, start → 105 call + 106 call
            """),
        // Four failures at once are one. A purchase that was never tried is the first, and its end starts the others.
        Script(
            "while the server fails, one purchase probes it, and its success starts the others",
            """
            add 1-6, start → 1 + 2 + 3 + 4, fail 1, fail 2, fail 3, fail 4, health → 1 failures, next → 10
            start at 9 → none, start at 10 → 5, next → none, end 5 → 5, decided
            start at 11 → 6 + 1 attempt 1 + 2 attempt 1 + 3 attempt 1
            """),
        // A new purchase is sent during the pause, but only once a minute. Then the oldest failure is the probe.
        Script(
            "a purchase that always fails doesn't keep the others from the server",
            """
            add 1, start → 1, fail 1, add 2 at 1, start at 1 → 2, fail 2 at 1, add 3 at 2, start at 2 → none
            start at 10 → 3, fail 3 at 11, start at 12 → 1 attempt 1
            """),
        Script(
            "a return starts a probe at most once a minute, and not before the pause allows it",
            """
            add 1 2, start → 1 + 2, fail 1, fail 2, returned at 4, start at 4 → none
            returned at 5, start at 5 → 1 attempt 1, fail 1 at 5
            returned at 6, returned at 7, returned at 8, returned at 9, start at 9 → none
            """),
        Script(
            "a clock that is put back ends pauses, and doesn't keep returns from ending them",
            """
            add 1, start → 1, fail 1, returned at 5, start at 5 → 1 attempt 1, fail 1 at 5, pause 2
            returned at -100, start at -100 → 1 attempt 2, next → none
            """),
        Script(
            "a pause of its own holds back only its purchases",
            """
            add 1, start → 1, end 1 → 1, pause 1, pending → 1, next → 10, add 2, start → 2
            resume at 9, start at 9 → none, resume at 10, start at 10 → 1 attempt 1, next → none
            """),
        Script(
            "returns end pauses when they allow it, and the customer ends all of them",
            """
            pause 1, returned at 4, start at 4 → none, returned at 5, start at 5 → 1 attempt 1
            pause 2, endPauses, start at 5 → 2 attempt 1
            """),
        // A running delivery keeps its transactions.
        Script(
            "a transaction leaves the deliveries that wait, and one without transactions is dropped",
            """
            pause 1+2, pause 3, add 4-7 8+9, start → 4 + 5 + 6 + 7, withdraw 1 3 4 8, pending → 1
            end 4 → 4, end 5 → 5, end 6 → 6, end 7 → 7, resume at 10, start at 10 → 9 + 2 attempt 1
            """),
        Script(
            "there is work until the last delivery has ended, and while a delivery is to be tried again",
            """
            work → no, add 1, work → yes, start → 1, work → yes, end 1 → 1, work → no, pause 1, work → yes
            replaced, start → 1 attempt 1, end 1 → 1 attempt 1, work → no
            add 2, start → 2, fail 2, work → yes, replaced, start → 2 attempt 1, end 2 → 2 attempt 1, work → no
            """),
        // Transactions are counted, not deliveries.
        Script(
            "a failed delivery is tried again and counted, without a waiting call",
            """
            add 1+2 call preexisting, start → 1+2 call preexisting, fail 1+2, pending → 2
            start at 10 → 1+2 preexisting attempt 1, pending → 0
            fail 1+2 at 10, start at 10 → 1+2 preexisting attempt 2
            """),
        Script(
            "the pauses end oldest first, and with another delivery the server is treated as working",
            """
            pause 30, pause 10+40, pause 20, pause 5, replaced
            start → 5 attempt 1 + 10+40 attempt 1 + 20 attempt 1 + 30 attempt 1
            fail 5, health → 1 failures, replaced, health → good
            """),
        Script(
            "a delivery without a call continues, running or waiting",
            """
            add 1-6 call, start → 1 call + 2 call + 3 call + 4 call, abandon 1, abandon 5, start → 6 call + 5
            end 1 → 1, end 2 → 2 call, end 5 → 5
            """),
        Script(
            "abandoning a purchase doesn't affect a restore",
            "add 1 restore, abandon 1, start → 1 restore, abandon 1 restore, end 1 → 1"),
    ]

    @Test(arguments: scripts) func `deliveries start and end`(script: Script) {
        var deliveries = DeliveryScript()
        script.play { deliveries.perform($0) }
    }

    @Test func `a purchase's own pause has its date while others wait for a running delivery`() {
        var machine = DeliveryStateMachine()
        func pause(until seconds: TimeInterval) -> DeliveryPause {
            DeliveryPause(begin: .seconds(0), end: .seconds(seconds), endOnReturn: .seconds(5))
        }
        let jobs = (1...2).map { number in
            DeliveryStateMachine.Job(id: CallID(), tokens: [.entry(number)], cause: .unsolicited, origin: .nobody)
        }
        _ = machine.retryWithServer(jobs[0], isRequested: false, now: .seconds(0)) { _ in pause(until: 10) }
        machine.retry(jobs[1], after: pause(until: 20))
        expectEqual(machine.nextDate(at: .seconds(9)), .seconds(10))
        expectEqual(machine.nextDate(at: .seconds(10)), .seconds(20))
    }

    @Test func `the largest number of attempts doesn't trap`() {
        var machine = DeliveryStateMachine()
        var job = DeliveryStateMachine.Job(
            id: CallID(), tokens: [.entry(1)], cause: .unsolicited, origin: .nobody)
        job.attempt = .max
        let pause = DeliveryPause(begin: .seconds(0), end: .seconds(10), endOnReturn: .seconds(5))
        machine.retry(job, after: pause)
        machine.endPauses(now: .seconds(10))
        expectEqual(machine.next(now: .seconds(10))?.id, job.id)
    }
}
