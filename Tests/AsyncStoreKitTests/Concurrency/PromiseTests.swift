import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PromiseTests {
    private let promise = Promise<Int>()

    @Test func `a fulfilled value waits for its reader`() async {
        #expect(!promise.isFulfilled)
        promise.fulfill(1)
        #expect(promise.isFulfilled)
        expectEqual(await promise.value(), 1)
    }

    @Test func `values after the first one are ignored`() async {
        promise.fulfill(1)
        promise.fulfill(2)
        expectEqual(await promise.value(), 1)
    }

    @Test func `a value reaches the task that waits for it, whichever comes first`() async {
        for round in 0..<1_000 {
            let promise = Promise<Int>()
            async let value = promise.value()
            promise.fulfill(round)
            expectEqual(await value, round)
        }
    }

    @Test func `the cancellation of a waiting task is passed on, and can fulfill the promise`() async {
        let cancellations = Recorder<Int>()
        let task = Task { [promise] in
            await promise.value {
                cancellations.record(1)
                promise.fulfill(-1)
            }
        }
        task.cancel()
        expectEqual(await task.value, -1)
        expectEqual(cancellations.elements, [1])
    }

    @Test func `a cancellation after the value was received isn't passed on`() async throws {
        let cancellations = Recorder<Int>()
        let returnedToCaller = Gate()
        promise.fulfill(7)
        let task = Task { [promise] in
            let value = await promise.value { cancellations.record(1) }
            await returnedToCaller.pass()
            return value
        }
        try await returnedToCaller.arrivals(1)
        task.cancel()
        returnedToCaller.open()
        expectEqual(await task.value, 7)
        #expect(cancellations.elements.isEmpty)
    }
}
