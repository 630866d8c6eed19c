import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// When a period ends: by its own dates, by the subscription's statuses, and by what Apple has signed since.
@Suite(.bounded) struct EntitlementPeriodTests {
    private static let day: TimeInterval = 86_400
    private let start = Date(timeIntervalSince1970: 1_767_225_600)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    private func period(
        _ productID: String = "basic", id: String = "1", from bought: TimeInterval = 0, to end: TimeInterval = 100,
        signed: TimeInterval = 0, isShared: Bool = false, isRevoked: Bool = false
    ) -> VerifiedTransaction {
        var row = PurchaseFacts(
            productID: productID, transactionID: id, purchaseDate: at(bought), originalTransactionID: "club",
            expirationDate: at(end), revocationDate: isRevoked ? at(signed) : nil, productKind: .autoRenewable)
        row.signedDate = at(signed)
        row.ownershipType = isShared ? .familyShared : .purchased
        return VerifiedTransaction(row, text: { "text" })
    }

    private func owned(_ productID: String, signed: TimeInterval = 0) -> VerifiedTransaction {
        var row = PurchaseFacts(
            productID: productID, transactionID: productID, purchaseDate: start, productKind: .nonConsumable)
        row.signedDate = at(signed)
        return VerifiedTransaction(row, text: { "text" })
    }

    private func renewal(
        of productID: String = "basic", willRenew: Bool? = nil, grace: TimeInterval? = nil, signed: TimeInterval = 0
    ) -> VerifiedRenewal {
        var renewal = RenewalFacts(productID: productID, originalTransactionID: "club")
        renewal.willAutoRenew = willRenew
        renewal.gracePeriodExpirationDate = grace.map(at)
        renewal.signedDate = at(signed)
        return VerifiedRenewal(ReceiptRenewal(renewal), text: { "\(signed)" })
    }

    private func read(
        _ transactions: [VerifiedTransaction], subscriptions: [VerifiedTransaction] = [],
        past: [VerifiedTransaction] = [], hasReadPast: Bool = true, statuses: [SubscriptionState] = [],
        renewals: [VerifiedRenewal] = []
    ) -> PurchaseListing {
        var listing = PurchaseListing(transactions: transactions, subscriptions: subscriptions, past: past)
        listing.renewals = renewals
        listing.hasReadPast = hasReadPast
        listing.statuses = statuses.map {
            SubscriptionStatusReport(
                groupID: "club", state: $0, productID: "basic", transactionID: "1", originalTransactionID: "club")
        }
        return PurchaseListing(completing: listing)
    }

    /// A machine after the first read of a launch and its repetition.
    private func machine(_ read: PurchaseListing) -> EntitlementRun {
        var machine = EntitlementRun()
        for second in [-1.0, 0] { machine.take(read, begun: at(second), at: at(second)) }
        return machine
    }

    @Test func `how long ago a period ended is measured by what Apple has signed since, not by a clock that is ahead`()
    {
        var machine = machine(read([period(), owned("pro")]))
        // By the device's clock, the period ended ten minutes ago. By Apple's signature, it ended a second ago.
        machine.take(read([period(), owned("pro", signed: 101)]), begun: at(700), at: at(700))
        expectEqual(machine.entitlements["basic"]?.state, .subscribed, "the renewal may be late")
        machine.take(read([period(), owned("pro", signed: 101)]), begun: at(758), at: at(758))
        expectEqual(machine.entitlements["basic"]?.state, .subscribed)
        machine.take(read([period(), owned("pro", signed: 101)]), begun: at(759), at: at(759))
        expectEqual(machine.entitlements["basic"]?.state, .expired, "a minute has passed since the signature")
    }

    @Test(arguments: [[SubscriptionState.expired, .subscribed], [.subscribed, .expired]])
    func `of two statuses of one subscription, the better one is used`(statuses: [SubscriptionState]) {
        var machine = machine(read([period()], statuses: statuses))
        machine.take(read([owned("pro")], statuses: statuses), begun: at(200), at: at(200))
        expectEqual(machine.entitlements["basic"]?.state, .subscribed)
    }

    @Test(arguments: [SubscriptionState.subscribed, .inGracePeriod])
    func `a status gives access after the period until Apple has signed something 35 days later`(
        state: SubscriptionState
    ) {
        let limit = 100 + 35 * Self.day
        var machine = machine(read([period()], statuses: [state]))
        for (signed, isEntitled) in [(101.0, true), (limit - 1, true), (limit, false)] {
            let listing = read([period(), owned("pro", signed: signed)], statuses: [state])
            machine.take(listing, begun: at(signed), at: at(signed))
            expectEqual(
                machine.entitlements["basic"]?.state, isEntitled ? state : .expired, "signed after \(signed) s")
            #expect(machine.nextWake != nil, "the status and the signatures disagree")
        }
    }

    @Test func `a device clock that is ahead doesn't outweigh a status`() {
        var machine = machine(read([period()], statuses: [.subscribed]))
        let later = 400 * Self.day
        machine.take(read([period()], statuses: [.subscribed]), begun: at(later), at: at(later))
        expectEqual(machine.entitlements["basic"]?.state, .subscribed)
    }

    @Test func `a running period isn't ended by a next period that is listed before it begins`() {
        var machine = machine(read([period("gold")]))
        let listing = read([period("basic", id: "2", from: 100, to: 200, signed: 50), owned("pro")])
        for second in [50.0, 60, 99] {
            machine.take(listing, begun: at(second), at: at(second))
            expectEqual(machine.entitlements["gold"]?.state, .subscribed)
            #expect(machine.entitlements.issues.isEmpty && machine.entitlements.basis == .confirmed)
        }
        for second in [101.0, 170] { machine.take(listing, begun: at(second), at: at(second)) }
        expectEqual(machine.entitlements.productIDs, ["basic", "pro"])
    }

    @Test func `a next period that has begun ends the one before it`() {
        var machine = machine(read([period("gold")]))
        machine.take(read([period("basic", id: "2", from: 50, to: 200, signed: 50)]), begun: at(50), at: at(50))
        expectEqual(machine.entitlements.productIDs, ["basic"])
    }

    @Test func `a family member's next period doesn't name the customer's own subscription`() {
        var machine = machine(read([period("gold")]))
        let shared = read([period("basic", id: "2", from: 100, to: 200, signed: 50, isShared: true), owned("pro")])
        for second in [50.0, 53] { machine.take(shared, begun: at(second), at: at(second)) }
        #expect(!machine.entitlements.contains("gold"), "lists have lacked it for two seconds")
    }

    @Test func `a confirmed answer is unknown again when the history names a purchase that the list lacks`() {
        var machine = machine(read([owned("pro")], hasReadPast: false))
        expectEqual(machine.entitlements.basis, .confirmed)
        let listing = read([owned("pro")], past: [owned("filters")])
        machine.take(listing, begun: at(5), at: at(5))
        expectEqual(machine.entitlements.basis, .unknown)
        expectEqual(machine.entitlements.productIDs, ["pro"], "the history gives no access")
        machine.take(listing, begun: at(85), at: at(85))
        expectEqual(machine.entitlements.basis, .confirmed)
        expectEqual(machine.entitlements.issues, [.emptyHistory])
    }

    @Test func `lists that lack a purchase while its report is recent don't count later`() {
        var machine = machine(read([owned("pro")]))
        machine.take(reports: [period(to: 10_000)], at: start)
        for second in [1.0, 299] { machine.take(read([owned("pro")]), begun: at(second), at: at(second)) }
        machine.take(read([owned("pro")]), begun: at(301), at: at(301))
        #expect(machine.entitlements.contains("basic"), "this is the first list that counts")
        machine.take(read([owned("pro")]), begun: at(303), at: at(303))
        #expect(!machine.entitlements.contains("basic"))
    }

    @Test func `empty lists count again from the first one after a list with purchases`() {
        var machine = EntitlementRun()
        machine.take(read([owned("pro")]), begun: start, at: start)
        let later = 36 * Self.day
        // Nothing has confirmed the purchase for 35 days, and the device lists nothing.
        machine.take(read([]), begun: at(later), at: at(later))
        machine.take(read([owned("filters")], subscriptions: []), begun: at(later + 1), at: at(later + 1))
        machine.take(read([]), begun: at(later + 79), at: at(later + 79))
        machine.take(read([]), begun: at(later + 82), at: at(later + 82))
        #expect(machine.entitlements.contains("filters"))
        machine.take(read([]), begun: at(later + 36 * Self.day), at: at(later + 36 * Self.day))
        #expect(!machine.entitlements.contains("filters"), "unconfirmed for 35 days, and empty for 80 seconds")
    }

    @Test(arguments: [(1, false), (2, false), (3, true)])
    func `over StoreKit 1, a report of the same or a lower level waits for the receipt`(
        runningLevel: Int, isAtOnce: Bool
    ) {
        let machine = EntitlementStateMachine { id in
            StoreProduct(
                id: id, kind: .autoRenewable, displayName: id, description: "", price: 1,
                priceLocale: Locale(identifier: "en_US"), subscriptionGroupID: "club",
                subscriptionLevel: id == "basic" ? runningLevel : 2)
        }
        var run = EntitlementRun(machine)
        run.take(read([period(to: 10_000)]), begun: start, at: start)
        var report = PurchaseFacts(productID: "other", transactionID: "2", purchaseDate: at(1))
        report.productKind = .autoRenewable
        report.subscriptionGroupID = "club"
        run.take(reports: [VerifiedTransaction(report)], at: at(1))
        expectEqual(run.entitlements.contains("other"), isAtOnce)
    }

    @Test func `an ended read answers later calls for a second`() {
        var machine = machine(read([owned("pro")]))
        for (second, isRead) in [(0.5, false), (1, true)] {
            let call = CallID()
            machine.perform { $0.current(call, at: at(second)) }
            expectEqual(machine.reading != nil, isRead)
            expectEqual(machine.resumed.contains(call), !isRead)
        }
    }

    @Test func `a status that says revoked ends a period that runs by its dates`() {
        var machine = machine(read([period(), owned("pro")]))
        machine.take(read([owned("pro")], subscriptions: [period()], statuses: [.revoked]), begun: at(50), at: at(50))
        expectEqual(machine.entitlements["basic"]?.state, .revoked)
        #expect(machine.nextWake != nil, "Apple has signed no revocation")
    }

    @Test func `a status answers the question that a purchase in the history raises`() {
        let machine = machine(read([owned("pro")], past: [period(to: 1_000)], statuses: [.expired]))
        expectEqual(machine.entitlements.basis, .confirmed)
        #expect(machine.entitlements.issues.isEmpty && machine.nextWake == nil)
    }

    @Test func `a later transaction in the history says why a period that is listed has ended`() {
        let refunded = period(id: "2", from: 90, to: 300, signed: 150, isRevoked: true)
        let listing = read([owned("pro")], subscriptions: [period()], past: [refunded])
        var machine = machine(listing)
        machine.take(listing, begun: at(200), at: at(200))
        expectEqual(machine.entitlements["basic"]?.state, .revoked)
        expectEqual(machine.entitlements["basic"]?.transactionID, "2")
    }

    @Test func `a failed read doesn't start the time of empty lists over`() {
        var machine = EntitlementRun()
        machine.take(read([], hasReadPast: false), begun: start, at: start)
        machine.take(StoreError(.networkError, ""), begun: at(40), at: at(40))
        machine.take(read([], hasReadPast: false), begun: at(79), at: at(79))
        expectEqual(machine.entitlements.basis, .unknown)
        machine.take(read([], hasReadPast: false), begun: at(80), at: at(80))
        expectEqual(machine.entitlements.basis, .confirmed)
    }

    @Test(arguments: [true, false]) func `of several renewals, the one that Apple signed last is used`(isLast: Bool) {
        let renewals = [renewal(willRenew: true, signed: 10), renewal(willRenew: false, signed: 30)]
        var machine = machine(read([period()], renewals: isLast ? renewals : renewals.reversed()))
        expectEqual(machine.entitlements["basic"]?.renewal?.willRenew, false)
        machine.take(
            read([period()], renewals: [renewal(willRenew: true, signed: 20)]), begun: at(40), at: at(40))
        expectEqual(machine.entitlements["basic"]?.renewal?.willRenew, false, "an older signature")
    }

    @Test func `a renewal that names no known product is about the whole subscription`() {
        let other = renewal(of: "gold", willRenew: false)
        expectEqual(machine(read([period()], renewals: [other])).entitlements["basic"]?.renewal?.willRenew, false)
        let both = machine(read([period(), period("gold", id: "2", to: 200)], renewals: [other])).entitlements
        expectEqual(both["basic"]?.renewal, nil)
        expectEqual(both["gold"]?.renewal?.willRenew, false)
    }

    @Test func `the last of several grace periods is the end of access`() {
        let renewals = [renewal(grace: 150, signed: 10), renewal(grace: 300, signed: 20)]
        var machine = machine(read([period()], renewals: renewals))
        machine.take(read([period()], renewals: renewals), begun: at(200), at: at(200))
        expectEqual(machine.entitlements["basic"]?.state, .inGracePeriod)
        expectEqual(machine.nextWake, at(302), "no question is open")
    }

    @Test(arguments: [(100.0, SubscriptionState.subscribed), (105, .inGracePeriod)])
    func `while a renewal may be late, access continues in its last state`(
        grace: TimeInterval, state: SubscriptionState
    ) {
        var machine = machine(read([period()], renewals: [renewal(grace: grace)]))
        machine.take(read([period()], renewals: [renewal(grace: grace)]), begun: at(110), at: at(110))
        expectEqual(machine.entitlements["basic"]?.state, state)
        expectEqual(machine.entitlements["basic"]?.accessEndDate, at(grace))
    }

    @Test(arguments: [true, false]) func `a product that has been a subscription is one in each of its purchases`(
        isFirst: Bool
    ) {
        var once = PurchaseFacts(
            productID: "basic", transactionID: "9", purchaseDate: at(-10), revocationDate: at(-5),
            productKind: .nonConsumable)
        once.signedDate = start
        var rows = [VerifiedTransaction(once, text: { "text" }), period()]
        if !isFirst { rows.reverse() }
        let records = rows.map { KnownPurchase.Record(signedTransaction: $0, confirmed: start) }
        let states = KnownPurchase.all(records, [:], durations: [:]).compactMap { $0.current(at: at(200))?.dates.state }
        expectEqual(Set(states), [.revoked, .expired])
    }

    @Test func `of the past periods of a subscription, the newest one is kept, and every revoked one`() {
        var past = PastTransactions()
        past.add((1...20).map { period(id: "\($0)", from: Double($0), to: Double($0 + 1)) })
        past.add([period(id: "21", from: 5, to: 6, signed: 6, isRevoked: true), period("gold", id: "22")])
        expectEqual(Set(past.all.keys.map(\.transactionID)), ["20", "21", "22"])
    }

    @Test func `a closed machine sets no timer`() {
        var machine = machine(read([owned("pro")]))
        machine.perform { $0.close() }
        machine.take(reports: [period(to: 1_000)], at: at(1))
        #expect(machine.nextWake == nil && machine.reading == nil)
    }
}
