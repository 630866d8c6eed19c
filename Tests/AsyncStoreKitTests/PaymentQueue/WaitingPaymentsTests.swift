import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct WaitingPaymentsTests {
    private let first = CallID()

    static let scripts = [
        Script(
            "payments are submitted in the order of the calls",
            """
            enqueue a, enqueue b, enqueue c
            start → a, end a, start → b, end b, start → c, end c, start → none
            """),
        Script(
            "the mark of a payment that has ended has no effect",
            "begin a mark 10, mark b 20, mark → 10, end a, mark a 20, slot → none, mark → none"),
        Script(
            "one payment at a time has the slot",
            """
            enqueue a, enqueue b, start → a, start → none, slot → a
            isSubmitted a → yes, isSubmitted b → no
            """),
        Script("nothing is submitted without a waiting call", "start → none, product → none"),
        // Leaving the line.
        Script(
            "a cancellation in the middle keeps the others in order",
            "enqueue a, enqueue b, enqueue c, cancel b → withdraw, start → a, end a, start → c"),
        Script(
            "canceling a waiting payment removes it, and the next one starts",
            "enqueue a, enqueue b, cancel a → withdraw, start → b"),
        Script(
            "calls are counted until they are submitted",
            "enqueue a, enqueue b, waiting → 2, start → a, waiting → 1, cancel b → withdraw, waiting → 0"),
        Script(
            "canceling the payment in the slot abandons it and frees the slot",
            "enqueue a, enqueue b, start → a, cancel a → abandon, slot → none, start → b"),
        Script(
            "canceling a waiting payment doesn't affect the payment in the slot",
            "enqueue a, enqueue b, start → a, cancel b → withdraw, slot → a"),
        Script(
            "the slot is free when its payment ends, and not before",
            "enqueue a, start → a, end b, slot → a, end a, slot → none, isSubmitted a → no"),
        Script(
            "a call whose purchase is being delivered frees the slot, and can still be canceled, once",
            """
            enqueue a, enqueue b, start → a, deliver a, start → b
            cancel a → leaveDelivery, cancel a → none, slot → b
            """),
        Script(
            "an ended or unknown call can't be canceled",
            "cancel a → none, begin b, report 11 purchased → answers b, cancel b → none, remembered → 0"),
    ]

    @Test(arguments: scripts) func `calls start in the order of the queue`(script: Script) {
        var payments = PaymentScript()
        script.play { payments.perform($0) }
    }

    @Test func `the submitted payment is the requested one, with the current mark`() throws {
        var machine = PaymentStateMachine()
        let request = PaymentRequest(productID: "gems", quantity: 4, applicationUsername: "ada")
        let call = PaymentStateMachine.Call(request: request, style: .closure)
        machine.enqueue(first, call)
        let next = machine.submitNext(now: .seconds(7))
        let submitted = try #require(next?.payment)
        expectEqual(submitted.mark, nil, "the queue hasn't been read yet")
        machine.markSubmission(of: first, .entry(7))
        let payment = try #require(machine.slot)
        expectEqual(payment.id, first)
        expectEqual(payment.call, call)
        expectEqual(payment.mark, .entry(7))
        expectEqual(payment.bound, nil)
        expectEqual(payment.older, nil)
        expectEqual(payment.lastResponse, .seconds(7))
        expectEqual(machine.inFlight, request)
    }
}

// Memory.
extension WaitingPaymentsTests {
    @Test func `a long line takes less memory as it gets shorter`() {
        var machine = PaymentStateMachine()
        for _ in 0..<1_000 { machine.enqueue(CallID(), .plain()) }
        while let id = machine.startNext() {
            if machine.waitingCount % 250 == 0 { #expect(remembered(by: machine) <= 3 * machine.waitingCount + 2) }
            machine.endWait(of: id)
        }
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `calls that are canceled during a slow payment don't take up memory`() {
        var machine = PaymentStateMachine()
        let slow = machine.begin()
        let waiting = CallID()
        machine.enqueue(waiting, .plain())
        for _ in 0..<1_000 {
            let id = CallID()
            machine.enqueue(id, .plain())
            expectEqual(machine.cancel(id), .withdraw)
        }
        expectEqual(machine.waitingCount, 1)
        #expect(remembered(by: machine) < 50)
        machine.endWait(of: slow)
        expectEqual(machine.startNext(), waiting)
    }
}
