import Foundation
import Testing

@testable import AsyncStoreKit

@Suite struct TransactionLedgerTests {
    private static let start = Date(timeIntervalSince1970: 1_000)
    private static let later = Date(timeIntervalSince1970: 2_000)

    /// A ledger with the one entry 1, in these hands.
    private func ledger(
        _ state: StoreTransaction.State, _ holder: TransactionLedger.Holder = .inProgress, hasUnfinishedDownloads: Bool = false
    ) -> TransactionLedger {
        var ledger = TransactionLedger()
        _ = ledger.report(.entry(1, state, hasUnfinishedDownloads: hasUnfinishedDownloads), now: Self.start)
        ledger.hand(.entry(1), to: holder, now: Self.start)
        return ledger
    }

    @Test(arguments: [
        TransactionLedger.Holder.inProgress, .offered, .handedOver, .delivering, .owed, .delivered,
    ])
    func `what is paid can be finished out of anybody's hands, once`(holder: TransactionLedger.Holder) {
        var ledger = ledger(.purchased, holder)
        #expect(ledger.finish(.entry(1), newest: .entry(1)) == .finish)
        #expect(ledger[.entry(1)]?.holder == .finished)
        #expect(ledger.finish(.entry(1), newest: .entry(1)) == .finished)
    }

    @Test func `what failed can be finished, once`() {
        var ledger = ledger(.failed)
        #expect(ledger.finish(.entry(1), newest: .entry(1)) == .finish)
        #expect(ledger.finish(.entry(1), newest: .entry(1)) == .finished)
    }

    @Test(arguments: [StoreTransaction.State.purchasing, .deferred])
    func `what has no outcome cannot be finished`(state: StoreTransaction.State) {
        var ledger = ledger(state)
        #expect(ledger.finish(.entry(1), newest: .entry(1)) == .notFinishable(state))
        #expect(ledger[.entry(1)]?.holder == .inProgress)
    }

    @Test func `what has left the queue counts as finished`() {
        var ledger = ledger(.purchased, .offered)
        ledger.remove(.entry(1))
        #expect(ledger.finish(.entry(1), newest: .entry(1)) == .finished)
        #expect(ledger.finish(.entry(1), newest: .entry(5)) == .finished)
    }

    @Test func `a token that was never given is unknown, and so is another store's`() {
        var ledger = ledger(.purchased, .offered)
        #expect(ledger.finish(.entry(2), newest: .entry(1)) == .unknown)
        #expect(ledger.finish(.entry(1, source: 2), newest: .entry(1)) == .unknown)
        #expect(ledger.finish(.entry(1, source: 0), newest: .entry(1)) == .unknown)
        #expect(ledger[.entry(1)]?.holder == .offered)
    }

    @Test(arguments: [TransactionLedger.Holder.offered, .handedOver, .delivering, .owed])
    func `a delivery that has succeeded finishes, once`(holder: TransactionLedger.Holder) {
        var ledger = ledger(.purchased, holder)
        #expect(ledger.delivered(.entry(1)) == true)
        #expect(ledger[.entry(1)]?.holder == .finished)
        #expect(ledger.delivered(.entry(1)) == false)
    }

    @Test(arguments: [TransactionLedger.Holder.offered, .handedOver, .delivering, .owed])
    func `a delivery with downloads under way does not finish yet`(holder: TransactionLedger.Holder) {
        var ledger = ledger(.purchased, holder, hasUnfinishedDownloads: true)
        #expect(ledger.delivered(.entry(1)) == false)
        #expect(ledger[.entry(1)]?.holder == .delivered)
        #expect(ledger.delivered(.entry(1)) == false)
        #expect(ledger[.entry(1)]?.holder == .delivered)
    }

    @Test(arguments: [TransactionLedger.Holder.inProgress, .delivered, .finished])
    func `the end of a delivery that nobody has under way finishes nothing`(holder: TransactionLedger.Holder) {
        var ledger = ledger(.purchased, holder)
        #expect(ledger.delivered(.entry(1)) == false)
        #expect(ledger[.entry(1)]?.holder == holder)
    }

    @Test func `the delivery of something that has left the queue finishes nothing`() {
        var ledger = ledger(.purchased, .delivering)
        ledger.remove(.entry(1))
        #expect(ledger.delivered(.entry(1)) == false)
        #expect(ledger[.entry(1)] == nil)
    }
}

// What no call has.
extension TransactionLedgerTests {
    @Test func `what is offered, and what waits for an approval, is unclaimed; what a call has is not`() {
        let states: [(StoreTransaction.State, TransactionLedger.Holder)] = [
            (.purchased, .offered), (.deferred, .inProgress), (.purchasing, .inProgress), (.purchased, .handedOver),
            (.restored, .delivering), (.purchased, .owed), (.failed, .finished), (.restored, .offered),
        ]
        var ledger = TransactionLedger()
        for (index, entry) in states.enumerated() {
            let transaction = StoreTransaction.entry(UInt64(index + 1), entry.0)
            _ = ledger.report(transaction, now: .distantPast)
            ledger.hand(transaction.id, to: entry.1, now: .distantPast)
        }
        #expect(ledger.unclaimed.map(\.transaction.id) == [.entry(1), .entry(2), .entry(8)])
    }
}

// Repetitions.
extension TransactionLedgerTests {
    @Test func `what has been delivered is a repetition from then on, restored too`() {
        var ledger = ledger(.purchased, .delivering)
        let purchase = StoreTransaction.entry(1, .purchased)
        #expect(!ledger.isRedelivery(purchase))
        _ = ledger.delivered(.entry(1))
        #expect(ledger.isRedelivery(purchase))
        ledger.remove(.entry(1))
        #expect(ledger.isRedelivery(purchase), "a finished purchase may be reported again")

        var restored = StoreTransaction.entry(2, .restored)
        restored.original = StoreTransaction.Original(transactionID: "paid-1", date: nil)
        #expect(ledger.isRedelivery(restored))
        #expect(!ledger.isRedelivery(.entry(3, .purchased)))
    }

    @Test func `what somebody finished by hand has been delivered`() {
        var ledger = ledger(.purchased, .offered)
        _ = ledger.finish(.entry(1), newest: .entry(1))
        #expect(ledger.isRedelivery(.entry(1, .purchased)))
    }

    @Test func `what failed has not been delivered by being finished`() {
        var ledger = ledger(.failed)
        _ = ledger.finish(.entry(1), newest: .entry(1))
        #expect(!ledger.isRedelivery(.entry(1, .failed)))
    }
}

// Asking, and handing on.
extension TransactionLedgerTests {
    /// One entry in each pair of hands, numbered from 1, reported in an order that is not theirs.
    private func everyHolder() -> TransactionLedger {
        let holders: [TransactionLedger.Holder] = [
            .inProgress, .offered, .handedOver, .delivering, .owed, .delivered, .finished,
        ]
        var ledger = TransactionLedger()
        for (index, holder) in holders.enumerated().reversed() {
            _ = ledger.report(.entry(UInt64(index) + 1, .purchased), now: Self.start)
            ledger.hand(.entry(UInt64(index) + 1), to: holder, now: Self.start)
        }
        for (serial, state) in [(UInt64(8), StoreTransaction.State.purchasing), (9, .deferred), (10, .failed)] {
            _ = ledger.report(.entry(serial, state), now: Self.start)
        }
        return ledger
    }

    @Test func `a new subscriber is offered what nobody is delivering, oldest first`() {
        #expect(everyHolder().outstanding.map(\.transaction.id.serial) == [2, 3])
    }

    @Test func `unfinished is all that is paid for and not finished, oldest first`() {
        #expect(everyHolder().unfinished.map(\.transaction.id.serial) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `the restored are offered like the purchased`() {
        let ledger = ledger(.restored, .offered)
        #expect(ledger.outstanding.map(\.transaction.state) == [.restored])
        #expect(ledger.unfinished.map(\.transaction.state) == [.restored])
    }

    @Test func `handing on keeps the approval and notes the time`() throws {
        var ledger = ledger(.purchased)
        let pending = PendingPurchase(call: CallID(), productID: "coins", quantity: 1)
        ledger.hand(.entry(1), to: .delivering, pending: pending, now: Self.start)
        ledger.hand(.entry(1), to: .offered, now: Self.later)
        let entry = try #require(ledger[.entry(1)])
        #expect(entry.holder == .offered)
        #expect(entry.pending == pending)
        #expect(entry.since == Self.later)
    }

    @Test func `what is not there is not handed on, and not removed`() {
        var ledger = ledger(.purchased, .offered)
        ledger.hand(.entry(2), to: .delivering, now: Self.start)
        ledger.remove(.entry(2))
        #expect(ledger.entries.count == 1)
        #expect(ledger[.entry(1)]?.holder == .offered)
    }
}
