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
        #expect(!machine.isRunning)
        #expect(machine.begin(first) == .start)
        #expect(machine.isRunning)
        #expect(machine.begin(second) == .refuse)
        #expect(machine.end() == .answer(first, rows: []), "the one that was refused has not taken the place of the first")
    }

    @Test func `another one starts as soon as the first is over`() {
        var machine = running()
        #expect(machine.end() == .answer(first, rows: []))
        #expect(!machine.isRunning)
        #expect(machine.begin(second) == .start)
    }

    @Test func `rows are kept, in order, until the end`() {
        var machine = running()
        #expect(machine.claim([rows[0]]) == .claimed(first))
        #expect(machine.claim([rows[1]]) == .claimed(first))
        #expect(machine.end() == .answer(first, rows: rows))
    }

    @Test func `rows that come when none runs are nobody's`() {
        var machine = RestoreStateMachine()
        #expect(machine.claim(rows) == .notRunning)
        #expect(machine.begin(first) == .start)
        #expect(machine.end() == .answer(first, rows: []), "what came before is not this restore's")
        #expect(machine.claim(rows) == .notRunning)
    }

    @Test func `the rows of one restore are not the next one's`() {
        var machine = running()
        #expect(machine.claim(rows) == .claimed(first))
        _ = machine.end()
        #expect(machine.begin(second) == .start)
        #expect(machine.end() == .answer(second, rows: []))
    }

    @Test func `an end that nobody asked for is ignored`() {
        var machine = RestoreStateMachine()
        #expect(machine.end() == .notRunning)
        _ = machine.begin(first)
        _ = machine.end()
        #expect(machine.end() == .notRunning)
    }
}

// Time-outs and cancellations.
extension RestoreStateMachineTests {
    @Test func `a restore that times out is over, with the rows that came`() {
        var machine = running()
        #expect(machine.claim(rows) == .claimed(first))
        #expect(machine.timeOut(first) == .answer(first, rows: rows))
        #expect(!machine.isRunning)
        #expect(machine.timeOut(first) == .notRunning)
    }

    @Test func `the time-out of a restore that is over does not end the next one`() {
        var machine = running()
        _ = machine.end()
        #expect(machine.begin(second) == .start)
        #expect(machine.timeOut(first) == .notRunning)
        #expect(machine.isRunning)
        #expect(machine.end() == .answer(second, rows: []))
    }

    @Test func `cancelling the wait gives the rows away and lets the restore go on`() {
        var machine = running()
        #expect(machine.claim([rows[0]]) == .claimed(first))
        #expect(machine.cancel(first) == .abandon(rows: [rows[0]]))
        #expect(remembered(by: machine) == 0, "what was given away is not kept")
        #expect(machine.isRunning)
        #expect(machine.begin(second) == .refuse)
        #expect(machine.claim([rows[1]]) == .unawaited(first))
        #expect(machine.end() == .unawaited(first))
        #expect(machine.begin(second) == .start)
    }

    @Test func `a restore nobody waits for times out without an answer`() {
        var machine = running()
        _ = machine.cancel(first)
        #expect(machine.timeOut(first) == .unawaited(first))
        #expect(!machine.isRunning)
    }

    @Test func `a second cancellation gives nothing away again`() {
        var machine = running()
        _ = machine.claim(rows)
        #expect(machine.cancel(first) == .abandon(rows: rows))
        #expect(machine.cancel(first) == .remember)
    }

    @Test func `a cancellation that overtakes its call stops it before StoreKit is asked`() {
        var machine = RestoreStateMachine()
        #expect(machine.cancel(first) == .remember)
        #expect(machine.begin(first) == .cancelled)
        #expect(!machine.isRunning)
        #expect(machine.begin(second) == .start)
    }

    @Test func `a cancelled call is told so, rather than that another one runs`() {
        var machine = running()
        #expect(machine.cancel(second) == .remember)
        #expect(machine.begin(second) == .cancelled)
    }

    @Test func `cancelling another call does not touch the restore that runs`() {
        var machine = running()
        _ = machine.claim(rows)
        #expect(machine.cancel(second) == .remember)
        #expect(machine.end() == .answer(first, rows: rows))
    }

    @Test func `nothing is remembered of calls that have ended`() {
        var machine = RestoreStateMachine()
        #expect(machine.cancel(first) == .remember)
        #expect(machine.begin(first) == .cancelled)
        #expect(machine.begin(second) == .start)
        _ = machine.claim(rows)
        _ = machine.end()
        #expect(machine.cancel(second) == .remember)
        machine.forget(second)
        #expect(remembered(by: machine) == 0)
    }
}
