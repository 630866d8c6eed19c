import TestHarness
import Testing

@testable import AsyncStoreKit

/// Answers that report a delivery come after the finish of its transaction, over a backend that takes time to finish.
@Suite(.bounded) struct StoreFinishTests {
    /// The installed delivery has the purchase of call a.
    private static let delivering =
        "slow, install, buy a → submit coins, report 11 purchased → deliver 11 requested"
    /// The installed delivery has accepted it, and the transaction isn't finished.
    private static let accepted = "\(delivering), accept 1 → notice + finish 11 + answer 5"

    static let scripts = [
        Script(
            "a purchase for the installed delivery is answered when its transaction is finished",
            """
            \(accepted), finished 99 → none, finished 11 → a: 11 delivered, finished 11 → none
            """),
        Script(
            "a rejection is reported when its transaction is finished",
            "\(delivering), reject 1 → error + finish 11 + answer 5, finished 11 → a: a joke"),
        Script(
            "a delivery that will be tried again is reported at once, because nothing is finished",
            "\(delivering), delay 1 → warning + a: deliveryPending + retry 7"),
        Script(
            "an answer waits five seconds at most for the App Store, each from its own beginning",
            """
            \(accepted), buy b gems at 2 → submit gems, report 12 purchased of gems at 2 → deliver 12 requested
            accept 2 at 2 → notice + finish 12, limit at 5 → a: 11 delivered + answer 2
            limit at 7 → b: 12 delivered, heldAnswers → 0, finished 11 → none
            """),
        Script("a clock that is set back doesn't extend the wait", "\(accepted), limit at -3600 → a: 11 delivered"),
        Script("a canceled call doesn't wait for the finish", "\(accepted), cancel a → a: 11 delivered"),
        Script("a closed store answers at once", "\(accepted), releaseAnswers → a: 11 delivered"),
        Script(
            "a store whose queue has ended finishes nothing, and answers at once",
            "\(delivering), terminate, accept 1 → notice + a: 11 delivered"),
        Script(
            "finish() is answered when the transaction is finished, also a second call meanwhile",
            """
            slow, buy a → submit coins, report 11 purchased → a: 11, finishes x 11 → finish 11 + answer 5
            finishes y 11 → none, finished 11 → x: finished + y: finished
            finishes z 11 → z: transactionFinished
            """),
    ]

    @Test(arguments: scripts) func `an answer comes after the finish`(script: Script) {
        var store = StoreScript()
        script.play { store.perform($0) }
    }

    @Test func `a closure with several purchases is answered when all are finished`() {
        let (call, token) = (CallID(), TransactionToken.entry(11))
        var store = StoreStateMachine()
        store.answers.waitsForFinish = true
        store.requestFinish(token)
        store.requestFinish(.entry(12))
        store.answer(call, afterFinishing: [token, .entry(12), .entry(13)])
        store.finished(.entry(12))
        expectEqual(store.perform().filter { $0 == .answer(call, nil) }, [])
        store.finished(token)
        expectEqual(store.perform(), [.answer(call, nil)])
    }

    @Test func `downloaded content is kept until its handler has processed every report`() {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        store.contentReports = [:]
        func change(_ number: UInt64) -> [StoreDownload] {
            let id = StoreDownload.ID(transaction: .entry(number), index: 0)
            return [StoreDownload(id: id, contentID: "level", contentLength: 1)]
        }
        // The first is delivered while its content is downloaded, the second after it.
        for number: UInt64 in 1...2 {
            let job = store.report(.entry(number, .purchased, hasUnfinishedDownloads: true)).deliveries[0].job
            if number == 2 { store.downloadsChanged(change(number)) }
            _ = store.report(.entry(number, .purchased, hasUnfinishedDownloads: number == 1))
            store.deliveryEnded(job.id, .accepted)
            if number == 1 { store.downloadsChanged(change(number)) }
            _ = store.report(.entry(number, .purchased))
            expectEqual(store.perform().finished, [])
            store.contentHandled(change(number))
            expectEqual(store.perform().finished, [.entry(number)])
        }
    }
}
