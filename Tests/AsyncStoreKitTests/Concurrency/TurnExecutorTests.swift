import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct TurnExecutorTests {
    private actor Counter {
        nonisolated let executor = TurnExecutor()
        private(set) var count = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func add() { count += 1 }

        func pass(_ gate: Gate) async {
            await gate.pass()
            add()
        }

        /// False when it is another's turn.
        nonisolated func addHere() -> Bool { executor.takeTurn { assumeIsolated { $0.add() } } }
    }

    private let counter = Counter()

    @Test func `a turn is taken on the caller's own thread, before the call returns`() async {
        var threads: [Bool] = []
        let thread = pthread_self()
        let isHere = counter.executor.takeTurn { threads.append(pthread_equal(thread, pthread_self()) != 0) }
        #expect(isHere && threads == [true])
        #expect(counter.addHere())
        #expect(await counter.count == 1)
    }

    @Test func `jobs run where nobody takes turns, in their order`() async {
        for _ in 0..<100 { await counter.add() }
        #expect(await counter.count == 100)
    }

    @Test func `there is no turn inside a turn`() {
        var inner: Bool?
        let outer = counter.executor.takeTurn { inner = counter.addHere() }
        #expect(outer && inner == false)
    }

    @Test func `whoever has the turn is isolated, and nobody else`() {
        let executor = counter.executor
        var isIsolated = [executor.isIsolatingCurrentContext()]
        _ = executor.takeTurn { isIsolated.append(executor.isIsolatingCurrentContext()) }
        isIsolated.append(executor.isIsolatingCurrentContext())
        #expect(isIsolated == [false, true, false])
    }

    @Test func `jobs that come during a turn run after it`() async throws {
        let counter = counter
        let added = Recorder<Int>()
        _ = counter.executor.takeTurn {
            for number in 0..<10 {
                Task.detached {
                    await counter.add()
                    added.record(number)
                }
            }
            counter.assumeIsolated { #expect($0.count == 0) }
        }
        _ = try await added.first(10)
        #expect(await counter.count == 10)
    }

    @Test func `a job that waits leaves the turn to others`() async throws {
        let gate = Gate()
        let counter = counter
        let passing = Task { await counter.pass(gate) }
        try await gate.arrivals(1)
        await counter.add()
        #expect(await counter.count == 1)
        gate.open()
        await passing.value
        #expect(await counter.count == 2)
    }

    @Test func `turns and jobs from many threads exclude each other, and none is lost`() async {
        let counter = counter
        let turns = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var turns = 0
                    for number in 0..<2_000 {
                        if number.isMultiple(of: 2), counter.addHere() { turns += 1 } else { await counter.add() }
                    }
                    return turns
                }
            }
            return await group.reduce(0, +)
        }
        #expect(await counter.count == 16_000)
        #expect(turns > 0)
    }
}
