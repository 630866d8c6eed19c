import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// What counts as evidence, statement by statement.
@Suite(.bounded) struct EntitlementStateMachineTests {
    private let start = Date(timeIntervalSince1970: 1_767_225_600)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    private func row(
        _ productID: String, id: String? = nil, bought: TimeInterval = 0, ends: TimeInterval? = nil, signed: TimeInterval = 0,
        revoked: Bool = false, kind: ReceiptProductKind = .nonConsumable
    ) -> SignedStatement<ReceiptTransaction> {
        var row = ReceiptTransaction(
            productID: productID, transactionID: id ?? productID, purchaseDate: at(bought), originalTransactionID: productID,
            expirationDate: ends.map(at), revocationDate: revoked ? at(signed) : nil,
            productKind: ends == nil ? kind : .autoRenewableSubscription)
        row.signedDate = at(signed)
        return SignedStatement(row, text: { "text" })
    }

    private func history(_ rows: SignedStatement<ReceiptTransaction>..., app: String? = nil, failure: StoreError? = nil)
        -> EntitlementHistory
    {
        var signed = SignedPurchaseHistory(transactions: rows, failure: failure)
        signed.app = app.map { SignedStatement(SignedPurchaseHistory.AppDownload(id: $0), text: nil) }
        return EntitlementHistory(signed)
    }

    /// What the payment queue reports, without a signature.
    private func report(_ row: ReceiptTransaction) -> SignedStatement<ReceiptTransaction> { SignedStatement(row, text: nil) }

    private func machine(_ history: EntitlementHistory) -> EntitlementStateMachine {
        var machine = EntitlementStateMachine()
        machine.take(history, begun: start, at: start)
        return machine
    }

    @Test func `nothing is known before the first read, and a first answer that is empty is asked for again`() {
        var machine = EntitlementStateMachine()
        expectEqual(machine.entitlements, .unknown)
        expectEqual(machine.nextRead, nil)
        machine.take(history(), begun: start, at: start)
        expectEqual(machine.entitlements.basis, .confirmed)
        expectEqual(machine.nextRead, at(2))
        machine.take(history(), begun: at(2), at: at(2))
        expectEqual(machine.nextRead, nil)
        machine.take(history(row("pro")), begun: at(3), at: at(3))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        expectEqual(machine.nextRead, nil)
    }

    @Test func `an empty list takes nothing away, unless the App Store has been asked for everything`() {
        var machine = machine(history(row("pro")))
        for second in stride(from: 10.0, to: 50, by: 10) {
            machine.take(history(), begun: at(second), at: at(second))
            expectEqual(machine.entitlements.productIDs, ["pro"])
            expectEqual(machine.entitlements.doubts, [.listsNothing])
        }
        machine.restoreEnded(at: at(60))
        machine.take(history(), begun: at(59), at: at(61))
        expectEqual(machine.entitlements.doubts, [.listsNothing], "it was read before")
        machine.take(history(), begun: at(61), at: at(61))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        expectEqual(machine.nextRead, at(63))
        machine.restoreEnded(at: at(62))
        machine.take(history(), begun: at(63), at: at(63))
        #expect(machine.entitlements.productIDs.isEmpty && machine.entitlements.doubts.isEmpty)
    }

    @Test func `what a complete list lacks is gone when that has lasted, and back when it is listed`() {
        var machine = machine(history(row("pro"), row("filters")))
        machine.take(history(row("filters")), begun: at(10), at: at(10))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
        expectEqual(machine.nextRead, at(12))
        machine.take(history(row("filters"), row("pro")), begun: at(11), at: at(11))
        expectEqual(machine.nextRead, nil)
        machine.take(history(row("filters")), begun: at(20), at: at(20))
        machine.take(history(row("filters"), failure: StoreError(.networkError, "")), begun: at(22), at: at(22))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"], "an incomplete read is no evidence")
        machine.take(history(row("filters")), begun: at(22), at: at(23))
        expectEqual(machine.entitlements.productIDs, ["filters"])
        expectEqual(machine.entitlements["pro"], nil)
    }

    @Test func `a refund counts at once, also when the listing is older`() {
        var machine = machine(history(row("pro", signed: 0)))
        machine.take(history(row("pro", signed: 10, revoked: true)), begun: at(10), at: at(10))
        expectEqual(machine.entitlements["pro"]?.state, .revoked)
        machine.take(history(row("pro", signed: 5)), begun: at(11), at: at(11))
        expectEqual(machine.entitlements["pro"]?.state, .revoked)
        machine.take(history(row("pro", signed: 20)), begun: at(21), at: at(21))
        expectEqual(machine.entitlements["pro"]?.state, .active, "the refund was taken back")
    }

    @Test func `of purchases that were all refunded, the newest is the one that is told`() {
        let older = row("pro", id: "1", revoked: true)
        let newer = row("pro", id: "2", bought: 5, signed: 6, revoked: true)
        for history in [history(older, newer), history(newer, older)] {
            let pro = machine(history).entitlements["pro"]
            expectEqual(pro?.transactionID, "2")
            expectEqual(pro?.state, .revoked)
        }
    }

    @Test func `a failed read changes nothing, says so, and is tried again`() {
        var machine = machine(history(row("pro")))
        machine.take(StoreError(.timedOut, ""), begun: at(10), at: at(11))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        expectEqual(machine.entitlements.basis, .confirmed)
        expectEqual(machine.entitlements.doubts, [.incomplete(.timedOut)])
        expectEqual(machine.nextRead, at(70))
        machine.take(history(row("pro")), begun: at(70), at: at(70))
        #expect(machine.entitlements.doubts.isEmpty && machine.nextRead == nil)
        var other = EntitlementStateMachine()
        other.take(StoreError(.receiptUnavailable, ""), begun: start, at: start)
        expectEqual(other.entitlements.basis, .unknown)
        expectEqual(other.entitlements.doubts, [.incomplete(.receiptUnavailable)])
    }

    @Test func `a period ends when a read that began after it has nothing better, and the end has lasted`() {
        var machine = machine(history(row("basic", ends: 100)))
        expectEqual(machine.entitlements.nextChange, at(100))
        expectEqual(machine.nextRead, at(102))
        machine.take(history(row("basic", ends: 100)), begun: at(100), at: at(100))
        expectEqual(machine.entitlements.nextChange, nil, "who sleeps until then would wake for it again")
        machine.take(history(row("basic", ends: 100)), begun: at(101), at: at(500))
        expectEqual(machine.entitlements.productIDs, ["basic"], "the read began before")
        expectEqual(machine.nextRead, at(102), "the read began before")
        expectEqual(machine.entitlements.nextChange, nil)
        machine.take(StoreError(.timedOut, ""), begun: at(102), at: at(103))
        expectEqual(machine.entitlements["basic"]?.state, .expired, "who cannot be asked cannot say that it goes on")
        machine.take(history(row("basic", ends: 100), row("basic", id: "2", ends: 300)), begun: at(110), at: at(110))
        expectEqual(machine.entitlements["basic"]?.state, .active)
        expectEqual(machine.nextRead, at(302))
    }

    @Test func `another customer's list takes the place of everything`() {
        var machine = machine(history(row("pro"), app: "1"))
        machine.take(history(app: "1"), begun: at(10), at: at(10))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        machine.take(history(app: "2"), begun: at(20), at: at(20))
        #expect(machine.entitlements.all.isEmpty && machine.entitlements.doubts.isEmpty)
    }

    @Test(arguments: ["1", "2"]) func `what was kept from an earlier run is forgotten when it was another customer's`(app: String) {
        var machine = EntitlementStateMachine()
        machine.take(cache: history(row("pro"), app: "1"), doubts: [], at: at(1))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        machine.take(history(app: app), begun: at(2), at: at(2))
        expectEqual(machine.entitlements.productIDs, app == "1" ? ["pro"] : [])
    }

    @Test func `a report counts until the list has the purchase, or for a time`() {
        let report = self.report(
            ReceiptTransaction(productID: "pro", transactionID: "7", purchaseDate: at(10), productKind: .nonConsumable))
        var machine = machine(history(row("filters")))
        machine.take(reports: [report], at: at(10))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
        expectEqual(machine.entitlements["pro"]?.signedTransaction, nil)
        machine.take(history(row("filters")), begun: at(100), at: at(100))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
        expectEqual(machine.nextRead, at(310))
        machine.take(history(row("filters")), begun: at(310), at: at(310))
        expectEqual(machine.entitlements.productIDs, ["filters"])
        expectEqual(machine.nextRead, nil)
        machine.take(reports: [report], at: at(311))
        expectEqual(machine.entitlements.productIDs, ["filters"], "an old report is left to the list")
        var other = self.machine(history(row("filters")))
        other.take(reports: [report], at: at(10))
        other.take(history(row("filters"), row("pro", id: "7", signed: 11)), begun: at(11), at: at(11))
        expectEqual(other.entitlements["pro"]?.signedTransaction, "text")
        expectEqual(other.nextRead, nil)
    }

    @Test func `a report of a subscription lasts as long as a report counts, and a consumable's is none`() {
        var machine = machine(history(row("basic", ends: 5)))
        machine.take(reports: [report(ReceiptTransaction(productID: "basic", transactionID: "7", purchaseDate: at(10)))], at: at(10))
        expectEqual(machine.entitlements["basic"]?.accessEndDate, at(310))
        let coins = ReceiptTransaction(productID: "coins", transactionID: "8", purchaseDate: at(10), productKind: .consumable)
        machine.take(reports: [report(coins)], at: at(10))
        expectEqual(machine.entitlements["coins"], nil)
        machine.take(reports: [report(ReceiptTransaction(productID: "new", transactionID: "9", purchaseDate: at(10)))], at: at(10))
        expectEqual(machine.entitlements["new"]?.kind, .unknown)
        expectEqual(machine.entitlements["new"]?.isEntitled, true)
    }

    @Test func `a signed report is kept like what is listed, and is gone only when a complete list lacks it for long`() {
        var machine = machine(history(row("filters")))
        machine.take(reports: [row("pro", signed: 10)], at: at(10))
        expectEqual(machine.entitlements["pro"]?.signedTransaction, "text")
        machine.take(history(row("filters")), begun: at(309), at: at(309))
        machine.take(history(row("filters")), begun: at(310), at: at(310))
        expectEqual(machine.entitlements.productIDs, ["pro", "filters"])
        expectEqual(machine.nextRead, at(312))
        machine.take(history(row("filters")), begun: at(312), at: at(312))
        expectEqual(machine.entitlements.productIDs, ["filters"])
    }

    @Test(arguments: [(-100.0, true), (-101, false)])
    func `a clock may differ from Apple's by five minutes`(now: TimeInterval, mayBe: Bool) {
        var machine = EntitlementStateMachine()
        machine.take(history(row("pro", signed: 200)), begun: at(now), at: at(now))
        expectEqual(machine.entitlements.doubts, mayBe ? [] : [.clockSetBack])
    }

    @Test func `a clock that is set back is noticed, and gains nothing`() {
        var machine = machine(history(row("basic", ends: 100)))
        machine.take(history(row("basic", ends: 100), row("other", signed: 200)), begun: at(200), at: at(200))
        #expect(machine.entitlements["basic"]?.state == .expired && machine.entitlements.doubts.isEmpty)
        machine.take(history(row("basic", ends: 100), row("other", signed: 200)), begun: at(-1_000), at: at(-1_000))
        expectEqual(machine.entitlements["basic"]?.state, .expired)
        expectEqual(machine.entitlements.doubts, [.clockSetBack])
        var relaunched = EntitlementStateMachine()
        relaunched.take(history(row("basic", ends: 100), row("other", signed: 200)), begun: at(50), at: at(50))
        #expect(relaunched.entitlements["basic"]?.state == .expired && relaunched.entitlements.doubts.isEmpty, "clocks differ a little")
    }

    @Test func `the cache counts until the device has been read, and longer where that lacks an answer`() {
        var machine = EntitlementStateMachine()
        var cache = history(row("pro", signed: -50))
        cache.app = SignedStatement(SignedPurchaseHistory.AppDownload(id: "1"), text: nil)
        machine.take(cache: cache, doubts: [.cacheRefused("partly")], at: start)
        expectEqual(machine.entitlements.basis, .cached(asOf: at(-50)))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        expectEqual(machine.entitlements.doubts, [.cacheRefused("partly")])
        machine.take(history(), begun: start, at: start)
        expectEqual(machine.entitlements.basis, .cached(asOf: at(-50)))
        expectEqual(machine.entitlements.productIDs, ["pro"])
        machine.take(history(row("pro")), begun: at(1), at: at(1))
        #expect(machine.entitlements.basis == .confirmed && machine.entitlements.doubts.isEmpty)
        var other = self.machine(history())
        other.take(cache: cache, doubts: [], at: at(1))
        #expect(other.entitlements.productIDs.isEmpty, "the device has been read")
    }

    @Test func `an unknown kind, and an unknown product, are kept and said`() {
        let machine = machine(history(row("odd", kind: ReceiptProductKind(rawValue: 9))))
        expectEqual(machine.entitlements["odd"]?.kind, .unknown)
        expectEqual(machine.entitlements.productIDs, ["odd"])
        #expect(machine.entitlements["nothing"] == nil && !machine.entitlements.contains(anyOf: ["nothing"]))
        expectEqual(StoreEntitlement.State(rawValue: "odd").description, "odd")
        expectEqual("\(StoreEntitlement.Kind.unknown)", "unknown")
    }
}
