import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The evidence for access, signed transaction by signed transaction.
@Suite(.bounded) struct EntitlementStateMachineTests {
    private let start = Date(timeIntervalSince1970: 1_767_225_600)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    private func row(
        _ productID: String, id: String? = nil, bought: TimeInterval = 0, ends: TimeInterval? = nil,
        signed: TimeInterval = 0,
        revoked: Bool = false, kind: ProductKind = .nonConsumable, customer: String? = nil,
        isShared: Bool = false
    ) -> VerifiedTransaction {
        var row = PurchaseFacts(
            productID: productID, transactionID: id ?? productID, purchaseDate: at(bought),
            originalTransactionID: productID,
            expirationDate: ends.map(at), revocationDate: revoked ? at(signed) : nil,
            productKind: ends == nil ? kind : .autoRenewable)
        row.signedDate = at(signed)
        row.appTransactionID = customer
        row.ownershipType = isShared ? .familyShared : .purchased
        return VerifiedTransaction(row, text: { "text" })
    }

    private func history(
        _ rows: VerifiedTransaction..., subscriptions: [VerifiedTransaction] = [],
        unfinished: [VerifiedTransaction] = [], past: [VerifiedTransaction] = [],
        failure: StoreError? = nil
    ) -> PurchaseListing {
        PurchaseListing(
            completing: PurchaseListing(
                transactions: rows, subscriptions: subscriptions, unfinished: unfinished, past: past, failure: failure))
    }

    /// A report of the payment queue, without a signature.
    private func report(_ row: PurchaseFacts) -> VerifiedTransaction {
        VerifiedTransaction(row)
    }

    /// A machine after the first read of a launch and its repetition.
    private func machine(_ history: PurchaseListing) -> EntitlementRun {
        var machine = EntitlementRun()
        for second in [-1.0, 0] { machine.take(history, begun: at(second), at: at(second)) }
        return machine
    }

    @Test func `a product that complete lists lack for a while is gone, and back when it is listed`() {
        var machine = machine(history(row("pro"), row("filters")))
        machine.take(history(row("filters")), begun: at(10), at: at(10))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
        expectEqual(machine.nextWake, at(11))
        machine.take(history(row("filters"), row("pro")), begun: at(11), at: at(11))
        expectEqual(machine.nextWake, nil)
        machine.take(history(row("filters")), begun: at(20), at: at(20))
        machine.take(history(row("filters"), failure: StoreError(.networkError, "")), begun: at(22), at: at(22))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"], "an incomplete read is no evidence")
        machine.take(history(row("filters")), begun: at(22), at: at(23))
        expectEqual(machine.entitlements.productIDs, ["filters"])
        expectEqual(machine.entitlements["pro"], nil)
    }

    @Test func `a refund is applied at once, even when the listing is older`() {
        var machine = machine(history(row("pro", signed: 0)))
        machine.take(history(row("pro", signed: 10, revoked: true)), begun: at(10), at: at(10))
        expectEqual(machine.entitlements["pro"]?.state, .revoked)
        machine.take(history(row("pro", signed: 5)), begun: at(11), at: at(11))
        expectEqual(machine.entitlements["pro"]?.state, .revoked)
        machine.take(history(row("pro", signed: 20)), begun: at(21), at: at(21))
        expectEqual(machine.entitlements["pro"]?.state, .subscribed, "the refund was reversed")
    }

    @Test func `a call is answered by one read only`() {
        var machine = EntitlementRun()
        let call = CallID()
        machine.perform { $0.current(call, at: start) }
        for second in [0.0, 5] { machine.take(history(row("pro")), begun: at(second), at: at(second)) }
        expectEqual(machine.resumed.filter { $0 == call }.count, 1)
    }

    @Test func `a timer that has fired is no longer set while its read runs`() {
        var machine = EntitlementRun()
        machine.take(StoreError(.timedOut, ""), begun: start, at: at(1))
        expectEqual(machine.nextWake, at(2))
        machine.perform { $0.timerFired(at: at(2)) }
        #expect(machine.reading != nil && machine.nextWake == nil)
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
        for _ in 0..<2 { late.perform { $0.readEnded(read, timeOut, at: at(30)) } }
        expectEqual(late.nextWake, at(31), "one read has failed")
        late.perform { $0.readEnded(read, .success(history(row("pro"))), at: at(30.5)) }
        expectEqual(late.entitlements.productIDs, [])
        expectEqual(late.nextWake, at(31))
    }

    @Test func `a period ends when a later complete read has no renewal, and the end has lasted`() {
        var machine = machine(history(row("basic", ends: 100)))
        expectEqual(machine.entitlements.nextChange, at(100))
        expectEqual(machine.nextWake, at(102))
        machine.take(history(row("basic", ends: 100)), begun: at(100), at: at(100))
        expectEqual(machine.entitlements.nextChange, nil, "a task that sleeps until then would wake again")
        machine.take(history(row("basic", ends: 100)), begun: at(101), at: at(500))
        expectEqual(machine.entitlements.productIDs, ["basic"], "the read began before")
        expectEqual(machine.nextWake, at(502))
        for second in stride(from: 102.0, to: 1_000, by: 100) {
            machine.take(StoreError(.timedOut, ""), begun: at(second), at: at(second))
            expectEqual(machine.entitlements["basic"]?.state, .subscribed, "a failed read is no evidence")
        }
        machine.take(history(row("basic", ends: 100)), begun: at(159), at: at(159))
        expectEqual(machine.entitlements["basic"]?.state, .subscribed, "the renewal may be late")
        machine.take(history(row("basic", ends: 100)), begun: at(160), at: at(160))
        expectEqual(machine.entitlements["basic"]?.state, .expired)
        #expect(machine.nextWake != nil, "the device lists the period as current")
        machine.take(history(row("basic", ends: 100), row("basic", id: "2", ends: 300)), begun: at(170), at: at(170))
        expectEqual(machine.entitlements["basic"]?.state, .subscribed)
        expectEqual(machine.nextWake, at(302))
    }

    @Test func `a list with purchases starts the time of empty lists over`() {
        var machine = EntitlementRun()
        machine.take(cache: history(row("pro", signed: -40 * 86_400)), issues: [], at: start)
        for (second, products) in [(0.0, []), (50, ["filters"]), (100, []), (130, [])] {
            let rows = products.map { row($0) }
            let listing = PurchaseListing(completing: PurchaseListing(transactions: rows))
            machine.take(listing, begun: at(second), at: at(second))
            expectEqual(machine.entitlements.productIDs, second == 0 ? ["pro"] : ["pro", "filters"])
        }
        machine.take(history(), begun: at(180), at: at(180))
        expectEqual(machine.entitlements.productIDs, ["filters"], "nothing has confirmed \"pro\" for 40 days")
    }

    @Test func `another customer's list replaces all purchases`() {
        var machine = machine(history(row("pro", customer: "1"), row("old")))
        machine.take(history(row("filters", customer: "1")), begun: at(10), at: at(10))
        expectEqual(machine.entitlements.productIDs, ["pro", "old", "filters"])
        machine.take(history(row("other", customer: "2")), begun: at(11), at: at(11))
        expectEqual(machine.entitlements.all.map(\.productID), ["other"])
        #expect(machine.entitlements.issues.isEmpty)
    }

    @Test(arguments: ["1", "2", nil]) func `a cache is forgotten when the list names another customer`(
        customer: String?
    ) {
        var machine = EntitlementRun()
        machine.take(cache: history(row("pro", customer: "1")), issues: [], at: at(1))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        machine.take(history(row("filters", customer: customer)), begun: at(2), at: at(2))
        expectEqual(machine.entitlements.productIDs, customer == "2" ? ["filters"] : ["filters", "pro"])
    }

    @Test(arguments: ["1", "2", nil]) func `another customer's report is ignored`(customer: String?) {
        var machine = machine(history(row("pro", customer: "1")))
        machine.take(reports: [row("filters", signed: 5, customer: customer)], at: at(5))
        expectEqual(machine.entitlements.productIDs, customer == "2" ? ["pro"] : ["pro", "filters"])
        machine.take(reports: [row("shared", signed: 6, customer: customer, isShared: true)], at: at(6))
        #expect(machine.entitlements.contains("shared"), "it may name the member who paid")
    }

    @Test func `reports of two customers aren't evaluated together before the list is known`() {
        var machine = EntitlementRun()
        machine.take(reports: [row("pro", customer: "1")], at: start)
        machine.take(reports: [row("filters", customer: "2")], at: start)
        expectEqual(machine.entitlements.productIDs, ["pro"])
        machine.take(cache: history(row("basic", ends: 100, customer: "2")), issues: [], at: start)
        expectEqual(machine.entitlements.productIDs, ["basic"], "the list was the last to name the customer")
    }

    @Test func `a purchase on this device identifies the customer`() {
        var machine = machine(history(row("pro", customer: "1"), past: [row("old", ends: -10, customer: "1")]))
        expectEqual(machine.entitlements["old"]?.state, .expired)
        machine.take(reports: [row("filters", signed: 5, customer: "2")], isPaidHere: true, at: at(5))
        expectEqual(machine.entitlements.all.map(\.productID), ["filters"])
        var cached = EntitlementRun()
        cached.take(reports: [row("filters", signed: 5, customer: "2")], isPaidHere: true, at: at(5))
        cached.take(cache: history(row("pro", customer: "1"), row("old")), issues: [], at: at(5))
        expectEqual(cached.entitlements.productIDs, ["filters"])
        machine.take(history(row("pro", signed: 6, customer: "1")), begun: at(6), at: at(6))
        expectEqual(machine.entitlements.productIDs, ["pro"], "the list decides in the end")
    }

    @Test func `a revocation before the first question doesn't identify the customer`() {
        let payload = """
            {"transactionId":"1","originalTransactionId":"1","bundleId":"a","productId":"filters","quantity":1,\
            "purchaseDate":1767225600000,"signedDate":1767225601000,"revocationDate":1767225601000,\
            "environment":"Production","type":"Non-Consumable","appTransactionId":"2"}
            """
        let revoked = StoreTransaction(
            token: TransactionToken(source: 1, serial: 1), state: .purchased, productID: "filters", id: "1",
            signedText: SignedText(id: "1", jws: { "text" }, payload: { Data(payload.utf8) }))
        for isPaidHere in [false, true] {
            var machine = EntitlementRun()
            machine.perform { [start] in
                isPaidHere
                    ? $0.transactionsReported([revoked], isPaidHere: true, at: start)
                    : $0.purchasesRevoked(PurchaseRevocation(transactions: [revoked]), at: start)
            }
            machine.take(cache: history(row("pro", customer: "1")), issues: [], at: at(1))
            expectEqual(machine.entitlements.productIDs, isPaidHere ? [] : ["pro"])
        }
        var known = machine(history(row("pro", customer: "1")))
        known.perform { $0.purchasesRevoked(PurchaseRevocation(transactions: [revoked]), at: at(5)) }
        expectEqual(known.entitlements.productIDs, ["pro"], "the revocation of another customer's purchase")
    }

    @Test func `the store evaluates an unconfirmed report again at the moment at which the report ends`() {
        var machine = machine(history(row("pro")))
        machine.take(reports: [report(row("filters").facts)], at: at(1))
        for second in [2.0, 5, 10, 25, 85, 145] {
            machine.take(history(row("pro")), begun: at(second), at: at(second))
            expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
        }
        expectEqual(machine.nextWake, at(301))
        machine.take(history(row("pro")), begun: at(301), at: at(301))
        expectEqual(machine.entitlements.productIDs, ["pro"])
    }

    @Test func `unfinished transactions give access, unless another customer bought them`() {
        let unfinished = [row("filters", customer: "1"), row("foreign", customer: "2"), row("old")]
        expectEqual(
            machine(history(row("pro", customer: "1"), unfinished: unfinished)).entitlements.productIDs,
            ["pro", "filters", "old"])
        expectEqual(
            machine(history(unfinished: unfinished)).entitlements.productIDs, ["old"], "the customer is unknown")
        expectEqual(machine(history(unfinished: [row("filters", customer: "1")])).entitlements.productIDs, ["filters"])
    }

    @Test(arguments: [ProductKind.nonConsumable, .nonRenewable, .autoRenewable, nil])
    func `purchases that only the full history has give no access`(kind: ProductKind?) {
        var row = row("basic", ends: kind == .autoRenewable ? 1_000 : nil).facts
        row.productKind = kind
        let past = [VerifiedTransaction(row, text: { "text" })]
        for history in [history(past: past), history(self.row("pro"), past: past)] {
            var machine = machine(history)
            for second in [0.0, 1, 100, 500] {
                machine.take(history, begun: at(second), at: at(second))
                #expect(!machine.entitlements.contains("basic") && machine.entitlements["basic"] == nil)
            }
        }
    }

    @Test func `the full history has the reason why access ended`() {
        let past = [
            row("refunded", signed: 1, revoked: true), row("expired", ends: -10), row("pro", id: "old", revoked: true),
            row("running", id: "1", bought: -100, ends: -10), row("running", id: "2", ends: 1_000),
        ]
        var machine = machine(history(row("pro"), past: past))
        expectEqual(machine.entitlements.all.map(\.productID), ["expired", "pro", "refunded"])
        expectEqual(machine.entitlements["refunded"]?.state, .revoked)
        expectEqual(machine.entitlements["refunded"]?.jws, "text")
        expectEqual(machine.entitlements["expired"]?.state, .expired)
        expectEqual(machine.entitlements["pro"]?.state, .subscribed)
        machine.take(history(row("pro"), past: past), begun: at(1_010), at: at(1_010))
        expectEqual(machine.entitlements["running"]?.state, .expired)
        #expect(machine.texts.transactions.map(\.facts.productID) == ["pro"], "the cache keeps what can give access")
    }

    @Test func `a renewal in the full history doesn't prolong a subscription`() {
        let status = row("basic", id: "1", ends: 100)
        let renewed = row("basic", id: "2", bought: 100, ends: 1_000, signed: 100)
        var machine = machine(history(status))
        machine.take(history(subscriptions: [status], past: [renewed]), begun: at(200), at: at(200))
        expectEqual(machine.entitlements["basic"]?.state, .expired)
    }

    @Test(arguments: [(5.0, SubscriptionState.revoked), (3, .revoked), (2, .subscribed)])
    func `a refund in the full history is applied unless Apple signed the list later`(
        signed: TimeInterval, state: SubscriptionState
    ) {
        var machine = machine(history(row("pro", signed: 3)))
        machine.take(history(past: [row("pro", signed: signed, revoked: true)]), begun: at(10), at: at(10))
        expectEqual(machine.entitlements["pro"]?.state, state)
        expectEqual(machine.entitlements.issues, state == .subscribed ? [.emptyHistory] : [])
    }

    @Test(arguments: [true, false])
    func `a subscription that a bundle replaces keeps its access until the list says otherwise`(isReported: Bool) {
        var replaced = row("news", ends: 1_000, signed: 10, revoked: true).facts
        replaced.revocationReason = .upgradedToBundle
        let signedTransaction = VerifiedTransaction(replaced, text: { "text" })
        var machine = machine(history(row("news", ends: 1_000), row("pro")))
        if isReported {
            machine.perform { $0.transactionsReported([signedTransaction], isPaidHere: false, at: at(10)) }
        }
        expectEqual(machine.entitlements["news"]?.state, .subscribed)
        machine.take(history(past: [signedTransaction]), begun: at(11), at: at(11))
        expectEqual(machine.entitlements["news"]?.state, .subscribed)
        let member = row("news", id: "member", ends: 2_000, signed: 12)
        var bundled = machine
        for second in [12.0, 15] {
            bundled.take(history(member, row("pro"), past: [signedTransaction]), begun: at(second), at: at(second))
        }
        expectEqual(bundled.entitlements["news"]?.transactionID, "member")
        for second in [12.0, 15] {
            machine.take(history(row("pro"), past: [signedTransaction]), begun: at(second), at: at(second))
        }
        expectEqual(machine.entitlements["news"]?.state, .upgraded)
    }

    @Test func `another customer's past has no effect`() {
        let mine = row("mine", ends: -10, customer: "1")
        let foreign = [
            row("foreign", ends: -10, customer: "2"), row("shared", ends: -10, customer: "2", isShared: true),
        ]
        let machine = machine(history(row("pro", customer: "1"), past: [mine] + foreign))
        expectEqual(machine.entitlements.all.map(\.productID), ["mine", "pro"])
        let unknown = self.machine(history(row("pro"), past: [mine] + foreign))
        expectEqual(unknown.entitlements.all.map(\.productID), ["pro"], "the customer is unknown")
        let alone = self.machine(history(row("pro"), past: [mine]))
        expectEqual(alone.entitlements.all.map(\.productID), ["mine", "pro"])
    }

    @Test(arguments: [
        (SubscriptionState.subscribed, true), (.inGracePeriod, true), (.expired, false), (.revoked, false),
        (.inBillingRetryPeriod, false),
    ])
    func `a listed period is a question if the status says that the subscription runs with another product`(
        state: SubscriptionState, isAsked: Bool
    ) {
        var read = PurchaseListing(transactions: [row("basic", ends: 10_000)])
        read.statuses = [
            SubscriptionStatusReport(
                groupID: "club", state: state, productID: "premium", transactionID: "2", originalTransactionID: "basic")
        ]
        var machine = machine(PurchaseListing(completing: read))
        for second in [1.0, 2, 20] {
            machine.take(PurchaseListing(completing: read), begun: at(second), at: at(second))
        }
        expectEqual(machine.entitlements.productIDs, ["basic"])
        expectEqual(machine.nextWake.map { $0 < at(1_000) } ?? false, isAsked)
    }

    @Test func `another customer's renewal information is ignored`() {
        var renewal = RenewalFacts(productID: "basic", originalTransactionID: "basic")
        renewal.gracePeriodExpirationDate = at(1_000)
        var signed = PurchaseListing(transactions: [row("basic", ends: 100, customer: "1")])
        signed.renewals = [VerifiedRenewal(ReceiptRenewal(renewal), text: { "text" })]
        for (customer, state) in [("1", SubscriptionState.inGracePeriod), ("2", .expired)] {
            var machine = machine(PurchaseListing(completing: signed))
            machine.take(history(row("basic", ends: 100, customer: customer)), begun: at(200), at: at(200))
            expectEqual(machine.entitlements["basic"]?.state, state)
        }
    }

    @Test func `a status that revokes a past transaction doesn't end a later subscription`() {
        var machine = EntitlementRun()
        var read = PurchaseListing(subscriptions: [row("basic", id: "1", ends: 100, signed: 10, revoked: true)])
        read.statuses = [
            SubscriptionStatusReport(
                groupID: "club", state: .revoked, productID: "basic", transactionID: "1", originalTransactionID: "basic"
            )
        ]
        machine.take(PurchaseListing(completing: read), begun: at(20), at: at(20))
        expectEqual(machine.entitlements["basic"]?.state, .revoked)
        machine.take(reports: [row("basic", id: "2", bought: 30, ends: 130, signed: 30)], at: at(30))
        expectEqual(machine.entitlements["basic"]?.state, .subscribed)
        expectEqual(machine.entitlements["basic"]?.transactionID, "2")
    }

    @Test func `an empty list doesn't contradict purchases that have ended`() {
        var machine = machine(history(row("basic", ends: 100), row("premium", id: "p", ends: 50)))
        machine.take(
            history(subscriptions: [row("basic", ends: 100, signed: 40, revoked: true)]), begun: at(60), at: at(60))
        expectEqual(machine.entitlements["basic"]?.state, .revoked)
        expectEqual(machine.entitlements["premium"]?.state, .subscribed, "no complete read has ended it")
        expectEqual(machine.entitlements.issues, [.emptyHistory])
        machine.take(history(row("basic", ends: 100, signed: 40, revoked: true)), begun: at(110), at: at(110))
        expectEqual(machine.entitlements["premium"]?.state, .expired)
        machine.take(history(), begun: at(120), at: at(120))
        expectEqual(machine.entitlements["basic"]?.state, .revoked)
        #expect(machine.entitlements.issues.isEmpty)
    }

    @Test func `a report gives access until the list has the purchase, or for a time`() {
        let report = self.report(
            PurchaseFacts(productID: "pro", transactionID: "7", purchaseDate: at(10), productKind: .nonConsumable))
        var machine = machine(history(row("filters")))
        machine.take(reports: [report], at: at(10))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
        expectEqual(machine.entitlements["pro"]?.jws, nil)
        machine.take(history(row("filters")), begun: at(100), at: at(100))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
        expectEqual(machine.nextWake, at(101), "the listing may have it soon")
        machine.take(history(row("filters")), begun: at(310), at: at(310))
        expectEqual(machine.entitlements.productIDs, ["filters"])
        expectEqual(machine.nextWake, nil)
        machine.take(reports: [report], at: at(311))
        expectEqual(machine.entitlements.productIDs, ["filters"], "an old report depends on the list")
        var other = self.machine(history(row("filters")))
        other.take(reports: [report], at: at(10))
        other.take(history(row("filters"), row("pro", id: "7", signed: 11)), begun: at(11), at: at(11))
        expectEqual(other.entitlements["pro"]?.jws, "text")
        expectEqual(other.nextWake, nil)
    }

    @Test func `a subscription's report gives access as long as any other, and a consumable's report has no effect`() {
        var machine = machine(history(row("basic", ends: 5)))
        machine.take(
            reports: [report(PurchaseFacts(productID: "basic", transactionID: "7", purchaseDate: at(10)))],
            at: at(10))
        expectEqual(machine.entitlements["basic"]?.accessEndDate, at(310))
        let coins = PurchaseFacts(
            productID: "coins", transactionID: "8", purchaseDate: at(10), productKind: .consumable)
        machine.take(reports: [report(coins)], at: at(10))
        expectEqual(machine.entitlements["coins"], nil)
        machine.take(
            reports: [report(PurchaseFacts(productID: "new", transactionID: "9", purchaseDate: at(10)))],
            at: at(10))
        expectEqual(machine.entitlements["new"]?.productKind, .unknown)
        expectEqual(machine.entitlements["new"]?.isEntitled, true)
    }

    @Test func `a signed report is used like a listed purchase, and ends only when complete lists lack it for a while`()
    {
        var machine = machine(history(row("filters")))
        machine.take(reports: [row("pro", signed: 10)], at: at(10))
        expectEqual(machine.entitlements["pro"]?.jws, "text")
        machine.take(history(row("filters")), begun: at(309), at: at(309))
        machine.take(history(row("filters")), begun: at(310), at: at(310))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
        expectEqual(machine.nextWake, at(312))
        machine.take(history(row("filters")), begun: at(312), at: at(312))
        expectEqual(machine.entitlements.productIDs, ["filters"])
    }

    @Test(arguments: [(-100.0, true), (-101, false)])
    func `a clock may differ from Apple's by five minutes`(now: TimeInterval, mayBe: Bool) {
        var machine = EntitlementRun()
        machine.take(history(row("pro", signed: 200)), begun: at(now), at: at(now))
        expectEqual(machine.entitlements.issues, mayBe ? [] : [.deviceClockBehind])
        var reported = self.machine(history(row("filters", signed: -1_000)))
        reported.take(reports: [row("pro", signed: 200)], at: at(now))
        expectEqual(reported.entitlements.issues, mayBe ? [] : [.deviceClockBehind], "a report is signed, too")
    }

    @Test func `a clock that is set back is noticed, and gains nothing`() {
        var machine = machine(history(row("basic", ends: 100)))
        machine.take(history(row("basic", ends: 100), row("other", signed: 200)), begun: at(200), at: at(200))
        #expect(machine.entitlements["basic"]?.state == .expired && machine.entitlements.issues.isEmpty)
        machine.take(history(row("basic", ends: 100), row("other", signed: 200)), begun: at(-1_000), at: at(-1_000))
        expectEqual(machine.entitlements["basic"]?.state, .expired)
        expectEqual(machine.entitlements.issues, [.deviceClockBehind])
        var relaunched = EntitlementRun()
        relaunched.take(history(row("basic", ends: 100), row("other", signed: 200)), begun: at(50), at: at(50))
        #expect(
            relaunched.entitlements["basic"]?.state == .expired && relaunched.entitlements.issues.isEmpty,
            "clocks differ a little")
    }

    @Test func `the cache is used until the device has been read, and longer for open questions`() {
        var machine = EntitlementRun()
        let cache = history(row("pro", signed: -50, customer: "1"))
        machine.take(cache: cache, issues: [.cacheRefused("partly")], at: start)
        expectEqual(machine.entitlements.basis, .cached(asOf: at(-50)))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        expectEqual(machine.entitlements.issues, [.cacheRefused("partly")])
        machine.take(history(), begun: start, at: start)
        expectEqual(machine.entitlements.basis, .cached(asOf: at(-50)))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        machine.take(history(row("pro")), begun: at(1), at: at(1))
        #expect(machine.entitlements.basis == .confirmed && machine.entitlements.issues.isEmpty)
        var other = self.machine(history())
        other.take(cache: cache, issues: [], at: at(1))
        #expect(other.entitlements.productIDs.isEmpty, "the device has been read")
    }

    @Test(arguments: ["pro", "other"]) func `a revocation of StoreKit 1 ends a reported purchase`(revoked: String) {
        var machine = machine(history(row("filters")))
        machine.take(
            reports: [report(PurchaseFacts(productID: "pro", transactionID: "7", purchaseDate: start))], at: start)
        expectEqual(machine.entitlements.productIDs, ["filters", "pro"])
        machine.perform { [start] in
            $0.purchasesRevoked(PurchaseRevocation(productIDs: [revoked, "filters"]), at: start)
        }
        expectEqual(machine.entitlements.productIDs, revoked == "pro" ? ["filters"] : ["filters", "pro"])
        #expect(machine.reading != nil, "the receipt says whether signed purchases are revoked, too")
    }

    @Test func `a row of the receipt replaces the report of its purchase, also under another identifier`() {
        var machine = machine(history(row("filters")))
        let reported = PurchaseFacts(
            productID: "pro", transactionID: "7", purchaseDate: at(1), originalTransactionID: "pro")
        machine.take(reports: [report(reported)], at: at(1))
        expectEqual(machine.entitlements["pro"]?.transactionID, "7")
        machine.take(history(row("filters"), row("pro", id: "8")), begun: at(2), at: at(2))
        expectEqual(machine.entitlements["pro"]?.transactionID, "8")
        machine.take(history(row("filters"), row("pro", id: "8", signed: 3, revoked: true)), begun: at(3), at: at(3))
        expectEqual(machine.entitlements.productIDs, ["filters"])
    }

    @Test func `past purchases that were refunded or have expired don't leave an open question`() {
        let cases: [(VerifiedTransaction, StoreEntitlements.Basis)] = [
            (row("pro", revoked: true), .confirmed), (row("basic", ends: -10), .confirmed), (row("pro"), .unknown),
        ]
        for (past, basis) in cases {
            var machine = EntitlementRun()
            for second in [0.0, 1] { machine.take(history(past: [past]), begun: at(second), at: at(second)) }
            expectEqual(machine.entitlements.basis, basis)
        }
    }

    @Test func `a reported consumable isn't saved`() {
        var machine = machine(history(row("pro")))
        let saves = machine.saves
        machine.take(reports: [row("coins", signed: 1, kind: .consumable)], at: at(1))
        expectEqual(machine.saves, saves)
        machine.take(reports: [row("filters", signed: 2)], at: at(2))
        expectEqual(machine.saves, saves + 1)
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
    }

    @Test func `a confirmed answer has no issues about the cache`() {
        let lapsed = row("magazine", ends: -100)
        for history in [history(row("pro")), history(subscriptions: [lapsed])] {
            var machine = EntitlementRun()
            machine.take(cache: PurchaseListing(), issues: [.cacheRefused("damaged")], at: start)
            machine.take(StoreError(.timedOut, ""), begun: start, at: start)
            expectEqual(machine.entitlements.issues, [.cacheRefused("damaged"), .incomplete(.timedOut)])
            for second in [1.0, 2] { machine.take(history, begun: at(second), at: at(second)) }
            #expect(machine.entitlements.issues.isEmpty && machine.entitlements.basis == .confirmed)
        }
        var empty = EntitlementRun()
        empty.take(cache: PurchaseListing(), issues: [.cacheRefused("damaged")], at: start)
        for second in [0.0, 1] {
            empty.take(history(), begun: at(second), at: at(second))
            expectEqual(empty.entitlements.issues.isEmpty, second == 1)
        }
    }

    @Test func `an older report doesn't replace what Apple has signed later`() {
        var machine = EntitlementRun()
        machine.take(reports: [row("pro", signed: 10)], at: at(10))
        machine.take(reports: [row("pro", signed: 5, revoked: true)], at: at(11))
        expectEqual(machine.entitlements["pro"]?.state, .subscribed)
        machine.take(reports: [row("pro", signed: 12, revoked: true)], at: at(12))
        machine.take(reports: [row("pro", signed: 11)], at: at(13))
        #expect(!machine.entitlements.contains("pro"))
    }

    @Test func `a known refund outlasts an older file`() {
        var machine = EntitlementRun()
        machine.take(reports: [row("pro", signed: 10, revoked: true)], at: at(10))
        machine.take(cache: history(row("pro", signed: -50)), issues: [], at: at(11))
        expectEqual(machine.entitlements["pro"]?.state, .revoked)
        machine.take(history(), begun: at(12), at: at(12))
        #expect(!machine.entitlements.contains("pro"))
    }

    @Test(
        arguments: [
            (1, nil, nil, .upgraded), (nil, nil, nil, .subscribed), (1, .familyShared, nil, .subscribed),
            (1, .assigned, nil, .subscribed), (1, nil, .familyShared, .subscribed),
            (1, .familyShared, .familyShared, .subscribed),
        ] as [(Int?, OwnershipType?, OwnershipType?, SubscriptionState)])
    func `a reported upgrade replaces an earlier report of its group if levels are known and the customer paid both`(
        level: Int?, owner: OwnershipType?, newOwner: OwnershipType?, expected: SubscriptionState
    ) {
        let machine = EntitlementStateMachine { id in
            StoreProduct(
                id: id, kind: .autoRenewable, displayName: id, description: "", price: 1,
                priceLocale: Locale(identifier: "en_US"), subscriptionGroupID: "club",
                subscriptionLevel: id == "premium" ? level : 2)
        }
        var run = EntitlementRun(machine)
        run.take(history(row("other")), begun: start, at: start)
        for product in ["basic", "premium"] {
            var report = PurchaseFacts(productID: product, transactionID: product, purchaseDate: at(1))
            report.productKind = .autoRenewable
            report.subscriptionGroupID = "club"
            report.ownershipType = (product == "basic" ? owner : newOwner) ?? .purchased
            run.take(reports: [self.report(report)], at: at(1))
        }
        expectEqual(run.entitlements["basic"]?.state, expected)
        expectEqual(run.entitlements["premium"]?.state, .subscribed)
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

    @Test(arguments: [
        (bought: 90.0, isRevoked: false, isShared: false, kept: ["2"]),
        // A refund ends its own purchase only: while the status says "subscribed", access continues.
        (90, true, false, ["1", "2"]),
        // What another family member has bought says nothing about the customer's own subscription.
        (90, false, true, ["1", "2"]),
        (0, false, false, ["1", "2"]),
        (-90, false, false, ["1", "2"]),
    ])
    func `a subscription's purchase is kept until a later one is listed`(
        bought: TimeInterval, isRevoked: Bool, isShared: Bool, kept: [String]
    ) {
        for asked in [95.0, 150] {
            var records = EntitlementRecords(durations: [:], timing: EntitlementTiming()) { _ in nil }
            records.merge(history(row("club", id: "1", ends: 100)), at: at(50))
            var listing = history(
                row("other"),
                unfinished: [
                    row("club", id: "2", bought: bought, ends: 200, signed: 90, revoked: isRevoked, isShared: isShared)
                ])
            listing.statuses = [
                SubscriptionStatusReport(
                    groupID: "club", state: .subscribed, productID: "club", transactionID: "2",
                    originalTransactionID: "club")
            ]
            records.merge(listing, at: at(asked))
            expectEqual(records.entries.keys.map(\.transactionID).filter { $0 != "other" }.sorted(), kept)
        }
    }

    @Test(arguments: [("A", true), (nil, false)] as [(String?, Bool)])
    func `the latest transaction contradicts a list only if it names the customer`(customer: String?, isKept: Bool) {
        let pro = row("pro", customer: customer)
        let other = row("other", customer: "A")
        var machine = machine(history(pro, other))
        for second in [10.0, 13] {
            let listing = PurchaseListing(completing: PurchaseListing(transactions: [other], latest: [pro]))
            machine.take(listing, begun: at(second), at: at(second))
        }
        expectEqual(machine.entitlements.contains("pro"), isKept)
    }

    @Test func `an unknown kind, and an unknown product, are kept and reported`() {
        let machine = machine(history(row("odd", kind: ProductKind(rawValue: "9"))))
        expectEqual(machine.entitlements["odd"]?.productKind, ProductKind(rawValue: "9"))
        expectEqual(machine.entitlements.productIDs, ["odd"])
        #expect(machine.entitlements["nothing"] == nil && !machine.entitlements.contains("nothing"))
        expectEqual(SubscriptionState(rawValue: "odd").description, "odd")
        expectEqual("\(ProductKind.unknown)", "unknown")
    }
}
