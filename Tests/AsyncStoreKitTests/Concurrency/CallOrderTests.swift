import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct CallOrderTests {
    private let clock = SimulatedClock()
    private let passed = Recorder<Int>()
    private let ids = (0..<4).map { _ in CallID() }

    private func order() -> CallOrder {
        let order = CallOrder(clock: clock)
        for id in ids { order.enter(id) }
        return order
    }

    private func pass(_ call: Int, in order: CallOrder) {
        order.pass(ids[call]) { [passed] in passed.record(call) }
    }

    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]])
    func `outcomes are passed on in the order of the calls`(arrivals: [Int]) {
        let order = order()
        for call in arrivals { pass(call, in: order) }
        expectEqual(passed.elements, [0, 1, 2, 3])
    }

    @Test func `an outcome waits three seconds for earlier ones, which lose their places`() async throws {
        let order = order()
        pass(2, in: order)
        pass(0, in: order)
        try await clock.waitForSleepers(1, duration: 3)
        expectEqual(passed.elements, [0])
        clock.advance(by: 3)
        expectEqual(try await passed.first(2), [0, 2])
        pass(1, in: order)
        pass(3, in: order)
        // The thread of the timer may still perform, and then performs these, too.
        expectEqual(try await passed.first(4), [0, 2, 1, 3])
    }

    @Test func `a call that leaves blocks no other call, and its own outcome is passed on at once`() {
        let order = order()
        pass(1, in: order)
        order.leave(ids[0])
        expectEqual(passed.elements, [1])
        pass(3, in: order)
        order.leave(ids[3])
        expectEqual(passed.elements, [1, 3])
        pass(0, in: order)
        expectEqual(passed.elements, [1, 3, 0])
    }

    @Test func `an outcome that arrives while another is passed on comes after it`() {
        let order = order()
        order.pass(ids[0]) { [passed, ids] in
            order.pass(ids[1]) { passed.record(1) }
            passed.record(0)
        }
        expectEqual(passed.elements, [0, 1])
    }

    @Test func `a call without an outcome doesn't keep the order alive`() {
        weak let gone: CallOrder?
        do {
            let order = order()
            pass(1, in: order)
            gone = order
        }
        #expect(gone == nil)
    }
}
