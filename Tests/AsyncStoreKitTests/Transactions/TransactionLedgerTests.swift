import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct TransactionLedgerTests {
    private static let start = Date(timeIntervalSince1970: 1_000)
    private static let later = Date(timeIntervalSince1970: 2_000)

    /// A ledger with the one entry 1, which has this owner.
    private func ledger(
        _ state: StoreTransaction.State, _ owner: TransactionLedger.Owner = .nobody,
        hasUnfinishedDownloads: Bool = false
    ) -> TransactionLedger {
        var ledger = TransactionLedger()
        _ = ledger.report(.entry(1, state, hasUnfinishedDownloads: hasUnfinishedDownloads), now: Self.start)
        ledger.setOwner(owner, of: .entry(1), now: Self.start)
        return ledger
    }

    @Test(arguments: [
        TransactionLedger.Owner.nobody, .subscribers, .caller, .delivery, .pendingRetry, .downloads,
    ])
    func `a paid transaction can be finished once, with any owner`(owner: TransactionLedger.Owner) {
        var ledger = ledger(.purchased, owner)
        expectEqual(ledger.finish(.entry(1), newest: .entry(1)), .finish)
        expectEqual(ledger[.entry(1)]?.owner, .finished)
        expectEqual(ledger.finish(.entry(1), newest: .entry(1)), .finished)
    }

    @Test func `a download of an unknown entry changes nothing`() {
        var ledger = TransactionLedger()
        let download = StoreDownload(
            id: StoreDownload.ID(transaction: .entry(1), index: 0), contentID: "level", contentLength: 1)
        expectEqual(ledger.update(download), false)
    }

    @Test func `only the purchase of a running delivery is being delivered`() {
        var ledger = ledger(.purchased)
        _ = ledger.beginDelivery(of: .entry(1, .purchased))
        expectEqual(ledger.isBeingDelivered(.entry(1, .purchased)), true)
        expectEqual(ledger.isBeingDelivered(.entry(2, .purchased)), false, "the ledger doesn't know this purchase")
    }

    @Test func `a failed transaction can be finished, once`() {
        var ledger = ledger(.failed)
        expectEqual(ledger.finish(.entry(1), newest: .entry(1)), .finish)
        expectEqual(ledger.finish(.entry(1), newest: .entry(1)), .finished)
    }

    @Test(arguments: [StoreTransaction.State.purchasing, .deferred])
    func `a transaction without an outcome can't be finished`(state: StoreTransaction.State) {
        var ledger = ledger(state)
        expectEqual(ledger.finish(.entry(1), newest: .entry(1)), .notFinishable(state))
        expectEqual(ledger[.entry(1)]?.owner, .nobody)
    }

    @Test func `a transaction that has left the queue counts as finished`() {
        var ledger = ledger(.purchased, .subscribers)
        ledger.remove(.entry(1))
        expectEqual(ledger.finish(.entry(1), newest: .entry(1)), .departed)
        expectEqual(ledger.finish(.entry(1), newest: .entry(5)), .finished)
    }

    @Test func `an unknown token, and another store's token, are unknown`() {
        var ledger = ledger(.purchased, .subscribers)
        expectEqual(ledger.finish(.entry(2), newest: .entry(1)), .unknown)
        expectEqual(ledger.finish(.entry(1, source: 2), newest: .entry(1)), .unknown)
        expectEqual(ledger.finish(.entry(1, source: 0), newest: .entry(1)), .unknown)
        expectEqual(ledger[.entry(1)]?.owner, .subscribers)
    }

    @Test(arguments: [TransactionLedger.Owner.subscribers, .caller, .delivery, .pendingRetry])
    func `a successful delivery finishes the transaction, once`(owner: TransactionLedger.Owner) {
        var ledger = ledger(.purchased, owner)
        expectEqual(ledger.delivered(.entry(1)), true)
        expectEqual(ledger[.entry(1)]?.owner, .finished)
        expectEqual(ledger.delivered(.entry(1)), false)
    }

    @Test(arguments: [TransactionLedger.Owner.subscribers, .caller, .delivery, .pendingRetry])
    func `a delivery with running downloads doesn't finish the transaction yet`(owner: TransactionLedger.Owner) {
        var ledger = ledger(.purchased, owner, hasUnfinishedDownloads: true)
        expectEqual(ledger.delivered(.entry(1)), false)
        expectEqual(ledger[.entry(1)]?.owner, .downloads)
        expectEqual(ledger.delivered(.entry(1)), false)
        expectEqual(ledger[.entry(1)]?.owner, .downloads)
    }

    @Test(arguments: [TransactionLedger.Owner.nobody, .downloads, .finished])
    func `ending a delivery that isn't running has no effect`(owner: TransactionLedger.Owner) {
        var ledger = ledger(.purchased, owner)
        expectEqual(ledger.delivered(.entry(1)), false)
        expectEqual(ledger[.entry(1)]?.owner, owner)
    }

    @Test func `the delivery of a transaction that has left the queue finishes nothing`() {
        var ledger = ledger(.purchased, .delivery)
        ledger.remove(.entry(1))
        expectEqual(ledger.delivered(.entry(1)), false)
        #expect(ledger[.entry(1)] == nil)
    }
}

// Transactions without a call.
extension TransactionLedgerTests {
    @Test func `offered and pending transactions are unclaimed, those of calls aren't`() {
        let states: [(StoreTransaction.State, TransactionLedger.Owner)] = [
            (.purchased, .subscribers), (.deferred, .nobody), (.purchasing, .nobody), (.purchased, .caller),
            (.restored, .delivery), (.purchased, .pendingRetry), (.failed, .finished), (.restored, .subscribers),
        ]
        var ledger = TransactionLedger()
        for (index, entry) in states.enumerated() {
            let transaction = StoreTransaction.entry(UInt64(index + 1), entry.0)
            _ = ledger.report(transaction, now: .distantPast)
            ledger.setOwner(entry.1, of: transaction.token, now: .distantPast)
        }
        expectEqual(ledger.unclaimed.map(\.transaction.token), [.entry(1), .entry(2), .entry(8)])
    }
}

// Redeliveries.
extension TransactionLedgerTests {
    @Test func `a delivered purchase is a redelivery from then on, also when it is restored`() {
        var ledger = ledger(.purchased, .delivery)
        let purchase = StoreTransaction.entry(1, .purchased)
        #expect(!ledger.isRedelivery(purchase))
        _ = ledger.delivered(.entry(1))
        #expect(ledger.isRedelivery(purchase))
        ledger.remove(.entry(1))
        #expect(ledger.isRedelivery(purchase), "a finished purchase may be reported again")

        var restored = StoreTransaction.entry(2, .restored)
        restored.report.original = StoreTransaction.Original(id: "paid-1", purchaseDate: nil)
        #expect(ledger.isRedelivery(restored))
        #expect(!ledger.isRedelivery(.entry(3, .purchased)))
    }

    @Test func `a transaction that was finished by the app counts as delivered`() {
        var ledger = ledger(.purchased, .subscribers)
        _ = ledger.finish(.entry(1), newest: .entry(1))
        #expect(ledger.isRedelivery(.entry(1, .purchased)))
    }

    @Test func `finishing a failed transaction doesn't count as a delivery`() {
        var ledger = ledger(.failed)
        _ = ledger.finish(.entry(1), newest: .entry(1))
        #expect(!ledger.isRedelivery(.entry(1, .failed)))
    }
}

// Lists, and changes of the owner.
extension TransactionLedgerTests {
    /// One entry for each owner, numbered from 1, and reported in another order.
    private func everyOwner() -> TransactionLedger {
        let owners: [TransactionLedger.Owner] = [
            .nobody, .subscribers, .caller, .delivery, .pendingRetry, .downloads, .finished,
        ]
        var ledger = TransactionLedger()
        for (index, owner) in owners.enumerated().reversed() {
            _ = ledger.report(.entry(UInt64(index) + 1, .purchased), now: Self.start)
            ledger.setOwner(owner, of: .entry(UInt64(index) + 1), now: Self.start)
        }
        for (serial, state) in [(UInt64(8), StoreTransaction.State.purchasing), (9, .deferred), (10, .failed)] {
            _ = ledger.report(.entry(serial, state), now: Self.start)
        }
        return ledger
    }

    @Test func `a new subscriber receives the transactions that aren't being delivered, oldest first`() {
        expectEqual(everyOwner().outstanding.map(\.transaction.token.serial), [2, 3])
    }

    @Test func `unfinished has every paid transaction that isn't finished, oldest first`() {
        expectEqual(everyOwner().unfinished.map(\.transaction.token.serial), [1, 2, 3, 4, 5, 6])
    }

    @Test func `restored transactions are offered like purchased ones`() {
        let ledger = ledger(.restored, .subscribers)
        expectEqual(ledger.outstanding.map(\.transaction.state), [.restored])
        expectEqual(ledger.unfinished.map(\.transaction.state), [.restored])
    }

    @Test func `a new owner keeps the approval, and the time is recorded`() throws {
        var ledger = ledger(.purchased)
        let pending = PendingPurchase(.entry(1, .deferred), isKnownToCall: true)
        ledger.setPendingPurchase(pending, of: .entry(1))
        ledger.setPendingPurchase(nil, of: .entry(1))
        ledger.setOwner(.subscribers, of: .entry(1), now: Self.later)
        let entry = try #require(ledger[.entry(1)])
        expectEqual(entry.owner, .subscribers)
        expectEqual(entry.pending, pending)
        expectEqual(entry.since, Self.later)
    }

    @Test(arguments: [TransactionLedger.Owner.downloads, .finished])
    func `setOwner ignores transactions that are delivered or finished`(owner: TransactionLedger.Owner) {
        var ledger = ledger(.purchased, owner)
        for other in [TransactionLedger.Owner.subscribers, .caller, .delivery, .pendingRetry] {
            ledger.setOwner(other, of: .entry(1), now: Self.later)
            expectEqual(ledger[.entry(1)]?.owner, owner)
            expectEqual(ledger[.entry(1)]?.isDelivered, true)
        }
    }

    @Test func `setOwner and remove ignore unknown tokens`() {
        var ledger = ledger(.purchased, .subscribers)
        ledger.setOwner(.delivery, of: .entry(2), now: Self.start)
        ledger.remove(.entry(2))
        expectEqual(ledger.entries.count, 1)
        expectEqual(ledger[.entry(1)]?.owner, .subscribers)
    }

    @Test func `an entry that has left isn't part of its purchase`() {
        var ledger = ledger(.purchased, .subscribers)
        var again = StoreTransaction.entry(2, .purchased)
        again.report.id = "paid-1"
        _ = ledger.report(again, now: Self.start)
        expectEqual(ledger.siblings(of: .entry(2)), [.entry(1)])
        expectEqual(ledger.successors(of: .entry(1)), [])
        ledger.remove(.entry(1))
        expectEqual(ledger.siblings(of: .entry(2)), [])
        expectEqual(ledger.successors(of: .entry(1)), [.entry(2)])
    }

    @Test func `an unpaid transaction is never handed over`() {
        var ledger = ledger(.failed)
        let unpaid = [ledger.handOver(.entry(1, .failed)), ledger.handOver(.entry(1, .failed))]
        expectEqual(unpaid, [false, false])
        let paid = [ledger.handOver(.entry(2, .purchased)), ledger.handOver(.entry(2, .purchased))]
        expectEqual(paid, [false, true])
    }
}
