import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentLineTests {
    private let coins = PaymentRequest(productID: "coins")
    private let first = CallID()
    private let second = CallID()
    private let third = CallID()

    @Test func `payments start in the order in which they were submitted`() {
        var machine = PaymentStateMachine()
        for id in [first, second, third] { #expect(machine.submit(id, coins) == true) }
        var started: [CallID] = []
        while let id = machine.startNext() {
            started.append(id)
            #expect(machine.vacate(id) == true)
        }
        #expect(started == [first, second, third])
    }

    @Test func `what is started is what was submitted, with the mark of that moment`() throws {
        var machine = PaymentStateMachine()
        let request = PaymentRequest(productID: "gems", quantity: 4, applicationUsername: "ada")
        #expect(machine.submit(first, request) == true)
        let started = machine.start(mark: .entry(7))
        let payment = try #require(started)
        #expect(payment.id == first)
        #expect(payment.request == request)
        #expect(payment.mark == .entry(7))
        #expect(payment.bound == nil)
        #expect(payment.older == nil)
        #expect(machine.inFlight == payment)
    }

    @Test func `one payment at a time has the slot`() {
        var machine = PaymentStateMachine()
        #expect(machine.submit(first, coins) == true)
        #expect(machine.submit(second, coins) == true)
        #expect(machine.startNext() == first)
        #expect(machine.canStart == false)
        #expect(machine.startNext() == nil)
        #expect(machine.inFlight?.id == first)
    }

    @Test func `nothing starts when nobody waits`() {
        var machine = PaymentStateMachine()
        #expect(machine.canStart == false)
        #expect(machine.startNext() == nil)
    }

    @Test func `a reserved place keeps its turn while its product is looked up`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        #expect(machine.submit(second, coins) == true)
        #expect(machine.canStart == false)
        #expect(machine.startNext() == nil)
        #expect(machine.submit(first, coins) == true)
        #expect(machine.startNext() == first)
        #expect(machine.vacate(first) == true)
        #expect(machine.startNext() == second)
    }

    @Test func `a place that is reserved twice, and then filled, is one place`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        machine.reserve(first)
        #expect(machine.submit(first, coins) == true)
        #expect(machine.waitingCount == 1)
        #expect(remembered(by: machine) == 2, "one place, and one position in the line")
    }

    @Test func `reserving a place that is filled already does not empty it`() {
        var machine = PaymentStateMachine()
        #expect(machine.submit(first, coins) == true)
        machine.reserve(first)
        #expect(machine.startNext() == first)
    }

    @Test func `calls that wait are counted from their reservation until they start`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        #expect(machine.submit(second, coins) == true)
        #expect(machine.waitingCount == 2)
        #expect(machine.submit(first, coins) == true)
        #expect(machine.waitingCount == 2)
        #expect(machine.startNext() == first)
        #expect(machine.waitingCount == 1)
    }
}

// Leaving the line.
extension PaymentLineTests {
    @Test func `a withdrawn reservation lets the next payment start`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        #expect(machine.submit(second, coins) == true)
        machine.withdraw(first)
        #expect(machine.waitingCount == 1)
        #expect(machine.startNext() == second)
    }

    @Test func `a withdrawn payment never starts`() {
        var machine = PaymentStateMachine()
        #expect(machine.submit(first, coins) == true)
        machine.withdraw(first)
        #expect(machine.canStart == false)
        #expect(machine.startNext() == nil)
    }

    @Test func `withdrawal from the middle keeps the others in order`() {
        var machine = PaymentStateMachine()
        for id in [first, second, third] { #expect(machine.submit(id, coins) == true) }
        machine.withdraw(second)
        #expect(machine.startNext() == first)
        #expect(machine.vacate(first) == true)
        #expect(machine.startNext() == third)
    }

    @Test func `a payment that waits is withdrawn by its cancellation, and the next one takes its turn`() {
        var machine = PaymentStateMachine()
        #expect(machine.submit(first, coins) == true)
        #expect(machine.submit(second, coins) == true)
        #expect(machine.cancel(first) == .withdraw)
        #expect(machine.startNext() == second)
    }

    @Test func `a cancellation that overtakes its call has the call refused`() {
        var machine = PaymentStateMachine()
        #expect(machine.cancel(first) == .remember)
        #expect(machine.submit(first, coins) == false)
        #expect(machine.startNext() == nil)
    }

    @Test func `a cancellation that overtakes the reservation takes no place in line`() {
        var machine = PaymentStateMachine()
        #expect(machine.cancel(first) == .remember)
        machine.reserve(first)
        #expect(machine.waitingCount == 0)
        #expect(machine.submit(second, coins) == true)
        #expect(machine.startNext() == second)
        #expect(machine.submit(first, coins) == false)
    }

    @Test func `cancelling a reserved place frees the line, and refuses the payment that is still to come`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        #expect(machine.submit(second, coins) == true)
        #expect(machine.cancel(first) == .remember)
        #expect(machine.startNext() == second)
        #expect(machine.submit(first, coins) == false)
        #expect(machine.waitingCount == 0)
    }

    @Test func `cancelling the payment in the slot abandons it and frees the slot`() {
        var machine = PaymentStateMachine()
        #expect(machine.submit(first, coins) == true)
        #expect(machine.submit(second, coins) == true)
        #expect(machine.startNext() == first)
        #expect(machine.cancel(first) == .abandon)
        #expect(machine.inFlight == nil)
        #expect(machine.startNext() == second)
    }

    @Test func `cancelling one that waits does not touch the payment in the slot`() {
        var machine = PaymentStateMachine()
        #expect(machine.submit(first, coins) == true)
        #expect(machine.submit(second, coins) == true)
        #expect(machine.startNext() == first)
        #expect(machine.cancel(second) == .withdraw)
        #expect(machine.inFlight?.id == first)
    }

    @Test func `the slot is vacated by the payment that has it, once`() {
        var machine = PaymentStateMachine()
        #expect(machine.submit(first, coins) == true)
        #expect(machine.startNext() == first)
        #expect(machine.vacate(second) == false)
        #expect(machine.inFlight?.id == first)
        #expect(machine.vacate(first) == true)
        #expect(machine.inFlight == nil)
        #expect(machine.vacate(first) == false)
    }
}

// What is remembered.
extension PaymentLineTests {
    @Test func `a cancellation that came too late is forgotten`() {
        var machine = PaymentStateMachine()
        let id = machine.begin()
        #expect(machine.news(.entry(11, .purchased)) == .answer(id))
        #expect(machine.cancel(id) == .remember)
        machine.forget(id)
        #expect(remembered(by: machine) == 0)
    }

    @Test func `a refused call, and a withdrawn one, leave nothing of their cancellation`() {
        var machine = PaymentStateMachine()
        #expect(machine.cancel(first) == .remember)
        #expect(machine.submit(first, coins) == false)
        #expect(machine.cancel(second) == .remember)
        machine.withdraw(second)
        #expect(remembered(by: machine) == 0)
        #expect(machine.submit(second, coins) == true)
    }

    @Test func `a long line shrinks as it moves on`() {
        var machine = PaymentStateMachine()
        for _ in 0..<1_000 { _ = machine.submit(CallID(), coins) }
        while let id = machine.startNext() {
            #expect(remembered(by: machine) <= 3 * machine.waitingCount + 1)
            _ = machine.vacate(id)
        }
        #expect(remembered(by: machine) == 0)
    }

    @Test(arguments: ["cancelled", "withdrawn", "cancelled before its product is known"])
    func `calls that give up while a payment takes its time do not pile up`(end: String) {
        var machine = PaymentStateMachine()
        let slow = machine.begin()
        let waiting = CallID()
        #expect(machine.submit(waiting, coins) == true)
        for _ in 0..<1_000 {
            let id = CallID()
            switch end {
            case "cancelled":
                #expect(machine.submit(id, coins) == true)
                #expect(machine.cancel(id) == .withdraw)
            case "withdrawn":
                machine.reserve(id)
                machine.withdraw(id)
            default:
                machine.reserve(id)
                #expect(machine.cancel(id) == .remember)
                #expect(machine.submit(id, coins) == false)
            }
        }
        #expect(machine.waitingCount == 1)
        #expect(remembered(by: machine) < 50)
        #expect(machine.vacate(slow) == true)
        #expect(machine.startNext() == waiting)
    }
}
