import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct SharedRequestStateMachineTests {
    typealias Machine = SharedRequestStateMachine<String, Int>

    private let ada = CallID()
    private let bob = CallID()
    private let eve = CallID()

    /// Requests the keys. Returns the request to start for them, with its keys.
    private func wait(_ machine: inout Machine, _ id: CallID, _ keys: Set<String>) throws -> (
        flight: CallID, keys: Set<String>
    ) {
        guard case .wait(let flight, let missing) = machine.request(id, keys) else {
            throw StoreError(.unknown, "The call doesn't wait.")
        }
        return (flight, missing)
    }

    /// Requests the keys, which are cached.
    private func answer(_ machine: inout Machine, _ id: CallID, _ keys: Set<String>) throws -> [String: Int] {
        guard case .answer(let answer) = machine.request(id, keys) else {
            throw StoreError(.unknown, "The call waits.")
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

    @Test func `a call without keys is answered at once`() throws {
        var machine = Machine(keepsAnswers: true)
        expectEqual(try answer(&machine, ada, []), [:])
    }

    @Test func `a machine that keeps no answers requests the keys every time`() throws {
        var machine = Machine(keepsAnswers: false)
        let (first, _) = try wait(&machine, ada, ["a"])
        expectEqual(try values(machine.succeed(first, ["a": 1])), [ada: ["a": 1]])
        expectEqual(machine["a"], nil)
        let (second, keys) = try wait(&machine, bob, ["a"])
        #expect(second != first)
        expectEqual(keys, ["a"])
    }

    @Test func `a key without an answer is unknown, and requested again`() throws {
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
        #expect(try values(machine.succeed(second, ["c": 3])).isEmpty, "one of the two answers has arrived")
        let answers = try values(machine.succeed(first, ["a": 1, "b": 2]))
        expectEqual(
            answers, [ada: ["a": 1, "b": 2], bob: ["b": 2, "c": 3]], "each call gets its own keys, and no others")
    }

    @Test func `cached keys aren't requested again with missing ones`() throws {
        var machine = Machine(keepsAnswers: true)
        let (first, _) = try wait(&machine, ada, ["a"])
        _ = machine.succeed(first, ["a": 1])
        let (second, keys) = try wait(&machine, bob, ["a", "b"])
        expectEqual(keys, ["b"])
        expectEqual(try values(machine.succeed(second, ["b": 2])), [bob: ["a": 1, "b": 2]])
    }

    @Test func `a request ends once, and later answers are ignored`() throws {
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
    @Test func `a failure fails every call that waits for it, and isn't cached`() throws {
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

    @Test func `a failure abandons the requests that only the failed calls wanted`() throws {
        var machine = Machine(keepsAnswers: true)
        let (shared, _) = try wait(&machine, ada, ["a"])
        let (own, _) = try wait(&machine, bob, ["a", "b"])
        let failure = machine.fail(shared)
        expectEqual(Set(failure.callers), [ada, bob])
        expectEqual(failure.abandoned, [own])
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `a failure doesn't affect the requests of other calls`() throws {
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
    @Test func `canceling one caller leaves the request to the other`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a"])
        _ = try wait(&machine, bob, ["a"])
        let cancellation = machine.cancel(ada)
        #expect(cancellation.answers)
        #expect(cancellation.abandoned.isEmpty)
        expectEqual(try values(machine.succeed(flight, ["a": 1])), [bob: ["a": 1]])
    }

    @Test func `canceling the last caller abandons the request, and frees its keys`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a"])
        let cancellation = machine.cancel(ada)
        #expect(cancellation.answers)
        expectEqual(cancellation.abandoned, [flight])
        let (next, keys) = try wait(&machine, bob, ["a"])
        expectEqual(keys, ["a"])
        #expect(machine.succeed(flight, ["a": 1]).isEmpty, "the late answer of the abandoned request reaches no call")
        expectEqual(machine["a"], nil)
        expectEqual(try values(machine.succeed(next, ["a": 2])), [bob: ["a": 2]])
    }

    @Test func `canceling a call abandons only the requests that no other call waits for`() throws {
        var machine = Machine(keepsAnswers: true)
        let (shared, _) = try wait(&machine, ada, ["a"])
        let (own, _) = try wait(&machine, bob, ["a", "b"])
        expectEqual(machine.cancel(bob).abandoned, [own])
        expectEqual(try values(machine.succeed(shared, ["a": 1])), [ada: ["a": 1]])
    }

    @Test func `a canceled call is answered once`() throws {
        var machine = Machine(keepsAnswers: true)
        _ = try wait(&machine, ada, ["a"])
        expectEqual(machine.cancel(ada).answers, true)
        expectEqual(machine.cancel(ada).answers, false)
    }

    @Test func `an unknown or answered call can't be canceled`() throws {
        var machine = Machine(keepsAnswers: true)
        expectEqual(machine.cancel(ada).answers, false)
        let (flight, _) = try wait(&machine, ada, ["a"])
        _ = machine.succeed(flight, ["a": 1])
        let cancellation = machine.cancel(ada)
        expectEqual(cancellation.answers, false)
        #expect(cancellation.abandoned.isEmpty)
        expectEqual(try answer(&machine, ada, ["a"]), ["a": 1], "the cancellation had no effect")
    }
}

// Invalidation.
extension SharedRequestStateMachineTests {
    @Test func `invalidation empties the cache`() throws {
        var machine = Machine(keepsAnswers: true)
        let (flight, _) = try wait(&machine, ada, ["a"])
        _ = machine.succeed(flight, ["a": 1])
        machine.invalidate()
        expectEqual(machine["a"], nil)
        expectEqual(try wait(&machine, bob, ["a"]).keys, ["a"])
    }

    @Test func `a request from before an invalidation answers its own calls, and no later ones`() throws {
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

// Memory.
extension SharedRequestStateMachineTests {
    @Test func `ended calls leave only their answers in memory`() throws {
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

// The lifetime of answers.
extension SharedRequestStateMachineTests {
    private func machine(knowing keys: Set<String>, lifetime: TimeInterval = .infinity) throws -> Machine {
        var machine = Machine(keepsAnswers: true, lifetime: lifetime)
        guard case .wait(let flight, _) = machine.request(CallID(), keys, now: .seconds(0)) else {
            throw BrokenPromise(message: "known")
        }
        _ = machine.succeed(flight, Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }), now: .seconds(100))
        return machine
    }

    /// Returns the keys to request.
    private func missing(
        _ keys: Set<String>, of machine: Machine, anew: Bool = false, at seconds: TimeInterval
    ) -> Set<String> {
        var machine = machine
        guard case .wait(_, let missing) = machine.request(CallID(), keys, anew: anew, now: .seconds(seconds)) else {
            return []
        }
        return missing
    }

    @Test func `an answer is recent from its arrival until its lifetime ends or the clock is set back`() throws {
        let machine = try machine(knowing: ["a"], lifetime: 60)
        #expect(missing(["a"], of: machine, at: 100).isEmpty)
        #expect(missing(["a"], of: machine, at: 159).isEmpty)
        expectEqual(missing(["a"], of: machine, at: 160), ["a"])
        expectEqual(missing(["a"], of: machine, at: 99), ["a"])
        #expect(machine["a"] != nil, "the value is still cached")
    }

    @Test func `with a lifetime of zero or NaN no answer is recent`() throws {
        for lifetime in [0, -1, Double.nan] {
            expectEqual(missing(["a"], of: try machine(knowing: ["a"], lifetime: lifetime), at: 100), ["a"])
        }
    }

    @Test func `a stale value is cached, and not recent`() throws {
        var machine = try machine(knowing: ["a", "b"])
        machine.markStale()
        expectEqual(missing(["a", "b"], of: machine, at: 100), ["a", "b"])
        #expect(machine["a"] != nil && machine["b"] != nil)
    }

    @Test func `a call that ignores the cache shares running requests`() throws {
        var machine = try machine(knowing: ["a"])
        guard case .wait(let flight, ["a"]) = machine.request(CallID(), ["a"], anew: true, now: .seconds(101)) else {
            throw BrokenPromise(message: "the key wasn't requested again")
        }
        expectEqual(missing(["a", "b"], of: machine, anew: true, at: 101), ["b"])
        // A key without an answer is no longer cached.
        expectEqual(machine.succeed(flight, [:], now: .seconds(102)).count, 1)
        expectEqual(machine["a"], nil)
    }
}
