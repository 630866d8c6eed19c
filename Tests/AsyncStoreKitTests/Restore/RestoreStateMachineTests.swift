import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct RestoreStateMachineTests {
    /// A restore with its calls. Rows are numbered; `add 1 2` adds two of them at once.
    private struct Restoring {
        var machine = RestoreStateMachine()
        var calls = CallNames()

        mutating func perform(_ step: Script.Step) -> String? {
            switch step.verb {
            case "begin": return Script.answer(machine.restoreRequested(calls.id(step[0])))
            case "add":
                machine.rowsReported(step.arguments.compactMap { UInt64($0) }.map(RestoreStateMachineTests.row))
                return nil
            case "end": return describe(machine.restoreEnded())
            case "timeOut": return describe(machine.timeOut(calls.id(step[0])))
            case "cancel": return machine.cancel(calls.id(step[0])).map { "abandons with \(describe($0))" } ?? "none"
            case "phase": return describe(machine.phase)
            case "id": return calls.name(of: machine.phase.id)
            case "remembered": return "\(remembered(by: machine))"
            default: return step.unknown
            }
        }

        private func describe(_ phase: RestoreStateMachine.Phase) -> String {
            switch phase {
            case .idle: "idle"
            case .awaited(let id): "awaited by \(calls.name(of: id))"
            case .abandoned(let id): "abandoned by \(calls.name(of: id))"
            }
        }

        private func describe(_ ended: RestoreStateMachine.Ended) -> String {
            switch ended.phase {
            case .idle: "not running"
            case .abandoned(let id): "unawaited \(calls.name(of: id)) with \(describe(ended.rows))"
            case .awaited(let id): "answers \(calls.name(of: id)) with \(describe(ended.rows))"
            }
        }

        /// The numbers of the rows, if they are unchanged.
        private func describe(_ rows: [StoreTransaction]) -> String {
            Script.list(rows.map { $0 == row($0.token.serial) ? "\($0.token.serial)" : "\($0)" })
        }
    }

    private static func row(_ number: UInt64) -> StoreTransaction {
        .entry(number, .restored, of: number == 1 ? "coins" : "gems")
    }

    static let scripts = [
        // The refused restore hasn't replaced the first.
        Script(
            "one restore runs at a time",
            """
            phase → idle, id → none, begin a → yes, phase → awaited by a
            begin b → no, id → a, end → answers a with none
            """),
        Script(
            "a restore can start as soon as the previous one has ended",
            "begin a → yes, end → answers a with none, phase → idle, begin b → yes"),
        Script(
            "rows are kept, in order, until the end",
            "begin a → yes, add 1, add 2, end → answers a with 1 + 2"),
        // Earlier rows don't belong to the restore.
        Script(
            "transactions that arrive without a restore belong to no call",
            "add 1 2, begin a → yes, end → answers a with none, add 1 2, remembered → 0"),
        Script(
            "the rows of one restore don't belong to the next one",
            "begin a → yes, add 1 2, end → answers a with 1 + 2, begin b → yes, end → answers b with none"),
        Script(
            "an end without a restore is ignored",
            "end → not running, begin a → yes, end → answers a with none, end → not running"),
        // Time-outs and cancellations.
        Script(
            "a restore that times out ends with the rows so far",
            "begin a → yes, add 1 2, timeOut a → answers a with 1 + 2, phase → idle, timeOut a → not running"),
        Script(
            "the timeout of a restore that has ended doesn't end the next one",
            """
            begin a → yes, end → answers a with none, begin b → yes
            timeOut a → not running, phase → awaited by b, end → answers b with none
            """),
        // The answer to a payment may be among the rows.
        Script(
            "canceling the wait returns the rows, and the restore continues",
            """
            begin a → yes, add 1, cancel a → abandons with 1, phase → abandoned by a, id → a, begin b → no
            add 2, end → unawaited a with 1 + 2, remembered → 0, begin b → yes
            """),
        Script(
            "an abandoned restore times out without an answer",
            "begin a → yes, cancel a → abandons with none, timeOut a → unawaited a with none, phase → idle"),
        Script(
            "a second cancellation returns no rows",
            "begin a → yes, add 1 2, cancel a → abandons with 1 + 2, cancel a → none, phase → abandoned by a"),
        Script(
            "canceling a restore that has ended changes nothing",
            "begin a → yes, add 1 2, end → answers a with 1 + 2, cancel a → none, phase → idle"),
        Script(
            "canceling another call doesn't affect the running restore",
            "begin a → yes, add 1 2, cancel b → none, end → answers a with 1 + 2"),
        Script(
            "calls that have ended use no memory",
            """
            begin a → yes, add 1 2, end → answers a with 1 + 2, begin b → yes, add 1 2
            cancel b → abandons with 1 + 2, end → unawaited b with 1 + 2, cancel b → none, remembered → 0
            """),
    ]

    @Test(arguments: scripts) func `a restore ends once, with its rows`(script: Script) {
        var restoring = Restoring()
        script.play { restoring.perform($0) }
    }
}
