import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// When a purchase ends: by complete lists, by its own dates, by the subscription's statuses and renewals, by the
/// history, and by what Apple has signed since.
@Suite(.bounded) struct EntitlementPeriodTests {
    static let scripts = [
        Script(
            "a product that complete lists lack for a while is gone, and back when it is listed",
            """
            read -1+0 pro filters, read 10 filters, owns → filters + pro, wakes → 11
            read 11 filters pro, wakes → none, read 20 filters, read 22 partial filters, owns → filters + pro
            read 22 until 23 filters, owns → filters, state pro → none
            """),
        Script(
            "access that has ended doesn't come back with a read that says nothing",
            """
            read -1+0 pro basic:ends=100, read 10000+10100 pro subscriptions basic:ends=100 says expired
            state basic → expired, fail 10200, state basic → expired, read 10300, state basic → expired
            read 10400 partial pro subscriptions basic:ends=100, state basic → expired
            read 10500 partial pro subscriptions basic:ends=20000, state basic → subscribed
            new, read -1+0 pro basic:ends=100, read 10000+10100 pro subscriptions basic:ends=100 says expired
            fail 10200, report 10201 basic:ends=100, state basic → expired
            """),
        Script(
            "an open question stays open when a read says nothing",
            """
            read -1+0 basic:ends=100 renewal yes, read 200+300 subscriptions basic:ends=100 says expired renewal yes
            asks → yes, read 301, state basic → expired, asks → yes
            """),
        Script(
            "a clock that was ahead has ended access only until it is put back",
            """
            cache 0 basic:ends=-1d:signed=-10d:by=1 confirmed -10d, read 60d, state basic → expired, asks → yes
            saved → none, explained → basic, read 1, state basic → subscribed, asks → yes
            saved → basic, explained → none, confirmed → -10d
            """),
        Script(
            "an unfinished period doesn't replace the later one that a read has ended",
            """
            read -1+0 basic:id=1:ends=100
            read 300 unfinished basic:id=1:ends=100 subscriptions basic:id=2:from=100:ends=200 says expired renewal yes
            state basic → expired, read 400 unfinished basic:id=1:ends=100, state basic → expired
            """),
        Script(
            "a cache says why access has ended",
            """
            read -1+0 pro basic:ends=100, read 10000+10100 pro subscriptions basic:ends=100 says expired
            saved → pro, explained → basic
            """),
        Script(
            "a list with purchases starts the time of empty lists over",
            """
            cache 0 pro:signed=-40d, read 0, owns → pro, read 50 filters, read 100, read 130, owns → filters + pro
            read 180, owns → filters
            """),
        Script(
            "an empty list doesn't contradict purchases that have ended",
            """
            read -1+0 basic:ends=100 premium:ends=50, read 60 subscriptions basic:ends=100:signed=40:revoked
            state basic → revoked, state premium → subscribed, issues → emptyHistory
            read 110 basic:ends=100:signed=40:revoked, state premium → expired
            read 120, state basic → revoked, issues → none
            """),
        Script(
            "the latest transaction contradicts a list only if it names the customer",
            """
            read -1+0 pro:by=1 other:by=1, read 10+13 other:by=1 latest pro:by=1, owns → other + pro
            new, read -1+0 pro other:by=1, read 10+13 other:by=1 latest pro, owns → other
            """),
        Script(
            "a listed period is a question if the status says that the subscription runs with another product",
            """
            read -1+0+1+20 basic:ends=10000 says subscribed:product=premium:of=basic, owns → basic, asks → yes
            new, read -1+0+1+20 basic:ends=10000 says inGracePeriod:product=premium:of=basic, asks → yes
            new, read -1+0+1+20 basic:ends=10000 says expired:product=premium:of=basic, owns → basic, asks → no
            new, read -1+0+1+20 basic:ends=10000 says revoked:product=premium:of=basic, owns → basic, asks → no
            new, read -1+0+1+20 basic:ends=10000 says inBillingRetryPeriod:product=premium:of=basic, asks → no
            """),
        Script("a kind that Apple adds later is kept", "read -1+0 odd:kind=9, kind odd → 9, owns → odd"),
        Script(
            "purchases that only the full history has give no access",
            """
            read -1+0+100+500 past a b:kind=season c:ends=1000 d:kind=, owns → none, knows → none
            new, read -1+0+100+500 pro past a b:kind=season c:ends=1000 d:kind=, owns → pro, knows → pro
            """),
        Script(
            "the full history has the reason why access ended",
            """
            read -1+0 pro past refunded:signed=1:revoked old:ends=-10 pro:id=0:revoked a:id=1:ends=-10 a:id=2:ends=1000
            knows → old + pro + refunded, state refunded → revoked, signed refunded → yes, state old → expired
            state pro → subscribed, read 1010 pro past a:id=1:ends=-10 a:id=2:ends=1000, state a → expired
            saved → pro
            """),
        Script(
            "past purchases that were refunded or have expired, or whose status is known, leave no open question",
            """
            read 0+1 past pro:revoked, basis → confirmed, new, read 0+1 past basic:ends=-10, basis → confirmed
            new, read 0+1 past pro, basis → unknown
            new, read -1+0 pro past basic:ends=1000 says expired, basis → confirmed, issues → none, wakes → none
            """),
        Script(
            "a confirmed answer is unknown again when the history names a purchase that the list lacks",
            """
            read -1+0 unread pro, basis → confirmed, read 5 pro past filters, basis → unknown, owns → pro
            read 85 pro past filters, basis → confirmed, issues → emptyHistory
            """),
        Script(
            "how long ago a period ended is measured by what Apple has signed since, not by a clock that is ahead",
            """
            read -1+0 basic:ends=100 pro, read 700 basic:ends=100 pro:signed=101, state basic → subscribed
            read 758 basic:ends=100 pro:signed=101, state basic → subscribed
            read 759 basic:ends=100 pro:signed=101, state basic → expired
            """),
        Script(
            "a period ends a minute after the clock is set right, if Apple's last signature is from its end",
            """
            read 40d basic:from=-1000:ends=0, read 1+2+30+62+70 basic:from=-1000:ends=0, owns → none
            """),
        Script(
            "a period ends when a later complete read has no renewal, and the end has lasted",
            """
            read -1+0 basic:ends=100, changes → 100, wakes → 102, read 100 basic:ends=100, changes → none
            read 101 until 500 basic:ends=100, owns → basic, wakes → 502
            fail 102+202+402+902, state basic → subscribed, read 159 basic:ends=100, state basic → subscribed
            read 160 basic:ends=100, state basic → expired, asks → yes
            read 170 basic:ends=100 basic:id=2:ends=300, state basic → subscribed, wakes → 302
            """),
        Script(
            "an end that Apple has announced is applied when it has lasted, and another one when no renewal can be late",
            """
            read -1+0 basic:ends=100 renewal no, read 101 basic:ends=100 renewal no, state basic → subscribed
            read 102 basic:ends=100 renewal no, state basic → expired, changes → none
            new, read -1+0 basic:ends=100 renewal yes, read 159 pro says expired renewal yes, state basic → subscribed
            read 160 pro says expired renewal yes, state basic → expired
            """),
        Script(
            "a refunded period that is paid for again ends at its end again",
            """
            read 0 basic:ends=100, changes → 100, read 10 basic:ends=100:signed=10:revoked, state basic → revoked
            changes → none, read 20 basic:ends=100:signed=20, state basic → subscribed, changes → 100
            """),
        Script(
            "of two statuses of one subscription, the better one is used",
            """
            read -1+0 basic:ends=100, read 200 pro says expired subscribed, state basic → subscribed
            new, read -1+0 basic:ends=100, read 200 pro says subscribed expired, state basic → subscribed
            """),
        // 35 days after the period.
        Script(
            "a status gives access after the period until Apple has signed something 35 days later",
            """
            read -1+0 basic:ends=0 says subscribed, read 101 basic:ends=0 pro:signed=101 says subscribed
            state basic → subscribed, asks → yes, read 3023999 basic:ends=0 pro:signed=3023999 says subscribed
            state basic → subscribed, asks → yes, read 35d basic:ends=0 pro:signed=35d says subscribed
            state basic → expired, asks → yes
            new, read -1+0 basic:ends=0 says inGracePeriod, read 101 basic:ends=0 pro:signed=101 says inGracePeriod
            state basic → inGracePeriod, asks → yes, read 35d basic:ends=0 pro:signed=35d says inGracePeriod
            state basic → expired, asks → yes
            """),
        Script(
            "a device clock that is ahead doesn't outweigh a status",
            """
            read -1+0 basic:ends=100 says subscribed, read 400d basic:ends=100 says subscribed
            state basic → subscribed
            """),
        Script(
            "a status that says revoked ends a period that runs by its dates",
            """
            read -1+0 basic:ends=100 pro, read 50 pro subscriptions basic:ends=100 says revoked
            state basic → revoked, asks → yes
            """),
        Script(
            "a running period isn't ended by a next period that is listed before it begins",
            """
            read -1+0 gold:ends=100:of=basic, read 50+60+99 basic:id=2:from=100:ends=200:signed=50 pro
            state gold → subscribed, issues → none, basis → confirmed
            read 101+170 basic:id=2:from=100:ends=200:signed=50 pro, owns → basic + pro
            """),
        Script(
            "a next period that has begun ends the one before it",
            """
            read -1+0 gold:ends=100:of=basic, read 50 basic:id=2:from=50:ends=200:signed=50, owns → basic
            """),
        Script(
            "a family member's next period doesn't name the customer's own subscription",
            """
            read -1+0 gold:ends=100:of=basic, read 50+53 basic:id=2:from=100:ends=200:signed=50:family pro
            state gold → none
            """),
        Script(
            "a renewal in the full history doesn't prolong a subscription",
            """
            read -1+0 basic:id=1:ends=100
            read 200 subscriptions basic:id=1:ends=100 past basic:id=2:from=100:ends=1000:signed=100
            state basic → expired
            """),
        Script(
            "a later transaction in the history says why a period that is listed has ended",
            """
            read -1+0+200 pro subscriptions basic:ends=100 past basic:id=2:from=90:ends=300:signed=150:revoked
            state basic → revoked, id basic → 2
            """),
        Script(
            "a product that isn't listed is no question if the list has a refunded renewal of its subscription",
            """
            read -1+0 gold:ends=100:of=basic renewal yes:product=gold:of=basic
            read 300+302+304 basic:id=2:from=100:ends=200:signed=250:revoked renewal yes:product=gold:of=basic
            owns → none, wakes → none
            """),
        Script(
            "of several renewals, the one that Apple signed last is used",
            """
            read -1+0 basic:ends=100 renewal yes:signed=10 no:signed=30, renews basic → no
            read 40 basic:ends=100 renewal yes:signed=20, renews basic → no
            new, read -1+0 basic:ends=100 renewal no:signed=30 yes:signed=10, renews basic → no
            """),
        Script(
            "a renewal that names no known product is about the whole subscription",
            """
            read -1+0 basic:ends=100 renewal no:product=gold:of=basic, renews basic → no
            new, read -1+0 basic:ends=100 gold:ends=200:of=basic renewal no:product=gold:of=basic
            renews basic → unknown, renews gold → no
            """),
        Script(
            "the last of several grace periods is the end of access",
            """
            read -1+0+200 basic:ends=100 renewal unknown:grace=150:signed=10 unknown:grace=300:signed=20
            state basic → inGracePeriod, wakes → 302
            """),
        Script(
            "while a renewal may be late, access continues in its last state",
            """
            read -1+0+110 basic:ends=100 renewal unknown:grace=100, state basic → subscribed, ends basic → 100
            new, read -1+0+110 basic:ends=100 renewal unknown:grace=105, state basic → inGracePeriod, ends basic → 105
            """),
        Script(
            "lists that lack a purchase while its report is recent don't count later",
            """
            read -1+0 pro, report 0 basic:ends=10000, read 1+299+301 pro, owns → basic + pro, read 303 pro, owns → pro
            """),
        Script(
            "a failed read doesn't start the time of empty lists over",
            """
            read 0 unread, fail 40, read 79 unread, basis → unknown, read 80 unread, basis → confirmed
            """),
    ]

    @Test(arguments: scripts) func `a purchase ends when nothing that Apple says continues it`(script: Script) {
        var entitlements = EntitlementScript()
        script.play { entitlements.perform($0) }
    }

    private let start = Date(timeIntervalSince1970: 1_767_225_600)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    private func club(
        id: String, bought: TimeInterval = 0, ends: TimeInterval? = nil, signed: TimeInterval = 0,
        isRevoked: Bool = false, isShared: Bool = false
    ) -> VerifiedTransaction {
        var row = PurchaseFacts(
            productID: "club", transactionID: id, purchaseDate: at(bought), originalTransactionID: "club",
            expirationDate: ends.map(at), revocationDate: isRevoked ? at(signed) : nil,
            productKind: ends == nil ? .nonConsumable : .autoRenewable)
        row.signedDate = at(signed)
        row.ownershipType = isShared ? .familyShared : .purchased
        return VerifiedTransaction(row, text: { "text" })
    }

    @Test(arguments: [true, false]) func `a product that has been a subscription is one in each of its purchases`(
        isFirst: Bool
    ) {
        let rows = [club(id: "9", bought: -10, isRevoked: true), club(id: "1", ends: 100)]
        let records = (isFirst ? rows : rows.reversed()).map { row in
            var facts = row.facts
            facts.originalTransactionID = facts.transactionID
            return KnownPurchase.Record(signedTransaction: row.with(facts), confirmed: start)
        }
        let purchases = KnownPurchase.all(records, [:], durations: [:])
        let states = purchases.compactMap { $0.current(at: at(200))?.entitlement.state }
        expectEqual(Set(states), [.revoked, .expired])
    }

    @Test func `of the past periods of a subscription, the newest one is kept, and every revoked one`() {
        var past = PastTransactions()
        past.add((1...20).map { club(id: "\($0)", bought: Double($0), ends: Double($0 + 1)) })
        past.add([club(id: "21", bought: 5, ends: 6, signed: 6, isRevoked: true)])
        expectEqual(Set(past.all.keys.map(\.transactionID)), ["20", "21"])
    }

    @Test func `of past periods with the same dates, the one with the newest identifier is kept`() {
        for count in 9...30 {
            var past = PastTransactions()
            past.add((8...count).map { club(id: "\($0)", ends: 100) })
            expectEqual(past.all.keys.map(\.transactionID), ["\(count)"])
        }
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
            records.merge(PurchaseListing(transactions: [club(id: "1", ends: 100)]), at: at(50))
            let next = club(id: "2", bought: bought, ends: 200, signed: 90, isRevoked: isRevoked, isShared: isShared)
            var listing = PurchaseListing(transactions: [club(id: "other")], unfinished: [next])
            listing.transactions[0] = listing.transactions[0].with(
                PurchaseFacts(productID: "other", transactionID: "other", purchaseDate: start))
            listing.statuses = [
                SubscriptionStatusReport(
                    groupID: "club", state: .subscribed, productID: "club", transactionID: "2",
                    originalTransactionID: "club")
            ]
            records.merge(PurchaseListing(completing: listing), at: at(asked))
            expectEqual(records.entries.keys.map(\.transactionID).filter { $0 != "other" }.sorted(), kept)
        }
    }
}
