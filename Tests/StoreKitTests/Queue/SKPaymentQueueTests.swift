import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct SKPaymentQueueTests {
    private let store = SimulatedAppStore(catalog: .samples, pacing: .manual)
    private let queue: SKPaymentQueue
    private let observer = RecordingObserver()

    init() {
        queue = SKPaymentQueue(launch: store.launch())
        queue.add(observer)
    }

    private func payment(_ identifier: String, quantity: Int = 1) -> SKMutablePayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = quantity
        return payment
    }

    /// `run` returns the events since the last `run`.
    static let scripts = [
        Script(
            "a failed restore reports the error",
            "restoreFails, restore user, run → restore failed, error → NSURLErrorDomain"),
        Script(
            "an observer that was removed receives no events", "remove, remove, observers → 0, pay coins, run → none"),
        Script(
            "an observer that is added twice receives every event once",
            "add, observers → 1, pay coins, run → coins purchasing + coins purchased"),
        Script("finishing an object that no queue created has no effect", "finishUnknown, run → none"),
        Script(
            "a purchase from the App Store waits if no observer agrees",
            "promote pro, run → asked for pro/pro"),
        Script(
            "a purchase from the App Store continues if an observer agrees",
            """
            agree, promote pro, run → asked for pro/pro + pro purchasing + pro purchased
            agreeing → asked for pro/pro + pro purchasing + pro purchased
            """),
        Script(
            "a new storefront and a refund are reported",
            """
            move JPN, run → storefront JPN, storefront → 143462
            pay pro, run → pro purchasing + pro purchased, refund pro, run → revoked pro
            """),
    ]

    @Test(arguments: scripts) func `the observer is called once for each event`(script: Script) throws {
        let willing = RecordingObserver(addsStorePayments: true)
        var seen = 0
        func list(_ events: some Sequence<String>) -> String {
            Script.list(events.map { $0.replacing(", ", with: "/") })
        }
        try script.play { step in
            switch step.verb {
            case "pay": queue.add(payment(step[0]))
            case "restoreFails": store.behavior.restoreEnding = .fails(.notConnectedToInternet, afterRows: 0)
            case "restore": queue.restoreCompletedTransactions(withApplicationUsername: step[0])
            case "add": queue.add(observer)
            case "agree": queue.add(willing)
            case "remove": queue.remove(observer)
            case "finishUnknown": queue.finishTransaction(SKPaymentTransaction())
            case "promote": try store.promotePurchase(of: step[0])
            case "refund": try store.refund(step[0])
            case "move": store.storefront = try #require(SimulatedStorefront(countryCode: step[0]))
            case "run":
                store.runUntilIdle()
                defer { seen = observer.events.count }
                return list(observer.events.dropFirst(seen))
            case "agreeing": return list(willing.events)
            case "observers": return "\(queue.transactionObservers.count)"
            case "error": return (observer.restoreFailures.first as NSError?)?.domain ?? "none"
            case "storefront": return queue.storefront?.identifier ?? "none"
            default: return step.unknown
            }
            return nil
        }
    }

    @Test func `a payment becomes one object that goes from purchasing to purchased and leaves when finished`() throws {
        queue.add(payment("coins", quantity: 3))
        #expect(observer.events.isEmpty)
        store.runUntilIdle()
        expectEqual(observer.events, ["coins purchasing", "coins purchased"])
        let transaction = try #require(observer.latest)
        expectEqual(Set(observer.updates.joined().map(ObjectIdentifier.init)).count, 1)
        #expect(queue.transactions.first === transaction)
        expectEqual(queue.transactions.count, 1)
        expectEqual(transaction.payment.quantity, 3)
        #expect(transaction.transactionIdentifier != nil)
        #expect(transaction.transactionDate != nil)
        #expect(transaction.error == nil)
        expectEqual(transaction.original, nil)
        queue.finishTransaction(transaction)
        queue.finishTransaction(transaction)
        store.runUntilIdle()
        expectEqual(observer.events.last, "removed coins")
        expectEqual(observer.events.count, 3)
        #expect(queue.transactions.isEmpty)
    }

    @Test func `a payment is copied when it is added, and may be added twice`() {
        let payment = payment("coins")
        queue.add(payment)
        payment.quantity = 7
        queue.add(payment)
        store.runUntilIdle()
        let transactions = queue.transactions
        expectEqual(transactions.map(\.payment.quantity), [1, 7])
        #expect(transactions.first !== transactions.last)
    }

    @Test func `the payment of a transaction stays the same object`() {
        queue.add(payment("coins"))
        store.step()
        let first = observer.latest?.payment
        store.runUntilIdle()
        #expect(first != nil)
        #expect(first === observer.latest?.payment)
    }

    @Test func `a restore reports the original and then finishes`() throws {
        queue.add(payment("pro"))
        store.runUntilIdle()
        let bought = try #require(observer.latest)
        let identifier = bought.transactionIdentifier
        queue.finishTransaction(bought)
        store.runUntilIdle()
        queue.restoreCompletedTransactions()
        store.runUntilIdle()
        expectEqual(observer.events.suffix(2), ["pro restored", "restored"])
        let restored = try #require(observer.latest)
        let original = try #require(restored.original)
        expectEqual(original.transactionIdentifier, identifier)
        expectEqual(original.payment.productIdentifier, "pro")
        #expect(original.transactionDate != nil)
        #expect(restored.transactionIdentifier != identifier)
        #expect(restored.original === original)
    }

    @Test func `a deferred payment is the same object when it is approved`() throws {
        store.behavior.askToBuyEnabled = true
        queue.add(payment("coins"))
        store.runUntilIdle()
        let transaction = try #require(observer.latest)
        expectEqual(transaction.transactionState, .deferred)
        try store.approveAskToBuyTransaction(id: #require(transaction.entry))
        store.runUntilIdle()
        expectEqual(transaction.transactionState, .purchased)
        #expect(observer.latest === transaction)
    }

    @Test func `with new objects, every report has another object`() {
        store.behavior.bringsFreshObjects = true
        queue.add(payment("coins"))
        store.runUntilIdle()
        let reported = observer.updates.flatMap { $0 }
        expectEqual(reported.count, 2)
        #expect(reported.first !== reported.last)
        #expect(queue.transactions.first === reported.last)
    }

    @Test func `the queue keeps the objects of its entries, but no replaced objects and no objects of removed entries`()
    {
        let store = SimulatedAppStore(catalog: .samples, pacing: .manual)
        store.behavior.bringsFreshObjects = true
        let queue = SKPaymentQueue(launch: store.launch())
        let observer = RecordingObserver(keepsTransactions: false)
        queue.add(observer)
        queue.add(payment("coins"))
        store.step()
        weak var purchasing: SKPaymentTransaction?
        purchasing = queue.transactions.first
        #expect(purchasing != nil)
        store.runUntilIdle()
        expectEqual(purchasing, nil)
        weak var purchased: SKPaymentTransaction?
        purchased = queue.transactions.first
        expectEqual(purchased?.transactionState, .purchased)
        if let purchased { queue.finishTransaction(purchased) }
        store.runUntilIdle()
        expectEqual(purchased, nil)
    }

    @Test func `observers are held weakly, and a later observer receives all unfinished transactions`() {
        let store = SimulatedAppStore(catalog: .samples, pacing: .manual)
        // The later observer must be treated as the first observer, because the former one is deallocated.
        store.behavior.reportsToSecondObserver = false
        let queue = SKPaymentQueue(launch: store.launch())
        weak var gone: RecordingObserver?
        do {
            let first = RecordingObserver()
            gone = first
            queue.add(first)
            expectEqual(queue.transactionObservers.count, 1)
        }
        expectEqual(gone, nil)
        #expect(queue.transactionObservers.isEmpty)
        queue.add(payment("coins"))
        store.runUntilIdle()
        let second = RecordingObserver()
        queue.add(second)
        store.runUntilIdle()
        expectEqual(second.events.last, "coins purchased")
    }

    @Test func `two observers get the same objects`() {
        let second = RecordingObserver()
        queue.add(second)
        queue.add(payment("coins"))
        store.runUntilIdle()
        #expect(second.latest != nil)
        #expect(second.latest === observer.latest)
    }

    @Test func `hosted content arrives with the transaction, and the same object reports its progress`() throws {
        queue.add(payment("map"))
        store.runUntilIdle()
        let transaction = try #require(observer.latest)
        let download = try #require(transaction.downloads.first)
        expectEqual(download.state, .waiting)
        expectEqual(download.contentIdentifier, "map")
        expectEqual(download.contentVersion, "1.2")
        expectEqual(download.expectedContentLength, 1000)
        #expect(download.transaction === transaction)
        #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown || download.timeRemaining >= 0)
        queue.start(transaction.downloads)
        store.advance(by: 3600)
        store.runUntilIdle()
        expectEqual(download.state, .finished)
        expectEqual(download.progress, 1)
        #expect(observer.downloads.allSatisfy { $0 === download })
        #expect(!observer.downloads.isEmpty)
        store.redeliver(try #require(transaction.entry))
        store.runUntilIdle()
        expectEqual(observer.updates.count, 3)
        #expect(transaction.downloads.first === download)
    }

    @Test func `a download doesn't keep its transaction alive, but still returns it`() throws {
        var download: SKDownload?
        do {
            let store = SimulatedAppStore(catalog: .samples, pacing: .manual)
            let queue = SKPaymentQueue(launch: store.launch())
            let observer = RecordingObserver()
            queue.add(observer)
            queue.add(payment("map"))
            store.runUntilIdle()
            download = observer.latest?.downloads.first
        }
        expectEqual(try #require(download).transaction.payment.productIdentifier, "map")
    }

    @Test func `the sheets are shown`() {
        queue.presentCodeRedemptionSheet()
        queue.showPriceConsentIfNeeded()
        expectEqual(queue.launch.presentedSheets, [.codeRedemption, .priceConsent])
    }
}
