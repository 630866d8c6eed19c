import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// `release(after:)`: an undelivered purchase is offered again after a pause.
@Suite(.bounded) struct StoreReleaseTests {
    private let token = TransactionToken.entry(11)

    /// A store that has offered the transaction to its subscribers.
    private func offered() -> StoreStateMachine {
        var store = StoreStateMachine()
        expectEqual(store.report(.entry(11, .purchased)).offered.count, 1)
        return store
    }

    /// Releases the transaction, and returns the timer that is started, with its seconds.
    private func release(_ store: inout StoreStateMachine, after seconds: TimeInterval? = nil) -> (
        timer: StoreTimer, seconds: TimeInterval
    )? {
        store.release(token, after: seconds)
        for case .start(let timer, let seconds) in store.perform() { return (timer, seconds) }
        return nil
    }

    /// The pause that the policy chooses for the transaction, computed from the dates.
    private func pause(asked: TimeInterval) -> TimeInterval {
        let key = StoreTransaction.entry(11, .purchased).deliveryKey
        let now = StoreStateMachine().now
        return DeliveryRetryPolicy().pause(failures: 1, asked: asked, because: nil, key: key, now: now).end
            .timeIntervalSince(now)
    }

    static let scripts = [
        Script(
            "a released purchase is offered again after the pause, and not before, also to new subscribers",
            """
            report 11 purchased → offer 11, release 11 after 5 → retry 7, outstanding → none, held → pendingRetry
            retries → 1, retry at 10 → offer 11, retries → 0, outstanding → 11
            """),
        Script(
            "a caller can release the purchase that answered the call",
            "buy a → submit coins, report 11 purchased → a: 11, release 11 after 1 → retry 1, retry at 2 → offer 11"),
        Script(
            "an installed delivery delivers the purchase after the pause, as a further attempt",
            """
            report 11 purchased → offer 11, release 11 after 5 → retry 7
            install, perform → deliver 11 again unsolicited attempt 1 + stop retry, retry at 10 → none
            accept 1 → notice + finish 11 + offer 11 delivered
            """),
        Script(
            "a purchase that leaves the queue during the pause is forgotten afterwards",
            """
            report 11 purchased → offer 11, release 11 after 5 → retry 7, remove 11 → forget 11
            retry at 10 → none, retries → 0
            """),
        Script(
            "a purchase that is finished during its pause leaves nothing for a delivery that is installed later",
            """
            report 11 purchased → offer 11, release 11 after 5 → retry 7, finish 11 → stop retry + finish 11, retries → 0
            install, perform → none
            """),
        Script(
            "a purchase that waits for its pause is delivered by the closure of the call that it answers",
            """
            report 11 purchased → offer 11, release 11 after 5 → retry 7, buy a closure → submit coins
            answers a 11 purchased → stop retry + a: 11 older, retries → 0, close 11 → finish 11
            """),
        Script(
            "without a pause the purchase is offered again at once",
            "report 11 purchased → offer 11, release 11 after 0 → offer 11"),
        Script(
            "a purchase that is delivered, finished or released elsewhere isn't released",
            """
            install, report 11 purchased → deliver 11 unsolicited, release 11 → none
            silence 30, report 11 purchased → offer 11, finish 11 → finish 11, release 11 → none
            silence 30, report 11 purchased → offer 11, release 11 → retry 1, release 11 → none
            silence 30, release 11 → none, retries → 0
            """),
    ]

    @Test(arguments: scripts) func `a released purchase is offered again`(script: Script) {
        var store = StoreScript()
        script.play { store.perform($0) }
    }

    @Test func `without a number the pause grows with each release, up to an hour`() throws {
        var store = offered()
        let policy = DeliveryRetryPolicy()
        let key = StoreTransaction.entry(11, .purchased).deliveryKey
        for attempt in 1...12 {
            let retry = try #require(release(&store))
            let pause = policy.pause(failures: attempt, asked: nil, because: nil, key: key, now: store.now)
            expectEqual(retry.seconds, pause.end.timeIntervalSince(store.now))
            _ = store.fire(retry.timer, at: .seconds(Double(attempt) * 3_600))
        }
    }

    @Test(arguments: [0.5, 86_400, 1e9, .infinity])
    func `a requested pause is the policy's`(asked: TimeInterval) throws {
        var store = offered()
        expectEqual(try #require(release(&store, after: asked)).seconds, pause(asked: asked))
    }

    @Test func `each release is an attempt of a delivery that is installed later`() throws {
        var store = offered()
        for attempt in 1...3 {
            let retry = try #require(release(&store, after: 5))
            var installed = store
            installed.deliveryInstalled()
            expectEqual(installed.perform().deliveries.first?.job.attempt, attempt)
            expectEqual(store.fire(retry.timer, at: .seconds(Double(attempt) * 5)).offered.count, 1)
        }
    }

    @Test func `a purchase that is finished during the pause is neither offered nor delivered afterwards`() throws {
        for isInstalledLater in [false, true] {
            var store = offered()
            let retry = try #require(release(&store, after: 5))
            #expect(throws: Never.self) { try store.finish(token).get() }
            expectEqual(store.perform().finished, [token])
            if isInstalledLater {
                store.deliveryInstalled()
                let actions = store.perform()
                #expect(actions.deliveries.isEmpty)
                #expect(actions.finished.isEmpty)
            }
            #expect(store.fire(retry.timer, at: .seconds(5)).deliveries.isEmpty)
            #expect(store.perform().offered.isEmpty)
            expectEqual(store.diagnostics(isRestoring: false).pendingRetries, 0)
        }
    }
}
