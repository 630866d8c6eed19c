import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct RestoreStateMachineTests {
    private let first = CallID()
    private let second = CallID()
    private let rows = [StoreTransaction.entry(1, .restored), .entry(2, .restored, of: "gems")]

    private func running() -> RestoreStateMachine {
        var machine = RestoreStateMachine()
        _ = machine.begin(first)
        return machine
    }

    @Test func `one restore runs at a time`() {
        var machine = RestoreStateMachine()
        expectEqual(machine.phase, .idle)
        expectEqual(machine.phase.id, nil)
        expectEqual(machine.begin(first), true)
        expectEqual(machine.phase, .awaited(first))
        expectEqual(machine.begin(second), false)
        expectEqual(machine.phase.id, first)
        expectEqual(machine.end(), .answer(first, rows: []), "the one that was refused has not taken the place of the first")
    }

    @Test func `another one starts as soon as the first is over`() {
        var machine = running()
        expectEqual(machine.end(), .answer(first, rows: []))
        expectEqual(machine.phase, .idle)
        expectEqual(machine.begin(second), true)
    }

    @Test func `rows are kept, in order, until the end`() {
        var machine = running()
        machine.add([rows[0]])
        machine.add([rows[1]])
        expectEqual(machine.end(), .answer(first, rows: rows))
    }

    @Test func `transactions that arrive without a restore belong to no call`() {
        var machine = RestoreStateMachine()
        machine.add(rows)
        expectEqual(machine.begin(first), true)
        expectEqual(machine.end(), .answer(first, rows: []), "what came before is not this restore's")
        machine.add(rows)
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `the rows of one restore are not the next one's`() {
        var machine = running()
        machine.add(rows)
        _ = machine.end()
        expectEqual(machine.begin(second), true)
        expectEqual(machine.end(), .answer(second, rows: []))
    }

    @Test func `an end without a restore is ignored`() {
        var machine = RestoreStateMachine()
        expectEqual(machine.end(), .notRunning)
        _ = machine.begin(first)
        _ = machine.end()
        expectEqual(machine.end(), .notRunning)
    }
}

// Time-outs and cancellations.
extension RestoreStateMachineTests {
    @Test func `a restore that times out is over, with the rows that came`() {
        var machine = running()
        machine.add(rows)
        expectEqual(machine.timeOut(first), .answer(first, rows: rows))
        expectEqual(machine.phase, .idle)
        expectEqual(machine.timeOut(first), .notRunning)
    }

    @Test func `the time-out of a restore that is over does not end the next one`() {
        var machine = running()
        _ = machine.end()
        expectEqual(machine.begin(second), true)
        expectEqual(machine.timeOut(first), .notRunning)
        expectEqual(machine.phase, .awaited(second))
        expectEqual(machine.end(), .answer(second, rows: []))
    }

    @Test func `cancelling the wait gives the rows away and lets the restore go on`() {
        var machine = running()
        machine.add([rows[0]])
        expectEqual(machine.cancel(first), .abandon(rows: [rows[0]]))
        expectEqual(machine.phase, .abandoned(first))
        expectEqual(machine.phase.id, first)
        expectEqual(machine.begin(second), false)
        machine.add([rows[1]])
        expectEqual(machine.end(), .unawaited(first, rows: rows), "the answer to a payment may be among them")
        expectEqual(remembered(by: machine), 0)
        expectEqual(machine.begin(second), true)
    }

    @Test func `an abandoned restore times out without an answer`() {
        var machine = running()
        _ = machine.cancel(first)
        expectEqual(machine.timeOut(first), .unawaited(first, rows: []))
        expectEqual(machine.phase, .idle)
    }

    @Test func `a second cancellation gives nothing away again`() {
        var machine = running()
        machine.add(rows)
        expectEqual(machine.cancel(first), .abandon(rows: rows))
        expectEqual(machine.cancel(first), .none)
        expectEqual(machine.phase, .abandoned(first))
    }

    @Test func `cancelling a restore that is over changes nothing`() {
        var machine = running()
        machine.add(rows)
        expectEqual(machine.end(), .answer(first, rows: rows))
        expectEqual(machine.cancel(first), .none)
        expectEqual(machine.phase, .idle)
    }

    @Test func `cancelling another call does not touch the restore that runs`() {
        var machine = running()
        machine.add(rows)
        expectEqual(machine.cancel(second), .none)
        expectEqual(machine.end(), .answer(first, rows: rows))
    }

    @Test func `nothing is remembered of calls that have ended`() {
        var machine = running()
        machine.add(rows)
        _ = machine.end()
        expectEqual(machine.begin(second), true)
        machine.add(rows)
        _ = machine.cancel(second)
        _ = machine.end()
        expectEqual(machine.cancel(second), .none)
        expectEqual(remembered(by: machine), 0)
    }
}
