import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@testable import AsyncStoreKit

/// What is told of StoreKit 2's transactions, entry by entry.
@Suite(.bounded) struct StoreKit2QueueTests {
    private let world = StoreKit2World()
    private let coins = PaymentRequest(productID: "coins")

    /// An event in words: what it is, and of which transactions.
    private func words(_ events: [QueueEvent]) -> [String] {
        events.map { event in
            switch event {
            case .answeredPayment(_, let transaction, let isEarlier):
                "answer \(transaction.state) \(transaction.productID)\(isEarlier ? " earlier" : "")"
            case .unsolicitedTransactions(let batch): "unsolicited " + batch.map { "\($0.state) \($0.productID)" }.joined(separator: " ")
            case .removedTransactions(let tokens): "removed \(tokens.count)"
            case .revokedEntitlements(let revocation): "revoked \(revocation.productIDs.sorted().joined(separator: " "))"
            case .restoreFinished: "restored"
            default: "\(event)"
            }
        }
    }

    private func token(_ events: [QueueEvent]) -> TransactionToken? {
        for case .unsolicitedTransactions(let batch) in events { return batch.first?.token }
        for case .answeredPayment(_, let transaction, _) in events { return transaction.token }
        return nil
    }

    private func entry(_ events: [QueueEvent]) throws -> TransactionToken {
        try #require(token(events))
    }

    /// Buys at the App Store, and returns what StoreKit hands over.
    private func bought(_ productID: String) async throws -> StoreKit2Queue.Signed {
        .verified(try await world.buy(productID))
    }

    /// The latest transaction of a product, as the App Store signs it a second later.
    private func signedAnew(_ productID: String) async throws -> StoreKit2Queue.Signed {
        world.appStore.advance(by: 1)
        return try #require(Transaction.latest(for: productID, launch: world.launch))
    }

    @Test func `what comes twice is one entry, and what was finished is told no more`() async throws {
        var queue = StoreKit2Queue()
        let signed = try await bought("coins")
        let first = queue.take(signed)
        expectEqual(words(first), ["unsolicited purchased coins"])
        #expect(words(queue.take(signed)).isEmpty, "the very same statement is no news")
        let again = try await signedAnew("coins")
        expectEqual(words(queue.take(again)), ["unsolicited purchased coins"], "it may say something else")
        expectEqual(token(queue.take(try await signedAnew("coins"))), token(first), "and it is the same entry")
        let (transaction, events) = queue.finish(try entry(first))
        #expect(events.isEmpty)
        expectEqual(words(queue.finished(try #require(transaction))), ["removed 1"])
        #expect(words(queue.take(signed)).isEmpty)
        expectEqual(queue.finish(try entry(first)).transaction, nil)
    }

    @Test func `what comes for a product that is being paid for waits for the answer`() async throws {
        var queue = StoreKit2Queue()
        let id = CallID()
        queue.begin(id, "coins")
        let early = try await bought("coins")
        let other = try await bought("pro")
        #expect(words(queue.take(early)).isEmpty)
        expectEqual(words(queue.take(other)), ["unsolicited purchased pro"])
        // The update was the answer's: it is one entry with it.
        expectEqual(
            words(queue.end(id, coins, .purchased(early, ownedBefore: []))), ["answer purchased coins", "unsolicited purchased coins"])
        #expect(words(queue.release(id)).isEmpty, "it has ended")
    }

    @Test func `what was held back is told when nobody waits for the payment any more`() async throws {
        var queue = StoreKit2Queue()
        let (first, second) = (CallID(), CallID())
        queue.begin(first, "coins")
        queue.begin(second, "coins")
        let early = try await bought("coins")
        #expect(words(queue.take(early)).isEmpty)
        #expect(words(queue.release(first)).isEmpty, "the other payment for it is under way")
        expectEqual(words(queue.release(second)), ["unsolicited purchased coins"], "though it has its token since it came")
        expectEqual(words(queue.end(second, coins, .purchased(early, ownedBefore: []))), ["answer purchased coins"])
    }

    @Test func `an entry that is known is told at once, also while its product is being paid for`() async throws {
        var queue = StoreKit2Queue()
        let signed = try await bought("coins")
        _ = queue.take(signed)
        queue.begin(CallID(), "coins")
        expectEqual(words(queue.take(try await signedAnew("coins"))), ["unsolicited purchased coins"])
    }

    @Test func `what the customer had before the payment answers it as an earlier one`() async throws {
        var queue = StoreKit2Queue()
        let signed = try await bought("pro")
        let id = signed.unsafePayloadValue.id
        for (owned, expected) in [([id], "answer purchased pro earlier"), ([id + 1], "answer purchased pro")] {
            let call = CallID()
            queue.begin(call, "pro")
            expectEqual(words(queue.end(call, PaymentRequest(productID: "pro"), .purchased(signed, ownedBefore: Set(owned)))), [expected])
        }
    }

    @Test func `a failure leaves when it is finished, and StoreKit is told nothing`() throws {
        var queue = StoreKit2Queue()
        let events = queue.end(CallID(), coins, .failed(StoreError(.userCancelled, "")))
        expectEqual(words(events), ["answer failed coins"])
        let (transaction, left) = queue.finish(try entry(events))
        expectEqual(transaction, nil)
        expectEqual(words(left), ["removed 1"])
        #expect(words(queue.finish(try entry(events)).events).isEmpty)
    }

    @Test func `an approval is the entry that was pending, and another purchase is not`() async throws {
        var queue = StoreKit2Queue()
        let pending = queue.end(CallID(), coins, .pending)
        expectEqual(words(pending), ["answer deferred coins"])
        let other = queue.take(try await bought("pro"))
        #expect(token(other) != token(pending))
        let approved = queue.take(try await bought("coins"))
        expectEqual(token(approved), token(pending))
        #expect(token(queue.take(try await bought("coins"))) != token(pending), "it has been approved")
        let (transaction, _) = queue.finish(try entry(approved))
        #expect(transaction != nil, "it is StoreKit's to be told of now")
    }

    @Test func `what is not signed by the App Store fails, is finished by nobody, and is told each time`() async throws {
        var queue = StoreKit2Queue()
        let transaction = try await world.buy("coins")
        let unverified = StoreKit2Queue.Signed.unverified(transaction, .invalidSignature)
        for _ in 0..<2 {
            let events = queue.take(unverified)
            expectEqual(words(events), ["unsolicited failed coins"])
            guard case .unsolicitedTransactions(let batch)? = events.first else { return }
            expectEqual(batch.first?.error?.code, .unverified)
            expectEqual(queue.finish(try entry(events)).transaction, nil)
        }
        let events = queue.end(CallID(), coins, .purchased(unverified, ownedBefore: []))
        expectEqual(words(events), ["answer failed coins"])
        expectEqual(queue.finish(try entry(events)).transaction, nil)
        expectEqual(words(queue.take(.verified(transaction))), ["unsolicited purchased coins"], "it may be verified later")
    }

    @Test func `what is taken back is told once, and leaves`() async throws {
        var queue = StoreKit2Queue()
        _ = queue.take(try await bought("pro"))
        try world.appStore.refund("pro")
        let id = try await bought("coins").unsafePayloadValue.id
        #expect(id > 0)
        let refunded = try #require(Transaction.latest(for: "pro", launch: world.launch))
        #expect(refunded.unsafePayloadValue.revocationDate != nil)
        expectEqual(words(queue.take(refunded)), ["removed 1", "revoked pro"])
        #expect(words(queue.take(refunded)).isEmpty)
        var other = StoreKit2Queue()
        expectEqual(words(other.take(refunded)), ["revoked pro"])
    }

    @Test func `rows of a restore stay when their purchase is taken back, and finishing it finishes them`() async throws {
        var queue = StoreKit2Queue()
        let pro = try await bought("pro")
        _ = queue.take(pro)
        _ = queue.restore([pro], for: nil)
        try world.appStore.refund("pro")
        let refunded = try #require(Transaction.latest(for: "pro", launch: world.launch))
        expectEqual(words(queue.take(refunded)), ["removed 1", "revoked pro"])
        expectEqual(words(queue.finished(refunded.unsafePayloadValue)), ["removed 2"])
    }

    @Test func `each restore has rows of its own, oldest first, and finishing one finishes all of the transaction`() async throws {
        var queue = StoreKit2Queue()
        let pro = try await bought("pro")
        world.appStore.advance(by: 60)
        let basic = try await bought("basic")
        _ = queue.take(pro)
        let first = queue.restore([basic, pro], for: nil)
        expectEqual(words(first), ["unsolicited restored pro restored basic", "restored"])
        let second = queue.restore([pro], for: nil)
        #expect(token(second) != token(first))
        let transaction = try #require(queue.finish(try entry(second)).transaction)
        expectEqual(words(queue.finished(transaction)), ["removed 3"])
        expectEqual(words(queue.restore([], for: nil)), ["restored"])
        expectEqual(words(queue.restore([.unverified(transaction, .invalidSignature)], for: nil)), ["restored"])
    }

    @Test func `a restore for an account brings what was bought for it`() async throws {
        var queue = StoreKit2Queue()
        let mine = UUID()
        let pro = StoreKit2Queue.Signed.verified(try await world.buy("pro", [.appAccountToken(mine)]))
        let season = try await bought("season")
        expectEqual(words(queue.restore([pro, season], for: .token(mine))), ["unsolicited restored pro", "restored"])
        expectEqual(words(queue.restore([pro, season], for: .username(mine.uuidString))), ["unsolicited restored pro", "restored"])
        expectEqual(words(queue.restore([pro, season], for: .username("me"))), ["restored"])
    }

    @Test func `what is missing from the list has been finished by somebody else, unless it came since`() async throws {
        var queue = StoreKit2Queue()
        let (coins, pro) = (try await bought("coins"), try await bought("pro"))
        _ = queue.take(coins)
        _ = queue.take(pro)
        _ = queue.restore([pro], for: nil)
        let known = queue.newest
        _ = queue.take(try await bought("season"))
        expectEqual(words(queue.takeAll([pro], knownBefore: known)), ["removed 1"])
        #expect(words(queue.takeAll([pro], knownBefore: known)).isEmpty)
        expectEqual(words(queue.takeAll([], knownBefore: queue.newest)), ["removed 2"], "a row of a restore is in no list")
    }

    @Test func `what is missing from the list is told in the order in which it came`() async throws {
        var queue = StoreKit2Queue()
        var entries: [TransactionToken] = []
        for _ in 0..<8 { entries.append(try entry(queue.take(try await bought("coins")))) }
        guard case .removedTransactions(let gone)? = queue.takeAll([], knownBefore: queue.newest).first else {
            Issue.record("Nothing was said to be gone.")
            return
        }
        expectEqual(gone, entries)
    }

    @Test func `a list is told as one batch, oldest first, and by identifier what was bought in the same moment`() async throws {
        var queue = StoreKit2Queue()
        let (coins, pro) = (try await bought("coins"), try await bought("pro"))
        world.appStore.advance(by: 1)
        let season = try await bought("season")
        let told = words(queue.takeAll([season, pro, coins], knownBefore: queue.newest))
        expectEqual(told, ["unsolicited purchased coins purchased pro purchased season"])
        #expect(words(queue.takeAll([season, pro, coins], knownBefore: queue.newest)).isEmpty)
    }
}
