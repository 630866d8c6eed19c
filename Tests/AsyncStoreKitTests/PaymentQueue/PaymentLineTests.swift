import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentLineTests {
    private let first = CallID()
    private let second = CallID()
    private let third = CallID()

    @Test func `payments are submitted in the order of the calls`() {
        var machine = PaymentStateMachine()
        for id in [first, second, third] { machine.enqueue(id, .plain()) }
        var started: [CallID] = []
        while let id = machine.startNext() {
            started.append(id)
            machine.end(id)
        }
        expectEqual(started, [first, second, third])
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

    @Test func `the mark of a payment that has ended has no effect`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        machine.markSubmission(of: CallID(), .entry(20))
        expectEqual(machine.slot?.mark, .entry(10))
        machine.end(id)
        machine.markSubmission(of: id, .entry(20))
        expectEqual(machine.slot, nil)
    }

    @Test func `one payment at a time has the slot`() {
        var machine = PaymentStateMachine()
        machine.enqueue(first, .plain())
        machine.enqueue(second, .plain())
        expectEqual(machine.startNext(), first)
        expectEqual(machine.startNext(), nil)
        expectEqual(machine.slot?.id, first)
        #expect(machine.isSubmitted(first))
        #expect(!machine.isSubmitted(second))
    }

    @Test func `nothing is submitted without a waiting call`() {
        var machine = PaymentStateMachine()
        expectEqual(machine.startNext(), nil)
        expectEqual(machine.inFlight, nil)
    }

    @Test func `a reserved place doesn't block other calls while its product loads`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        machine.enqueue(second, .plain())
        expectEqual(machine.startNext(), second)
        machine.end(second)
        expectEqual(machine.startNext(), nil)
        expectEqual(machine.fill(first, .plain()), true)
        expectEqual(machine.startNext(), first)
    }

    @Test func `passed places are taken in the order of the calls once their products are loaded, before later ones`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        machine.reserve(second)
        let known = CallID()
        machine.enqueue(known, .plain("coins"))
        expectEqual(machine.startNext(), known)
        machine.enqueue(third, .plain("gems"))
        // Their products arrive in the other order, while another call has the slot.
        expectEqual(machine.fill(second, .plain("gems")), true)
        expectEqual(machine.fill(first, .plain("gems")), true)
        var started: [CallID] = []
        machine.end(known)
        while let id = machine.startNext() {
            started.append(id)
            machine.end(id)
        }
        expectEqual(started, [first, second, third])
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `a passed place that is given up can't be filled, and is forgotten`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        machine.enqueue(second, .plain())
        expectEqual(machine.startNext(), second)
        expectEqual(machine.cancel(first), .release)
        expectEqual(machine.fill(first, .plain()), false)
        machine.end(second)
        expectEqual(machine.startNext(), nil)
        expectEqual(machine.waitingCount, 0)
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `a place that is reserved twice, and then filled, is one place`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        machine.reserve(first)
        expectEqual(machine.fill(first, .plain()), true)
        expectEqual(machine.waitingCount, 1)
        expectEqual(remembered(by: machine), 2, "one place, and one position in the line")
    }

    @Test func `reserving a filled place doesn't empty it`() {
        var machine = PaymentStateMachine()
        machine.enqueue(first, .plain())
        machine.reserve(first)
        expectEqual(machine.startNext(), first)
    }

    @Test func `only a reserved place can be filled, and only once`() {
        var machine = PaymentStateMachine()
        expectEqual(machine.fill(first, .plain()), false)
        machine.reserve(first)
        expectEqual(machine.fill(first, .plain("coins")), true)
        expectEqual(machine.fill(first, .plain("gems")), false)
        expectEqual(machine.startNext(), first)
        expectEqual(machine.inFlight?.productID, "coins")
        expectEqual(machine.fill(first, .plain("gems")), false)
    }

    @Test func `calls are counted from their reservation until they are submitted`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        machine.enqueue(second, .plain())
        expectEqual(machine.waitingCount, 2)
        expectEqual(machine.fill(first, .plain()), true)
        expectEqual(machine.waitingCount, 2)
        expectEqual(machine.startNext(), first)
        expectEqual(machine.waitingCount, 1)
    }
}

// Leaving the line.
extension PaymentLineTests {
    @Test func `a withdrawn reservation lets the next payment start`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        machine.enqueue(second, .plain())
        machine.withdraw(first)
        expectEqual(machine.waitingCount, 1)
        expectEqual(machine.startNext(), second)
    }

    @Test func `a filled place isn't withdrawn: its call is canceled, or continues`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        expectEqual(machine.fill(first, .plain()), true)
        machine.withdraw(first)
        expectEqual(machine.waitingCount, 1)
        expectEqual(machine.startNext(), first)
    }

    @Test func `a cancellation in the middle keeps the others in order`() {
        var machine = PaymentStateMachine()
        for id in [first, second, third] { machine.enqueue(id, .plain()) }
        expectEqual(machine.cancel(second), .withdraw)
        expectEqual(machine.startNext(), first)
        machine.end(first)
        expectEqual(machine.startNext(), third)
    }

    @Test func `canceling a waiting payment withdraws it, and the next one takes its turn`() {
        var machine = PaymentStateMachine()
        machine.enqueue(first, .plain())
        machine.enqueue(second, .plain())
        expectEqual(machine.cancel(first), .withdraw)
        expectEqual(machine.startNext(), second)
    }

    @Test func `canceling a reserved place frees the line, and refuses the later payment`() {
        var machine = PaymentStateMachine()
        machine.reserve(first)
        machine.enqueue(second, .plain())
        expectEqual(machine.cancel(first), .release)
        expectEqual(machine.startNext(), second)
        expectEqual(machine.fill(first, .plain()), false)
        expectEqual(machine.waitingCount, 0)
    }

    @Test func `canceling the payment in the slot abandons it and frees the slot`() {
        var machine = PaymentStateMachine()
        machine.enqueue(first, .plain())
        machine.enqueue(second, .plain())
        expectEqual(machine.startNext(), first)
        expectEqual(machine.cancel(first), .abandon)
        expectEqual(machine.slot, nil)
        expectEqual(machine.startNext(), second)
    }

    @Test func `canceling a waiting payment doesn't affect the payment in the slot`() {
        var machine = PaymentStateMachine()
        machine.enqueue(first, .plain())
        machine.enqueue(second, .plain())
        expectEqual(machine.startNext(), first)
        expectEqual(machine.cancel(second), .withdraw)
        expectEqual(machine.slot?.id, first)
    }

    @Test func `the slot is free when its payment ends, and not before`() {
        var machine = PaymentStateMachine()
        machine.enqueue(first, .plain())
        expectEqual(machine.startNext(), first)
        machine.end(second)
        expectEqual(machine.slot?.id, first)
        machine.end(first)
        expectEqual(machine.slot, nil)
        #expect(!machine.isSubmitted(first))
    }

    @Test func `a call whose purchase is being delivered frees the slot, and can still be canceled, once`() {
        var machine = PaymentStateMachine()
        machine.enqueue(first, .plain())
        machine.enqueue(second, .plain())
        expectEqual(machine.startNext(), first)
        machine.beginDelivery(for: first)
        expectEqual(machine.startNext(), second)
        expectEqual(machine.cancel(first), .leaveDelivery)
        expectEqual(machine.cancel(first), .none)
        expectEqual(machine.slot?.id, second)
    }

    @Test func `an ended or unknown call can't be canceled`() {
        var machine = PaymentStateMachine()
        expectEqual(machine.cancel(first), .none)
        let id = machine.begin()
        expectEqual(machine.news(.entry(11, .purchased)), .answer(id, .plain))
        expectEqual(machine.cancel(id), .none)
        expectEqual(remembered(by: machine), 0)
    }
}

// Memory.
extension PaymentLineTests {
    @Test func `a long line takes less memory as it gets shorter`() {
        var machine = PaymentStateMachine()
        for _ in 0..<1_000 { machine.enqueue(CallID(), .plain()) }
        while let id = machine.startNext() {
            if machine.waitingCount % 250 == 0 { #expect(remembered(by: machine) <= 3 * machine.waitingCount + 2) }
            machine.end(id)
        }
        expectEqual(remembered(by: machine), 0)
    }

    @Test(arguments: ["cancelled", "withdrawn", "canceled before its product is loaded"])
    func `calls that are given up during a slow payment don't take up memory`(end: String) {
        var machine = PaymentStateMachine()
        let slow = machine.begin()
        let waiting = CallID()
        machine.enqueue(waiting, .plain())
        for _ in 0..<1_000 {
            let id = CallID()
            switch end {
            case "cancelled":
                machine.enqueue(id, .plain())
                expectEqual(machine.cancel(id), .withdraw)
            case "withdrawn":
                machine.reserve(id)
                machine.withdraw(id)
            default:
                machine.reserve(id)
                expectEqual(machine.cancel(id), .release)
                expectEqual(machine.fill(id, .plain()), false)
            }
        }
        expectEqual(machine.waitingCount, 1)
        #expect(remembered(by: machine) < 50)
        machine.end(slow)
        expectEqual(machine.startNext(), waiting)
    }

    @Test func `calls that were set aside keep their turns when abandoned calls are dropped`() {
        var line = PaymentLine()
        let calls = (0..<100).map { _ in CallID() }
        for id in calls { line.append(id, .plain()) }
        let next = line.takeFirst(except: ["coins"])
        #expect(next == nil)
        for id in calls[10..<90] { _ = line.remove(id) }
        #expect(remembered(by: line) < 80)
        var taken: [CallID] = []
        while let next = line.takeFirst(except: []) { taken.append(next.id) }
        expectEqual(taken, Array(calls[..<10] + calls[90...]))
    }
}
