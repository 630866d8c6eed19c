import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct SharedRequestStateMachineTests {
    typealias Machine = SharedRequestStateMachine<String, Int>

    private let ada = CallID()
    private let bob = CallID()
    private let eve = CallID()

    /// Wants the keys; the flight that is to be started for them, with its keys.
    private func wait(_ machine: inout Machine, _ id: CallID, _ keys: Set<String>) throws -> (flight: CallID, keys: Set<String>) {
        guard case .wait(let flight, let missing) = machine.request(id, keys) else {
            throw StoreError(.unknown, "The call did not have to wait.")
        }
        return (flight, missing)
    }

    /// Wants the keys, which are known.
    private func answer(_ machine: inout Machine, _ id: CallID, _ keys: Set<String>) throws -> [String: Int] {
        guard case .answer(let answer) = machine.request(id, keys) else {
            throw StoreError(.unknown, "The call had to wait.")
        }
        return answer
    }

    private func values(_ answers: [(CallID, Result<[String: Int], StoreError>)]) throws -> [CallID: [String: Int]] {
        try Dictionary(uniqueKeysWithValues: answers.map { ($0, try $1.get()) })
    }

    @Test func `missing values are requested, and answers are cached`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, keys) = try wait(&machine, ada, ["a", "b"])
        expectEqual(keys, ["a", "b"])
        expectEqual(machine["a"], nil)
        expectEqual(try values(machine.succeed(flight, ["a": 1, "b": 2])), [ada: ["a": 1, "b": 2]])
        expectEqual(machine["a"], 1)
        expectEqual(try answer(&machine, bob, ["a", "b"]), ["a": 1, "b": 2])
    }

    @Test func `no keys are answered at once`() throws {
        var machine = Machine(keepsAnswers: true)
        expectEqual(try answer(&machine, ada, []), [:])
    }

    @Test func `a machine that keeps no answers asks every time`() throws {
        var machine = Machine(keepsAnswers: false)
        let (first, _) = try wait(&machine, ada, ["a"])
        expectEqual(try values(machine.succeed(first, ["a": 1])), [ada: ["a": 1]])
        expectEqual(machine["a"], nil)
        let (second, keys) = try wait(&machine, bob, ["a"])
        #expect(second != first)
        expectEqual(keys, ["a"])
    }

    @Test func `a key that was not answered is not known, and asked for again`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a", "unknown"])
        expectEqual(try values(machine.succeed(flight, ["a": 1])), [ada: ["a": 1]])
        expectEqual(machine["unknown"], nil)
        expectEqual(try wait(&machine, bob, ["a", "unknown"]).keys, ["unknown"])
    }

    @Test func `the same keys share one request`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a"])
        #expect(try wait(&machine, bob, ["a"]).keys.isEmpty)
        expectEqual(try values(machine.succeed(flight, ["a": 1])), [ada: ["a": 1], bob: ["a": 1]])
    }

    @Test func `overlapping sets request only missing keys, and wait for all of them`() throws {
        var machine = Machine(keepsAnswers: true)
        let (first, _) = try wait(&machine, ada, ["a", "b"])
        let (second, keys) = try wait(&machine, bob, ["b", "c"])
        expectEqual(keys, ["c"])
        #expect(try values(machine.succeed(second, ["c": 3])).isEmpty, "half of it has come")
        let answers = try values(machine.succeed(first, ["a": 1, "b": 2]))
        expectEqual(answers, [ada: ["a": 1, "b": 2], bob: ["b": 2, "c": 3]], "everybody gets what they wanted, and nothing else")
    }

    @Test func `cached keys aren't requested again with missing ones`() throws {
        var machine = Machine(keepsAnswers: true)
        let (first, _) = try wait(&machine, ada, ["a"])
        _ = machine.succeed(first, ["a": 1])
        let (second, keys) = try wait(&machine, bob, ["a", "b"])
        expectEqual(keys, ["b"])
        expectEqual(try values(machine.succeed(second, ["b": 2])), [bob: ["a": 1, "b": 2]])
    }

    @Test func `a request ends once, whatever comes afterwards`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a"])
        expectEqual(machine.succeed(flight, ["a": 1]).count, 1)
        #expect(machine.succeed(flight, ["a": 2]).isEmpty)
        expectEqual(machine["a"], 1)
        let failure = machine.fail(flight)
        #expect(failure.callers.isEmpty)
        #expect(failure.abandoned.isEmpty)
    }
}

// Failures.
extension SharedRequestStateMachineTests {
    @Test func `a failure fails everybody who waits for it, and is not remembered`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a"])
        _ = try wait(&machine, bob, ["a"])
        let failure = machine.fail(flight)
        expectEqual(Set(failure.callers), [ada, bob])
        expectEqual(failure.callers.count, 2)
        #expect(failure.abandoned.isEmpty)
        #expect(machine.succeed(flight, ["a": 1]).isEmpty)
        expectEqual(machine["a"], nil)
        expectEqual(try wait(&machine, eve, ["a"]).keys, ["a"])
    }

    @Test func `a failure abandons what only those wanted whom it failed`() throws {
        var machine = Machine(keepsAnswers: true)
        let (shared, _) = try wait(&machine, ada, ["a"])
        let (own, _) = try wait(&machine, bob, ["a", "b"])
        let failure = machine.fail(shared)
        expectEqual(Set(failure.callers), [ada, bob])
        expectEqual(failure.abandoned, [own])
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `a failure leaves alone what others still want`() throws {
        var machine = Machine(keepsAnswers: true)
        let (shared, _) = try wait(&machine, ada, ["a"])
        let (own, _) = try wait(&machine, bob, ["a", "b"])
        _ = try wait(&machine, eve, ["b"])
        let failure = machine.fail(shared)
        #expect(failure.abandoned.isEmpty)
        expectEqual(try values(machine.succeed(own, ["b": 2])), [eve: ["b": 2]])
    }
}

// Cancellations.
extension SharedRequestStateMachineTests {
    @Test func `cancelling one caller leaves the request to the other`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a"])
        _ = try wait(&machine, bob, ["a"])
        let cancellation = machine.cancel(ada)
        #expect(cancellation.answers)
        #expect(cancellation.abandoned.isEmpty)
        expectEqual(try values(machine.succeed(flight, ["a": 1])), [bob: ["a": 1]])
    }

    @Test func `cancelling the last caller abandons the request, and frees its keys`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a"])
        let cancellation = machine.cancel(ada)
        #expect(cancellation.answers)
        expectEqual(cancellation.abandoned, [flight])
        let (next, keys) = try wait(&machine, bob, ["a"])
        expectEqual(keys, ["a"])
        #expect(machine.succeed(flight, ["a": 1]).isEmpty, "the late answer of the abandoned request is nobody's")
        expectEqual(machine["a"], nil)
        expectEqual(try values(machine.succeed(next, ["a": 2])), [bob: ["a": 2]])
    }

    @Test func `cancelling a call abandons only the requests that no other call waits for`() throws {
        var machine = Machine(keepsAnswers: true)
        let (shared, _) = try wait(&machine, ada, ["a"])
        let (own, _) = try wait(&machine, bob, ["a", "b"])
        expectEqual(machine.cancel(bob).abandoned, [own])
        expectEqual(try values(machine.succeed(shared, ["a": 1])), [ada: ["a": 1]])
    }

    @Test func `a cancelled call is answered once`() throws {
        var machine = Machine(keepsAnswers: true)
        _ = try wait(&machine, ada, ["a"])
        expectEqual(machine.cancel(ada).answers, true)
        expectEqual(machine.cancel(ada).answers, false)
    }

    @Test func `a call that was never made, or has been answered, is not there to be cancelled`() throws {
        var machine = Machine(keepsAnswers: true)
        expectEqual(machine.cancel(ada).answers, false)
        let (flight, _) = try wait(&machine, ada, ["a"])
        _ = machine.succeed(flight, ["a": 1])
        let cancellation = machine.cancel(ada)
        expectEqual(cancellation.answers, false)
        #expect(cancellation.abandoned.isEmpty)
        expectEqual(try answer(&machine, ada, ["a"]), ["a": 1], "and nothing of it is remembered")
    }
}

// Out of date.
extension SharedRequestStateMachineTests {
    @Test func `invalidation empties the cache`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a"])
        _ = machine.succeed(flight, ["a": 1])
        machine.invalidate()
        expectEqual(machine["a"], nil)
        expectEqual(try wait(&machine, bob, ["a"]).keys, ["a"])
    }

    @Test func `a request from before an invalidation answers its calls, and no later ones`() throws {
        var machine = Machine(keepsAnswers: true)
        let (old, _) = try wait(&machine, ada, ["a"])
        machine.invalidate()
        let (new, keys) = try wait(&machine, bob, ["a"])
        #expect(new != old)
        expectEqual(keys, ["a"])
        expectEqual(try values(machine.succeed(old, ["a": 1])), [ada: ["a": 1]])
        expectEqual(machine["a"], nil, "the old answer is not kept")
        #expect(try wait(&machine, eve, ["a"]).keys.isEmpty, "the new request is shared after the old one's end")
        expectEqual(try values(machine.succeed(new, ["a": 2])), [bob: ["a": 2], eve: ["a": 2]])
        expectEqual(machine["a"], 2)
    }

    @Test func `answers to requests from after an invalidation are cached, also after a second one`() throws {
        var machine = Machine(keepsAnswers: true)
        machine.invalidate()
        machine.invalidate()
        let (flight, _) = try wait(&machine, ada, ["a"])
        _ = machine.succeed(flight, ["a": 1])
        expectEqual(machine["a"], 1)
    }
}

// What is remembered.
extension SharedRequestStateMachineTests {
    @Test func `nothing but answers is remembered of calls that have ended`() throws {
        var machine = Machine(keepsAnswers: true)
        let (first, _) = try wait(&machine, ada, ["a"])
        _ = try wait(&machine, bob, ["a", "b"])
        _ = machine.fail(first)
        let (second, _) = try wait(&machine, eve, ["c"])
        _ = machine.cancel(eve)
        _ = machine.succeed(second, ["c": 3])
        expectEqual(machine.cancel(ada).answers, false)
        _ = machine.cancel(CallID())
        expectEqual(remembered(by: machine), 0)

        let (kept, _) = try wait(&machine, CallID(), ["k"])
        machine.invalidate()
        _ = machine.succeed(kept, ["k": 1])
        expectEqual(remembered(by: machine), 0)
        let (known, _) = try wait(&machine, CallID(), ["k"])
        _ = machine.succeed(known, ["k": 1])
        expectEqual(remembered(by: machine), 1, "the one answer")
    }
}

// How long answers are used again.
extension SharedRequestStateMachineTests {
    private func machine(knowing keys: Set<String>, lifetime: TimeInterval = .infinity) throws -> Machine {
        var machine = Machine(keepsAnswers: true, lifetime: lifetime)
        guard case .wait(let flight, _) = machine.request(CallID(), keys, now: .seconds(0)) else { throw BrokenPromise(message: "known") }
        _ = machine.succeed(flight, Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }), now: .seconds(100))
        return machine
    }

    /// What has to be asked for.
    private func missing(
        _ keys: Set<String>, of machine: Machine, anew: Bool = false, at seconds: TimeInterval
    ) -> Set<String> {
        var machine = machine
        guard case .wait(_, let missing) = machine.request(CallID(), keys, anew: anew, now: .seconds(seconds)) else { return [] }
        return missing
    }

    @Test func `an answer is recent from the moment it came, until its lifetime is over or the clock is set back`() throws {
        let machine = try machine(knowing: ["a"], lifetime: 60)
        #expect(missing(["a"], of: machine, at: 100).isEmpty)
        #expect(missing(["a"], of: machine, at: 159).isEmpty)
        expectEqual(missing(["a"], of: machine, at: 160), ["a"])
        expectEqual(missing(["a"], of: machine, at: 99), ["a"])
        #expect(machine["a"] != nil, "it is known all the same")
    }

    @Test func `a lifetime of nothing, or of no number, makes no answer recent`() throws {
        for lifetime in [0, -1, Double.nan] {
            expectEqual(missing(["a"], of: try machine(knowing: ["a"], lifetime: lifetime), at: 100), ["a"])
        }
    }

    @Test func `a stale value is known, and not recent`() throws {
        var machine = try machine(knowing: ["a", "b"])
        machine.markStale()
        expectEqual(missing(["a", "b"], of: machine, at: 100), ["a", "b"])
        #expect(machine["a"] != nil && machine["b"] != nil)
    }

    @Test func `a call that ignores the cache shares running requests`() throws {
        var machine = try machine(knowing: ["a"])
        guard case .wait(let flight, ["a"]) = machine.request(CallID(), ["a"], anew: true, now: .seconds(101)) else {
            throw BrokenPromise(message: "it was not asked for anew")
        }
        expectEqual(missing(["a", "b"], of: machine, anew: true, at: 101), ["b"])
        // And what is not there any more is not known any more.
        expectEqual(machine.succeed(flight, [:], now: .seconds(102)).count, 1)
        expectEqual(machine["a"], nil)
    }
}
