import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The events that the queue returns for StoreKit 2's transactions.
@Suite(.bounded) struct StoreKit2QueueTests {
    private let world = SignedTransactionWorld()
    private let coins = PaymentRequest(productID: "coins")

    /// Describes events: their kinds, and the transactions.
    private func words(_ events: [QueueEvent]) -> [String] {
        events.map { event in
            switch event {
            case .answeredPayment(_, let transaction, let isEarlier):
                "answer \(transaction.state) \(transaction.productID)\(isEarlier ? " earlier" : "")"
            case .unsolicitedTransactions(let batch):
                "unsolicited " + batch.map { "\($0.state) \($0.productID)" }.joined(separator: " ")
            case .restoredTransactions(let batch):
                "rows " + batch.map { "\($0.state) \($0.productID)" }.joined(separator: " ")
            case .removedTransactions(let tokens): "removed \(tokens.count)"
            case .unlistedTransactions(let tokens): "unlisted \(tokens.count)"
            case .upgradedTransaction(let transaction): "upgraded \(transaction.productID)"
            case .revokedEntitlements(let revocation):
                "revoked \(revocation.productIDs.sorted().joined(separator: " "))"
            case .restoreFinished: "restored"
            default: "\(event)"
            }
        }
    }

    private func token(_ events: [QueueEvent]) -> TransactionToken? {
        for case .unsolicitedTransactions(let batch) in events { return batch.first?.token }
        for case .restoredTransactions(let batch) in events { return batch.first?.token }
        for case .answeredPayment(_, let transaction, _) in events { return transaction.token }
        return nil
    }

    private func entry(_ events: [QueueEvent]) throws -> TransactionToken {
        try #require(token(events))
    }

    /// Buys at the App Store, and returns the transaction.
    private func bought(_ productID: String) async throws -> StoreKit2SignedTransaction {
        try await world.buy(productID)
    }

    /// Returns the latest transaction of a product, as the App Store signs it a second later.
    private func signedAnew(_ productID: String) async throws -> StoreKit2SignedTransaction {
        world.appStore.advance(by: 1)
        return try await world.latest(productID)
    }

    /// Reads a list that is complete at the moment at which the read begins.
    private func read(
        _ queue: inout StoreKit2Queue, at seconds: TimeInterval, _ list: [StoreKit2SignedTransaction]
    ) -> [QueueEvent] {
        let read = queue.beginRead(at: Date(timeIntervalSince1970: seconds))
        return queue.endRead(read, list)
    }

    @Test func `a transaction that arrives twice is one entry, and isn't reported after it is finished`() async throws {
        var queue = StoreKit2Queue()
        let signed = try await bought("coins")
        let first = queue.transactionUpdated(signed)
        expectEqual(words(first), ["unsolicited purchased coins"])
        #expect(words(queue.transactionUpdated(signed)).isEmpty, "the same signedTransaction changes nothing")
        let again = try await signedAnew("coins")
        expectEqual(
            words(queue.transactionUpdated(again)), ["unsolicited purchased coins"],
            "a new signature may have other content")
        expectEqual(
            token(queue.transactionUpdated(try await signedAnew("coins"))), token(first), "it is the same entry")
        #expect(words(queue.transactionUpdated(again)).isEmpty, "an older signedTransaction is ignored")
        let (transaction, events) = queue.finish(try entry(first))
        #expect(events.isEmpty)
        #expect(words(queue.transactionUpdated(try await signedAnew("coins"))).isEmpty, "it is being finished")
        expectEqual(words(queue.didFinish(try entry(first), try #require(transaction))), ["removed 1"])
        #expect(words(queue.transactionUpdated(try await signedAnew("coins"))).isEmpty)
        expectEqual(queue.finish(try entry(first)).transaction?.id, nil)
    }

    @Test func `a transaction for a product that is being paid for is held until the answer`() async throws {
        var queue = StoreKit2Queue()
        let id = CallID()
        queue.paymentWillStart(id, "coins")
        let early = try await bought("coins")
        let other = try await bought("pro")
        #expect(words(queue.transactionUpdated(early)).isEmpty)
        expectEqual(words(queue.transactionUpdated(other)), ["unsolicited purchased pro"])
        expectEqual(
            words(queue.paymentDidEnd(id, coins, .purchased(early, ownedBefore: []))), ["answer purchased coins"])
        #expect(words(queue.release(id)).isEmpty, "the payment has ended")
    }

    @Test func `a held transaction is reported when no call awaits the payment any longer`() async throws {
        var queue = StoreKit2Queue()
        let (first, second) = (CallID(), CallID())
        queue.paymentWillStart(first, "coins")
        queue.paymentWillStart(second, "coins")
        let early = try await bought("coins")
        #expect(words(queue.transactionUpdated(early)).isEmpty)
        #expect(words(queue.release(first)).isEmpty, "the other payment is under way")
        expectEqual(words(queue.release(second)), ["unsolicited purchased coins"])
        expectEqual(
            words(queue.paymentDidEnd(second, coins, .purchased(early, ownedBefore: []))),
            ["answer purchased coins earlier"],
            "it was reported before")
    }

    @Test func `a known entry is reported at once, even while its product is being paid for`() async throws {
        var queue = StoreKit2Queue()
        let signed = try await bought("coins")
        _ = queue.transactionUpdated(signed)
        queue.paymentWillStart(CallID(), "coins")
        expectEqual(words(queue.transactionUpdated(try await signedAnew("coins"))), ["unsolicited purchased coins"])
    }

    @Test func `a transaction that the customer had before the payment is a preexisting one`() async throws {
        let signed = try await bought("pro")
        let id = signed.id
        for (owned, expected) in [([id], "answer purchased pro earlier"), ([id + 1], "answer purchased pro")] {
            var queue = StoreKit2Queue()
            let call = CallID()
            queue.paymentWillStart(call, "pro")
            let end = StoreKit2Queue.PurchaseEnd.purchased(signed, ownedBefore: Set(owned))
            expectEqual(words(queue.paymentDidEnd(call, PaymentRequest(productID: "pro"), end)), [expected])
        }
    }

    @Test
    func `a transaction that was known or finished before the payment is a preexisting one, whatever else is known`()
        async throws
    {
        var queue = StoreKit2Queue()
        let pro = try await bought("pro")
        let token = try entry(queue.transactionUpdated(pro))
        for finishes in [false, true] {
            if finishes, let transaction = queue.finish(token).transaction { _ = queue.didFinish(token, transaction) }
            let call = CallID()
            queue.paymentWillStart(call, "pro")
            let events = queue.paymentDidEnd(call, PaymentRequest(productID: "pro"), .purchased(pro, ownedBefore: []))
            expectEqual(words(events), ["answer purchased pro earlier"])
        }
    }

    @Test func `a failure leaves when it is finished, without StoreKit`() throws {
        var queue = StoreKit2Queue()
        let events = queue.paymentDidEnd(CallID(), coins, .failed(StoreError(.userCancelled, "")))
        expectEqual(words(events), ["answer failed coins"])
        let (transaction, left) = queue.finish(try entry(events))
        expectEqual(transaction?.id, nil)
        expectEqual(words(left), ["removed 1"])
        #expect(words(queue.finish(try entry(events)).events).isEmpty)
    }

    @Test func `an approval is the entry that was pending, and another purchase is not`() async throws {
        var queue = StoreKit2Queue()
        let pending = queue.paymentDidEnd(CallID(), coins, .pending)
        expectEqual(words(pending), ["answer deferred coins"])
        let other = queue.transactionUpdated(try await bought("pro"))
        #expect(token(other) != token(pending))
        let approved = queue.transactionUpdated(try await bought("coins"))
        expectEqual(token(approved), token(pending))
        #expect(token(queue.transactionUpdated(try await bought("coins"))) != token(pending), "the approval is used up")
        let finished = queue.finish(try entry(approved)).transaction
        let transaction = try #require(finished, "StoreKit has to finish it")
        expectEqual(words(queue.didFinish(try entry(approved), transaction)), ["removed 1"])
        #expect(words(queue.finish(try entry(approved)).events).isEmpty)
    }

    @Test func `the answer to a payment is not the approval of an earlier one, whichever arrives first`() async throws {
        for isHeld in [false, true] {
            var queue = StoreKit2Queue()
            let pending = queue.paymentDidEnd(CallID(), coins, .pending)
            let id = CallID()
            queue.paymentWillStart(id, "coins")
            let bought = try await bought("coins")
            if isHeld { #expect(words(queue.transactionUpdated(bought)).isEmpty) }
            let answer = queue.paymentDidEnd(id, coins, .purchased(bought, ownedBefore: []))
            expectEqual(words(answer), ["answer purchased coins"])
            #expect(token(answer) != token(pending))
            expectEqual(token(queue.transactionUpdated(try await self.bought("coins"))), token(pending))
        }
    }

    @Test func `an approval that arrives during another payment is recognized when that has ended`() async throws {
        var queue = StoreKit2Queue()
        let pending = queue.paymentDidEnd(CallID(), coins, .pending)
        let id = CallID()
        queue.paymentWillStart(id, "coins")
        #expect(words(queue.transactionUpdated(try await bought("coins"))).isEmpty)
        let events = queue.paymentDidEnd(id, coins, .purchased(try await bought("coins"), ownedBefore: []))
        expectEqual(words(events), ["answer purchased coins", "unsolicited purchased coins"])
        for case .unsolicitedTransactions(let batch) in events { expectEqual(batch.first?.token, token(pending)) }
    }

    @Test func `an unverified transaction fails once in a process, and is never finished`() async throws {
        var queue = StoreKit2Queue()
        let transaction = try await world.buy("coins")
        let unverified = transaction.unverified
        let events = queue.transactionUpdated(unverified)
        expectEqual(words(events), ["unsolicited failed coins"])
        guard case .unsolicitedTransactions(let batch)? = events.first else { return }
        expectEqual(batch.first?.error?.code, .unverified)
        expectEqual(queue.finish(try entry(events)).transaction?.id, nil)
        #expect(words(read(&queue, at: 0, [unverified])).isEmpty, "it was reported")
        let answer = queue.paymentDidEnd(CallID(), coins, .purchased(unverified, ownedBefore: []))
        expectEqual(words(answer), ["answer failed coins"], "a payment is always answered")
        expectEqual(queue.finish(try entry(answer)).transaction?.id, nil)
        expectEqual(
            words(queue.transactionUpdated(transaction)), ["unsolicited purchased coins"], "it may be verified later")
        var other = StoreKit2Queue()
        _ = other.paymentDidEnd(CallID(), coins, .purchased(unverified, ownedBefore: []))
        #expect(words(read(&other, at: 0, [unverified])).isEmpty, "the call has reported it")
    }

    @Test func `an unverified transaction of a product that is being paid for fails once, with the call or without it`()
        async throws
    {
        let unverified = try await bought("coins").unverified
        for isAnswer in [true, false] {
            var queue = StoreKit2Queue()
            let id = CallID()
            queue.paymentWillStart(id, "coins")
            #expect(words(queue.transactionUpdated(unverified)).isEmpty, "it may be the answer")
            if isAnswer {
                let events = queue.paymentDidEnd(id, coins, .purchased(unverified, ownedBefore: []))
                expectEqual(words(events), ["answer failed coins"])
            } else {
                expectEqual(words(queue.release(id)), ["unsolicited failed coins"])
            }
            #expect(words(queue.transactionUpdated(unverified)).isEmpty)
        }
    }

    @Test func `a revocation is reported once, and its transaction leaves`() async throws {
        var queue = StoreKit2Queue()
        _ = queue.transactionUpdated(try await bought("pro"))
        try world.appStore.refund("pro")
        let refunded = try await world.latest("pro")
        #expect(refunded.version.revocationDate != nil)
        expectEqual(words(queue.transactionUpdated(refunded)), ["removed 1", "revoked pro"])
        #expect(words(queue.transactionUpdated(refunded)).isEmpty)
        var other = StoreKit2Queue()
        let events = other.transactionUpdated(refunded)
        expectEqual(words(events), ["revoked pro"])
        guard case .revokedEntitlements(let revocation)? = events.last, let token = revocation.transactions.first?.token
        else { return }
        expectEqual(revocation.transactions.map(\.state), [.purchased])
        expectEqual(other.finish(token).transaction?.id, refunded.id, "it can be acknowledged")
    }

    @Test
    func `a list from before a revocation doesn't bring the transaction back, and a refund that is reversed does`()
        async throws
    {
        var queue = StoreKit2Queue()
        let pro = try await bought("pro")
        _ = queue.transactionUpdated(pro)
        let early = queue.beginRead(at: Date(timeIntervalSince1970: 0))
        world.appStore.advance(by: 1)
        try world.appStore.refund("pro")
        let refunded = try await world.latest("pro")
        _ = queue.transactionUpdated(refunded)
        #expect(words(queue.endRead(early, [pro])).isEmpty)
        #expect(words(queue.transactionUpdated(pro)).isEmpty, "an update that was overtaken")
        #expect(words(queue.restore([pro], for: nil)) == ["restored"], "a listing that was overtaken")
        #expect(words(read(&queue, at: 20, [pro])).isEmpty, "it was signed before the revocation")
    }

    @Test func `a restored row is the entry of its transaction`() async throws {
        var queue = StoreKit2Queue()
        let pro = try await bought("pro")
        world.appStore.advance(by: 60)
        let basic = try await bought("basic")
        let update = queue.transactionUpdated(pro)
        let first = queue.restore([basic, pro], for: nil)
        expectEqual(words(first), ["rows restored pro restored basic", "restored"])
        expectEqual(token(first), token(update))
        expectEqual(token(queue.restore([pro], for: nil)), token(update))
        expectEqual(words(queue.restore([], for: nil)), ["restored"])
        expectEqual(words(queue.restore([pro.unverified], for: nil)), ["restored"])
        let transaction = try #require(queue.finish(try entry(first)).transaction)
        expectEqual(words(queue.didFinish(try entry(first), transaction)), ["removed 1"])
        let afterwards = queue.restore([pro], for: nil)
        expectEqual(
            words(afterwards), ["rows restored pro", "restored"], "a restore brings finished transactions, too")
        #expect(token(afterwards) != token(first))
        #expect(queue.finish(try entry(first)).transaction == nil, "the entry has left")
    }

    @Test func `a restored row answers no approval, and no list is expected to have it`() async throws {
        var queue = StoreKit2Queue()
        let pending = queue.paymentDidEnd(CallID(), PaymentRequest(productID: "pro"), .pending)
        let rows = queue.restore([try await bought("pro")], for: nil)
        #expect(token(rows) != token(pending))
        for second in [0, 20, 40] { #expect(words(read(&queue, at: TimeInterval(second), [])).isEmpty) }
    }

    @Test func `a restore for an account returns the purchases of that account`() async throws {
        var queue = StoreKit2Queue()
        let mine = UUID()
        let pro = try await world.buy("pro", for: mine)
        let season = try await bought("season")
        expectEqual(words(queue.restore([pro, season], for: mine)), ["rows restored pro", "restored"])
        expectEqual(words(queue.restore([pro, season], for: UUID())), ["restored"])
    }

    @Test func `a transaction leaves when two lists lack it that were read at least ten seconds apart`() async throws {
        var queue = StoreKit2Queue()
        let (coins, pro) = (try await bought("coins"), try await bought("pro"))
        let lost = try entry(queue.transactionUpdated(coins))
        _ = queue.transactionUpdated(pro)
        #expect(words(read(&queue, at: 0, [pro])).isEmpty, "one list is no evidence")
        #expect(words(read(&queue, at: 9, [pro])).isEmpty, "nor are two in a row")
        expectEqual(words(read(&queue, at: 10, [pro])), ["unlisted 1"])
        expectEqual(words(read(&queue, at: 11, [pro])), ["unlisted 1"], "while it stays, because it is being delivered")
        queue.forget([lost])
        #expect(words(read(&queue, at: 12, [pro])).isEmpty)
        let transaction = try #require(queue.finish(lost).transaction, "it can still be finished")
        #expect(words(queue.didFinish(lost, transaction)).isEmpty)
        #expect(queue.finish(lost).transaction == nil)
        #expect(words(queue.transactionUpdated(coins)).isEmpty)
    }

    @Test func `a transaction that is listed again in between stays, and so does one with an update in between`()
        async throws
    {
        var queue = StoreKit2Queue()
        let coins = try await bought("coins")
        _ = queue.transactionUpdated(coins)
        _ = read(&queue, at: 0, [])
        _ = read(&queue, at: 5, [coins])
        #expect(words(read(&queue, at: 20, [])).isEmpty, "the first list that lacks it since")
        _ = queue.transactionUpdated(try await signedAnew("coins"))
        #expect(words(read(&queue, at: 40, [])).isEmpty, "the first list since the update")
        expectEqual(words(read(&queue, at: 60, [])), ["unlisted 1"])
        #expect(words(read(&queue, at: -100, [])).isEmpty, "a clock that was set back proves nothing")
    }

    @Test func `a list that began before the last event of a transaction says nothing about it`() async throws {
        var queue = StoreKit2Queue()
        let early = queue.beginRead(at: Date(timeIntervalSince1970: 0))
        let signed = try await bought("coins")
        let token = try entry(queue.transactionUpdated(signed))
        #expect(words(queue.endRead(early, [])).isEmpty)
        #expect(words(read(&queue, at: 20, [])).isEmpty, "the first that is taken")
        let transaction = try #require(queue.finish(token).transaction)
        let during = queue.beginRead(at: Date(timeIntervalSince1970: 30))
        #expect(words(read(&queue, at: 40, [])).isEmpty, "it is being finished")
        _ = queue.didFinish(token, transaction)
        #expect(words(queue.endRead(during, [signed])).isEmpty, "it was read before the end of finishing")
        let again = read(&queue, at: 50, [signed])
        expectEqual(
            words(again), ["unsolicited purchased coins"], "finishing had no effect: the store finishes it again")
    }

    @Test func `transactions that leave are reported in the order in which they arrived`() async throws {
        var queue = StoreKit2Queue()
        var entries: [TransactionToken] = []
        for _ in 0..<8 { entries.append(try entry(queue.transactionUpdated(try await bought("coins")))) }
        _ = read(&queue, at: 0, [])
        guard case .unlistedTransactions(let gone)? = read(&queue, at: 10, []).first else {
            Issue.record("No transaction left.")
            return
        }
        expectEqual(gone, entries)
    }

    @Test func `an upgraded transaction is reported if the list has it, and is an event as an update`() async throws {
        var queue = StoreKit2Queue()
        let basic = try await bought("basic")
        _ = try await bought("premium")
        let upgraded = try await world.latest("basic")
        #expect(upgraded.version.isUpgraded && !basic.version.isUpgraded)
        expectEqual(words(queue.transactionUpdated(upgraded)), ["upgraded basic"])
        expectEqual(words(read(&queue, at: 0, [upgraded])), ["unsolicited purchased basic"])
    }

    @Test func `a list is one batch, oldest first, and by identifier for purchases at the same time`() async throws {
        var queue = StoreKit2Queue()
        let (coins, pro) = (try await bought("coins"), try await bought("pro"))
        world.appStore.advance(by: 1)
        let season = try await bought("season")
        let events = words(read(&queue, at: 0, [season, pro, coins]))
        expectEqual(events, ["unsolicited purchased coins purchased pro purchased season"])
        #expect(words(read(&queue, at: 1, [season, pro, coins])).isEmpty)
    }
}

// Held and outdated transactions.
extension StoreKit2QueueTests {
    @Test func `a held transaction is reported once, as it was last signed, and the others stay held`() async throws {
        var queue = StoreKit2Queue()
        let (first, second) = (CallID(), CallID())
        queue.paymentWillStart(first, "coins")
        queue.paymentWillStart(second, "pro")
        #expect(words(queue.transactionUpdated(try await bought("coins"))).isEmpty)
        #expect(words(queue.transactionUpdated(try await bought("pro"))).isEmpty)
        let again = try await signedAnew("coins")
        #expect(words(queue.transactionUpdated(again)).isEmpty)
        expectEqual(words(queue.release(first)), ["unsolicited purchased coins"])
        #expect(words(queue.transactionUpdated(again)).isEmpty, "the same signedTransaction changes nothing")
        expectEqual(words(queue.release(second)), ["unsolicited purchased pro"])
    }

    @Test func `a transaction that is revoked while it is held isn't reported`() async throws {
        var queue = StoreKit2Queue()
        let id = CallID()
        queue.paymentWillStart(id, "pro")
        #expect(words(queue.transactionUpdated(try await bought("pro"))).isEmpty)
        try world.appStore.refund("pro")
        let refunded = try await world.latest("pro")
        expectEqual(words(queue.transactionUpdated(refunded)), ["revoked pro"])
        #expect(words(queue.release(id)).isEmpty)
    }

    @Test func `a signed transaction signed before a revocation doesn't bring the transaction back`() async throws {
        var queue = StoreKit2Queue()
        let pro = try await bought("pro")
        try world.appStore.refund("pro")
        let refunded = try await world.latest("pro")
        #expect(refunded.version.signedDate > pro.version.signedDate)
        expectEqual(words(read(&queue, at: 0, [refunded])), ["revoked pro"], "a list can report a revocation")
        #expect(words(queue.transactionUpdated(pro)).isEmpty)
        #expect(words(read(&queue, at: 20, [pro])).isEmpty)
    }

    @Test func `a list from before an update doesn't change the transaction back`() async throws {
        var queue = StoreKit2Queue()
        let early = queue.beginRead(at: Date(timeIntervalSince1970: 0))
        let first = try await bought("coins")
        _ = queue.transactionUpdated(first)
        _ = queue.transactionUpdated(try await signedAnew("coins"))
        #expect(words(queue.endRead(early, [first])).isEmpty)
    }

    @Test func `a restored transaction leaves when lists lack it if a list has had it`() async throws {
        var queue = StoreKit2Queue()
        let pro = try await bought("pro")
        _ = queue.restore([pro], for: nil)
        #expect(words(read(&queue, at: 0, [pro])).isEmpty, "it is known")
        #expect(words(read(&queue, at: 10, [])).isEmpty)
        expectEqual(words(read(&queue, at: 20, [])), ["unlisted 1"])
    }

    @Test func `lists are expected to have the answer to a payment, not what Apple's views have sold`() async throws {
        var queue = StoreKit2Queue()
        expectEqual(words(queue.adopt(try await bought("pro"))), ["unsolicited purchased pro"])
        let answer = StoreKit2Queue.PurchaseEnd.purchased(try await bought("coins"), ownedBefore: [])
        _ = queue.paymentDidEnd(CallID(), coins, answer)
        #expect(words(read(&queue, at: 0, [])).isEmpty)
        expectEqual(words(read(&queue, at: 10, [])), ["unlisted 1"])
    }

    @Test func `the answers to two payments for a product are two entries`() async throws {
        var queue = StoreKit2Queue()
        var tokens: Set<TransactionToken> = []
        for _ in 0..<2 {
            let answer = StoreKit2Queue.PurchaseEnd.purchased(try await bought("coins"), ownedBefore: [])
            tokens.insert(try entry(queue.paymentDidEnd(CallID(), coins, answer)))
        }
        expectEqual(tokens.count, 2)
    }

    @Test func `a transaction that is finished while it is held isn't reported`() async throws {
        var queue = StoreKit2Queue()
        let lost = try entry(queue.transactionUpdated(try await bought("coins")))
        queue.forget([lost])
        let id = CallID()
        queue.paymentWillStart(id, "coins")
        #expect(words(queue.transactionUpdated(try await signedAnew("coins"))).isEmpty, "it is held")
        let transaction = try #require(queue.finish(lost).transaction)
        _ = queue.didFinish(lost, transaction)
        #expect(words(queue.release(id)).isEmpty)
    }
}
