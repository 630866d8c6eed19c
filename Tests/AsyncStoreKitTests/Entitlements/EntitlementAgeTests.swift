import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The age of a cache, and its effect.
@Suite(.bounded) struct EntitlementAgeTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)
    private let day: TimeInterval = 86_400

    private func row(_ productID: String, customer: String?, ends: TimeInterval? = nil, signed: TimeInterval = 0)
        -> VerifiedTransaction
    {
        var row = PurchaseFacts(
            productID: productID, transactionID: productID, purchaseDate: now - 100 * day,
            originalTransactionID: productID,
            expirationDate: ends.map(now.addingTimeInterval),
            productKind: ends == nil ? .nonConsumable : .autoRenewable)
        row.signedDate = now.addingTimeInterval(signed)
        row.appTransactionID = customer
        return VerifiedTransaction(row, text: { "text" })
    }

    private func cache(
        _ rows: VerifiedTransaction..., confirmed: TimeInterval?
    ) -> PurchaseListing {
        var cache = PurchaseListing()
        cache.transactions = rows
        for row in rows { cache.addSignedDate(row.facts.signedDate) }
        cache.confirmedDate = confirmed.map(now.addingTimeInterval)
        return cache
    }

    private func empty(_ run: inout EntitlementRun, after seconds: TimeInterval) {
        run.take(PurchaseListing(completing: PurchaseListing()), begun: now + seconds, at: now + seconds)
    }

    @Test(
        arguments: [
            // In days: the last confirmation, the newest signature; and whether access lasts on a device that lists
            // nothing.
            (-1.0, -60.0, true), (-34, -60, true), (-36, -60, false), (nil, -34, true), (nil, -36, false),
            // The clock was ahead when the file was saved.
            (1, -34, true), (1, -36, false),
        ] as [(TimeInterval?, TimeInterval, Bool)])
    func `a cache is as old as the read that confirmed it last`(
        confirmed: TimeInterval?, signed: TimeInterval, lasts: Bool
    ) {
        var run = EntitlementRun()
        let cache = cache(row("pro", customer: "1", signed: signed * day), confirmed: confirmed.map { $0 * day })
        run.take(cache: cache, issues: [], at: now)
        let date = now + (confirmed.map { $0 > 0 ? signed : $0 } ?? signed) * day
        expectEqual(run.entitlements.basis, .cached(asOf: date))
        for second in [0.0, 2, 100] { empty(&run, after: second) }
        expectEqual(run.entitlements.contains("pro"), lasts)
    }

    @Test func `however long the app was closed, a period in the cache ends only after the device was asked`() {
        var run = EntitlementRun()
        let cache = cache(row("basic", customer: "1", ends: -5 * day, signed: -40 * day), confirmed: -40 * day)
        run.take(cache: cache, issues: [], at: now)
        expectEqual(run.entitlements["basic"]?.state, .subscribed, "it may have been renewed")
        run.take(StoreError(.networkError, ""), begun: now, at: now)
        expectEqual(run.entitlements["basic"]?.state, .expired)
    }

    @Test func `the app sets the lifetime of unconfirmed access`() {
        var run = EntitlementRun(
            EntitlementStateMachine(timing: EntitlementTiming(unconfirmedAccess: 3_600), hasCache: true))
        run.take(cache: cache(row("pro", customer: "1"), confirmed: -3_000), issues: [], at: now)
        for second in [0.0, 100, 500] { empty(&run, after: second) }
        #expect(run.entitlements.contains("pro"))
        for second in [700.0, 1_000] {
            empty(&run, after: second)
            #expect(!run.entitlements.contains("pro"))
            expectEqual(run.entitlements.issues, [.emptyHistory], "the purchase has only lapsed")
        }
        for second in [1_100.0, 1_110] {
            let listing = PurchaseListing(transactions: [row("filters", customer: "1")])
            run.take(PurchaseListing(completing: listing), begun: now + second, at: now + second)
        }
        #expect(run.entitlements.issues.isEmpty, "a list with purchases settles the question")
    }

    @Test func `evidence is as old as its oldest unconfirmed purchase, and a read renews it`() {
        var run = EntitlementRun()
        run.take(
            cache: cache(row("pro", customer: "1"), row("filters", customer: "1"), confirmed: -5 * day), issues: [],
            at: now)
        expectEqual(run.texts.confirmedDate, now - 5 * day)
        let partial = PurchaseListing(
            transactions: [row("pro", customer: "1")], failure: StoreError(.unknown, ""))
        run.take(PurchaseListing(completing: partial), begun: now + 10, at: now + 10)
        expectEqual(run.texts.confirmedDate, now - 5 * day, "a partial read doesn't confirm missing purchases")
        let whole = PurchaseListing(transactions: [row("pro", customer: "1"), row("filters", customer: "1")])
        for second in [20.0, 30] {
            run.take(PurchaseListing(completing: whole), begun: now + second, at: now + second)
            expectEqual(run.texts.confirmedDate, now + second)
        }
        expectEqual(run.texts.customerID, "1")
    }

    @Test func `a report before the cache is loaded is saved after the load`() {
        var run = EntitlementRun()
        run.perform { $0.start(at: now) }
        run.perform { $0.transactionsReported([row("pro", customer: "1")], isPaidHere: false, at: now) }
        expectEqual(run.saves, 0)
        run.perform { $0.cacheLoaded(cache(row("filters", customer: "1"), confirmed: 0), issues: [], at: now) }
        expectEqual(run.saves, 1)
        expectEqual(Set(run.texts.transactions.map(\.facts.productID)), ["pro", "filters"])
        run.take(PurchaseListing(), begun: now + 1, at: now + 1)
        expectEqual(run.saves, 2)
    }

    @Test func `purchases of two customers in one list are never used together`() {
        let own = row("pro", customer: "1", signed: 0)
        let others = row("filters", customer: "2", signed: 5)
        let both = PurchaseListing(completing: PurchaseListing(transactions: [own, others]))
        var known = EntitlementRun()
        known.take(PurchaseListing(completing: PurchaseListing(transactions: [own])), begun: now, at: now)
        known.take(both, begun: now + 10, at: now + 10)
        expectEqual(known.entitlements.productIDs, ["pro"])
        expectEqual(known.entitlements.issues, [.incomplete(.unknown)])
        #expect(known.nextWake != nil, "the device is read again")
        var unknown = EntitlementRun()
        unknown.take(both, begun: now, at: now)
        expectEqual(unknown.entitlements.productIDs, ["filters"], "Apple signed it last")
        expectEqual(both.customersTransactions.map(\.facts.productID), ["filters"])
        known.take(PurchaseListing(completing: PurchaseListing(transactions: [others])), begun: now + 20, at: now + 20)
        expectEqual(known.entitlements.productIDs, ["filters"])
    }
}
