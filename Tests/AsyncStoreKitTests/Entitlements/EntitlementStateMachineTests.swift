import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// What the tables of the rules can't say: customers, caches, clocks, and the calls that wait.
@Suite(.bounded) struct EntitlementStateMachineTests {
    static let scripts = [
        Script(
            "another customer's list replaces all purchases",
            """
            read -1+0 pro:by=1 old, read 10 filters:by=1, owns → filters + old + pro
            read 11 other:by=2, knows → other, issues → none
            """),
        Script(
            "a cache is forgotten when the list names another customer",
            """
            cache 1 pro:by=1, owns → pro, read 2 filters:by=2, owns → filters
            new, cache 1 pro:by=1, read 2 filters:by=1, owns → filters + pro
            new, cache 1 pro:by=1, read 2 filters, owns → filters + pro
            """),
        Script(
            "another customer's report is ignored, unless it may name the member who paid",
            """
            read -1+0 pro:by=1, report 5 filters:signed=5:by=2, owns → pro, report 5 shared:signed=5:by=2:family
            owns → pro + shared, report 6 filters:signed=6:by=1, report 7 other:signed=7
            owns → filters + other + pro + shared
            """),
        Script(
            "reports of two customers aren't evaluated together before the list is known",
            """
            report 0 pro:by=1, report 0 filters:by=2, owns → pro
            cache 0 basic:ends=100:by=2, owns → basic
            """),
        Script(
            "a purchase on this device identifies the customer, and a list decides in the end",
            """
            read -1+0 pro:by=1 past old:ends=-10:by=1, state old → expired, report 5 filters:signed=5:by=2 paid
            knows → filters, read 6 pro:signed=6:by=1, owns → pro
            new, report 5 filters:signed=5:by=2 paid, cache 5 pro:by=1 old, owns → filters
            """),
        Script(
            "purchases of two customers in one list are never used together",
            """
            read 0 pro:by=1, read 10 pro:by=1 filters:signed=5:by=2, owns → pro, issues → unknown, asks → yes
            read 20 filters:signed=5:by=2, owns → filters
            new, read 0 pro:by=1 filters:signed=5:by=2, owns → filters
            """),
        Script(
            "another customer's past has no effect",
            """
            read -1+0 pro:by=1 past mine:ends=-10:by=1 foreign:ends=-10:by=2 shared:ends=-10:by=2:family
            knows → mine + pro
            new, read -1+0 pro past mine:ends=-10:by=1 foreign:ends=-10:by=2 shared:ends=-10:by=2:family, knows → pro
            new, read -1+0 pro past mine:ends=-10:by=1, knows → mine + pro
            """),
        Script(
            "another customer's renewal information is ignored",
            """
            read -1+0 basic:ends=100:by=1 renewal unknown:grace=1000, read 200 basic:ends=100:by=1
            state basic → inGracePeriod
            new, read -1+0 basic:ends=100:by=1 renewal unknown:grace=1000, read 200 basic:ends=100:by=2
            state basic → expired
            """),
        // The cache.
        Script(
            "the cache is used until the device has been read, and longer for open questions",
            """
            cache 0 pro:signed=-50:by=1 refused, basis → cached -50, owns → pro, issues → cache
            read 0, basis → cached -50, owns → pro, read 1 pro, basis → confirmed, issues → none
            new, read -1+0, cache 1 pro:signed=-50:by=1, owns → none
            """),
        Script(
            "a confirmed answer has no issues about the cache",
            """
            cache 0 refused, fail 0, issues → cache + timedOut, read 1+2 pro, issues → none, basis → confirmed
            new, cache 0 refused, fail 0, read 1+2 subscriptions magazine:ends=-100, issues → none, basis → confirmed
            new, cache 0 refused, read 0, issues → cache, read 1, issues → none
            """),
        Script(
            "a cache is as old as the read that confirmed it last",
            """
            cache 0 pro:signed=-60d:by=1 confirmed -1d, basis → cached -1d, read 0+2+100, owns → pro
            new, cache 0 pro:signed=-60d:by=1 confirmed -34d, basis → cached -34d, read 0+2+100, owns → pro
            new, cache 0 pro:signed=-60d:by=1 confirmed -36d, basis → cached -36d, read 0+2+100, owns → none
            """),
        // The clock may have been ahead when the file was saved.
        Script(
            "a cache without a confirmation, or with one of the future, is as old as its newest signature",
            """
            cache 0 pro:signed=-34d:by=1, basis → cached -34d, read 0+2+100, owns → pro
            new, cache 0 pro:signed=-36d:by=1, basis → cached -36d, read 0+2+100, owns → none
            new, cache 0 pro:signed=-34d:by=1 confirmed 1d, basis → cached -34d, read 0+2+100, owns → pro
            new, cache 0 pro:signed=-36d:by=1 confirmed 1d, basis → cached -36d, read 0+2+100, owns → none
            """),
        Script(
            "however long the app was closed, a period in the cache ends only after the device was asked",
            """
            cache 0 basic:ends=-5d:signed=-40d:by=1 confirmed -40d, state basic → subscribed, fail 0
            state basic → expired
            """),
        Script(
            "the app sets the lifetime of unconfirmed access, and a list with purchases settles lapsed ones",
            """
            lifetime 3600, cache 0 pro:by=1 confirmed -3000, read 0+100+500, owns → pro, read 700, owns → none
            issues → emptyHistory, read 1000, owns → none, issues → emptyHistory
            read 1100+1110 filters:by=1, owns → filters, issues → none
            """),
        Script(
            "evidence is as old as its oldest unconfirmed purchase, and a read renews it",
            """
            cache 0 pro:by=1 filters:by=1 confirmed -5d, confirmed → -5d, read 10 partial pro:by=1, confirmed → -5d
            read 20 pro:by=1 filters:by=1, confirmed → 20, read 30 pro:by=1 filters:by=1, confirmed → 30
            customer → 1
            """),
        Script(
            "a cache has every purchase that gives access, and is as old as the one that was confirmed first",
            """
            read -1+0 basic:id=1:ends=10d basic:id=2:of=2:ends=20d:family old:ends=-10d, saved → basic + basic
            read 100 partial basic:id=1:ends=10d, confirmed → 0
            read 864100 basic:id=1:ends=10d basic:id=2:of=2:ends=20d:family, saved → basic
            """),
        Script(
            "a partial read doesn't confirm again that the customer owns nothing",
            """
            read -1+0, basis → confirmed, confirmed → 0, read 2d partial, basis → confirmed, confirmed → none
            fail 3d, confirmed → none, read 4d, confirmed → 4d
            """),
        Script(
            "a report before the cache is loaded is saved after the load",
            """
            report 0 pro:by=1, saves → 0, cache 0 filters:by=1 confirmed 0, saves → 1, saved → filters + pro
            read 1, saves → 2
            """),
        // Clocks.
        Script(
            "a clock may differ from Apple's by five minutes",
            """
            read -100 pro:signed=200, issues → none, new, read -101 pro:signed=200, issues → deviceClockBehind
            new, read -1+0 filters:signed=-1000, report -100 pro:signed=200, issues → none
            new, read -1+0 filters:signed=-1000, report -101 pro:signed=200, issues → deviceClockBehind
            """),
        Script(
            "a clock that is set back is noticed, and gains nothing",
            """
            read -1+0 basic:ends=100, read 200 basic:ends=100 other:signed=200, state basic → expired, issues → none
            read -1000 basic:ends=100 other:signed=200, state basic → expired, issues → deviceClockBehind
            new, read 50 basic:ends=100 other:signed=200, state basic → expired, issues → none
            """),
        Script("a closed store sets no timer", "read -1+0 pro, closes, report 1 basic, wakes → none, reads → no"),
    ]

    @Test(arguments: scripts) func `customers, caches and clocks decide which purchases are kept`(script: Script) {
        var entitlements = EntitlementScript()
        script.play { entitlements.perform($0) }
    }

    private let start = Date(timeIntervalSince1970: 1_767_225_600)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    private func row(_ productID: String, id: String? = nil, ends: TimeInterval? = nil, signed: TimeInterval = 0)
        -> VerifiedTransaction
    {
        var row = PurchaseFacts(
            productID: productID, transactionID: id ?? productID, purchaseDate: start,
            originalTransactionID: productID, expirationDate: ends.map(at),
            productKind: ends == nil ? .nonConsumable : .autoRenewable)
        row.signedDate = at(signed)
        return VerifiedTransaction(row, text: { "text" })
    }

    private func history(_ rows: VerifiedTransaction...) -> PurchaseListing {
        PurchaseListing(completing: PurchaseListing(transactions: rows))
    }

    @Test func `a call is answered by one read only`() {
        var machine = EntitlementRun()
        let call = CallID()
        machine.perform { $0.current(call, at: start) }
        for second in [0.0, 5] { machine.take(history(row("pro")), begun: at(second), at: at(second)) }
        expectEqual(machine.resumed.filter { $0 == call }.count, 1)
    }

    @Test func `an ended read answers later calls for a second`() {
        var machine = EntitlementRun()
        for second in [-1.0, 0] { machine.take(history(row("pro")), begun: at(second), at: at(second)) }
        for (second, isRead) in [(0.5, false), (1, true)] {
            let call = CallID()
            machine.perform { $0.current(call, at: at(second)) }
            expectEqual(machine.reading != nil, isRead)
            expectEqual(machine.resumed.contains(call), !isRead)
        }
    }

    @Test func `a timer that has fired is no longer set while its read runs`() {
        var machine = EntitlementRun()
        machine.take(StoreError(.timedOut, ""), begun: start, at: at(1))
        expectEqual(machine.nextWake, at(2))
        machine.perform { $0.timerFired(at: at(2)) }
        #expect(machine.reading != nil && machine.nextWake == nil)
    }

    /// A launch whose cache can't be read yet, after the first read. The next read is due a second later.
    private func lockedLaunch(reading listing: PurchaseListing = PurchaseListing()) -> EntitlementRun {
        var run = EntitlementRun()
        run.perform { $0.start(at: start) }
        run.perform { $0.cacheLoaded(nil, issues: [], at: start) }
        run.endLoadingCache()
        run.take(listing, begun: start, at: start)
        run.perform { $0.timerFired(at: at(1)) }
        return run
    }

    @Test func `a cache that can't be read is loaded again before each read, and not because a read is due`() {
        var run = lockedLaunch()
        #expect(run.isLoadingCache && run.reading == nil)
        run.endLoadingCache()
        run.perform { $0.cacheLoaded(nil, issues: [], at: at(1)) }
        #expect(run.reading != nil)
        run.perform { $0.timerFired(at: at(1)) }
        #expect(!run.isLoadingCache && run.nextWake == nil, "the read that is due runs")
        run.perform { $0.deviceChanged(at: at(2)) }
        #expect(run.isLoadingCache, "an event may be the first unlock")
        run.endLoadingCache()
        run.perform { $0.cacheLoaded(nil, issues: [], at: at(2)) }
        run.take(history(), begun: at(1), at: at(3))
        #expect(run.isLoadingCache && run.reading == nil, "the read after the event waits for the cache")
    }

    @Test func `a cache that is loaded late doesn't give back a purchase that the history says is revoked`() {
        var refund = row("pro", signed: 5).facts
        refund.revocationDate = at(5)
        var run = lockedLaunch(reading: PurchaseListing(past: [VerifiedTransaction(refund, text: { "text" })]))
        run.perform { $0.cacheLoaded(history(row("pro")), issues: [], at: at(1)) }
        expectEqual(run.entitlements["pro"]?.state, .revoked)
    }

    @Test func `a timeout after the answer of the same read, and an answer after the timeout, change nothing`() throws {
        let timeOut = Result<PurchaseListing, StoreError>.failure(StoreError(.timedOut, ""))
        var machine = EntitlementRun()
        machine.start(at: start)
        let read = try #require(machine.reading)
        machine.perform { $0.readEnded(read, .success(history(row("pro"))), at: at(30)) }
        machine.perform { $0.readEnded(read, timeOut, at: at(30)) }
        #expect(machine.entitlements.issues.isEmpty && machine.nextWake == at(31))
        expectEqual(machine.entitlements.basis, .confirmed)
        var late = EntitlementRun()
        late.start(at: start)
        let abandoned = try #require(late.reading)
        for _ in 0..<2 { late.perform { $0.readEnded(abandoned, timeOut, at: at(30)) } }
        expectEqual(late.nextWake, at(31), "one read has failed")
        late.perform { $0.readEnded(abandoned, .success(history(row("pro"))), at: at(30.5)) }
        expectEqual(late.entitlements.productIDs, [])
        expectEqual(late.nextWake, at(31))
    }

    /// A transaction of the product "filters" and the customer "2", as StoreKit 2 reports it.
    private func filters(id: String, revoked: Bool = false) -> StoreTransaction {
        let revocation = revoked ? #""revocationDate":1767225601000,"# : ""
        let payload = """
            {"transactionId":"\(id)","originalTransactionId":"\(id)","bundleId":"a","productId":"filters","quantity":1,\
            "purchaseDate":1767225600000,"signedDate":1767225601000,\(revocation)\
            "environment":"Production","type":"Non-Consumable","appTransactionId":"2"}
            """
        return StoreTransaction(
            token: TransactionToken(source: 1, serial: 1), state: .purchased, productID: "filters", id: id,
            signedText: SignedText(id: id, jws: { "text" }, payload: { Data(payload.utf8) }))
    }

    @Test func `a revocation before the first question leaves the signed report of another purchase of the product`() {
        var run = EntitlementRun()
        for id in ["1", "2"] {
            run.perform { $0.transactionsReported([filters(id: id)], isPaidHere: true, at: start) }
        }
        run.perform {
            $0.purchasesRevoked(PurchaseRevocation(transactions: [filters(id: "2", revoked: true)]), at: start)
        }
        run.start(at: at(1))
        expectEqual(run.entitlements["filters"]?.transactionID, "1")
    }

    @Test(arguments: [true, false])
    func `a revocation before the first question doesn't identify the customer, as a payment does`(isPaidHere: Bool) {
        let revoked = filters(id: "1", revoked: true)
        let report = { [start] (machine: inout EntitlementStateMachine) in
            isPaidHere
                ? machine.transactionsReported([revoked], isPaidHere: true, at: start)
                : machine.purchasesRevoked(PurchaseRevocation(transactions: [revoked]), at: start)
        }
        var run = EntitlementRun()
        run.perform(report)
        var cache = row("pro").facts
        cache.appTransactionID = "1"
        run.take(cache: history(VerifiedTransaction(cache, text: { "text" })), issues: [], at: at(1))
        expectEqual(run.entitlements.productIDs, isPaidHere ? [] : ["pro"])
        run.perform { $0.purchasesRevoked(PurchaseRevocation(transactions: [revoked]), at: at(5)) }
        expectEqual(run.entitlements.productIDs, isPaidHere ? [] : ["pro"], "of another customer's purchase")
    }

    @Test func `entitlements differ by state, end, renewal and transaction, not by the date of the signature`() {
        func basic(
            id: String? = nil, ends: TimeInterval = 100, signed: TimeInterval = 0, renews: Bool? = nil,
            at second: TimeInterval = 0
        ) -> StoreEntitlement? {
            var renewal = RenewalFacts(productID: "basic", originalTransactionID: "basic")
            renewal.willAutoRenew = renews
            var history = PurchaseListing(transactions: [row("basic", id: id, ends: ends, signed: signed)])
            if renews != nil { history.renewals = [VerifiedRenewal(ReceiptRenewal(renewal), text: { "text" })] }
            var machine = EntitlementRun()
            for read in [second, second + 10] {
                machine.take(PurchaseListing(completing: history), begun: at(read), at: at(read))
            }
            return machine.entitlements["basic"]
        }
        expectEqual(basic(signed: 5), basic())
        expectEqual(basic(renews: true), basic(renews: true))
        for other in [basic(id: "2"), basic(ends: 200), basic(renews: true), basic(at: 150)] {
            #expect(other != basic())
        }
        #expect(basic(at: 150)?.state == .expired && basic(at: 150)?.transactionID == basic()?.transactionID)
        #expect(basic(renews: true) != basic(renews: false))
    }
}
