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
        expectEqual(machine.end(), .answer(first, rows: []), "the refused restore hasn't replaced the first")
    }

    @Test func `a restore can start as soon as the previous one has ended`() {
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
        expectEqual(machine.end(), .answer(first, rows: []), "earlier rows don't belong to this restore")
        machine.add(rows)
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `the rows of one restore don't belong to the next one`() {
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
    @Test func `a restore that times out ends with the rows so far`() {
        var machine = running()
        machine.add(rows)
        expectEqual(machine.timeOut(first), .answer(first, rows: rows))
        expectEqual(machine.phase, .idle)
        expectEqual(machine.timeOut(first), .notRunning)
    }

    @Test func `the timeout of a restore that has ended doesn't end the next one`() {
        var machine = running()
        _ = machine.end()
        expectEqual(machine.begin(second), true)
        expectEqual(machine.timeOut(first), .notRunning)
        expectEqual(machine.phase, .awaited(second))
        expectEqual(machine.end(), .answer(second, rows: []))
    }

    @Test func `canceling the wait returns the rows, and the restore continues`() {
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

    @Test func `a second cancellation returns no rows`() {
        var machine = running()
        machine.add(rows)
        expectEqual(machine.cancel(first), .abandon(rows: rows))
        expectEqual(machine.cancel(first), .none)
        expectEqual(machine.phase, .abandoned(first))
    }

    @Test func `canceling a restore that has ended changes nothing`() {
        var machine = running()
        machine.add(rows)
        expectEqual(machine.end(), .answer(first, rows: rows))
        expectEqual(machine.cancel(first), .none)
        expectEqual(machine.phase, .idle)
    }

    @Test func `canceling another call doesn't affect the running restore`() {
        var machine = running()
        machine.add(rows)
        expectEqual(machine.cancel(second), .none)
        expectEqual(machine.end(), .answer(first, rows: rows))
    }

    @Test func `calls that have ended use no memory`() {
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
