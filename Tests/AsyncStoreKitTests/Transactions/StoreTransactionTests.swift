import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct StoreTransactionTests {
    private let day = Date(timeIntervalSince1970: 86_400)
    private let first = Date(timeIntervalSince1970: 1_000)

    private func restored(_ original: StoreTransaction.Original?) -> StoreTransaction {
        StoreTransaction(
            token: .entry(1), state: .restored, productID: "pro", id: "new", purchaseDate: day, original: original)
    }

    @Test func `the delivery key of a purchase is its own identifier`() {
        let purchase = StoreTransaction(
            token: .entry(1), state: .purchased, productID: "pro", id: "own", purchaseDate: day)
        expectEqual(purchase.originalID, "own")
        expectEqual(purchase.originalPurchaseDate, day)
        expectEqual(purchase.deliveryKey, "own")
    }

    @Test func `the delivery key of a restored purchase is its original's identifier`() {
        let transaction = restored(.init(id: "first", purchaseDate: first))
        expectEqual(transaction.originalID, "first")
        expectEqual(transaction.originalPurchaseDate, first)
        expectEqual(transaction.deliveryKey, "first")
    }

    @Test func `the delivery key of a restored purchase without an original is its own identifier`() {
        for original in [nil, StoreTransaction.Original(id: nil, purchaseDate: nil)] {
            expectEqual(restored(original).originalID, "new")
            expectEqual(restored(original).originalPurchaseDate, day)
            expectEqual(restored(original).deliveryKey, "new")
        }
    }

    @Test func `a renewal is a purchase of its own`() {
        var renewal = restored(.init(id: "first", purchaseDate: first))
        renewal.report.state = .purchased
        expectEqual(renewal.deliveryKey, "new")
        expectEqual(renewal.originalID, "first")
    }

    @Test func `without an identifier the product and the date distinguish purchases`() {
        var transaction = restored(nil)
        transaction.report.id = nil
        let key = transaction.deliveryKey
        expectEqual(transaction.deliveryKey, key)
        var another = transaction
        another.report.productID = "gems"
        #expect(another.deliveryKey != key)
        another = transaction
        another.report.purchaseDate = first
        #expect(another.deliveryKey != key)
    }

    @Test(arguments: [StoreTransaction.State.purchasing, .failed, .deferred])
    func `a transaction without an identifier and a date has no original values`(state: StoreTransaction.State) {
        let transaction = StoreTransaction.entry(1, state)
        expectEqual(transaction.originalID, nil)
        expectEqual(transaction.originalPurchaseDate, nil)
        #expect(!transaction.holdsContent)
    }

    @Test(arguments: [StoreTransaction.State.purchased, .restored])
    func `a paid transaction has content`(state: StoreTransaction.State) {
        #expect(StoreTransaction.entry(1, state).holdsContent)
    }

    @Test func `an empty user name is treated as none`() {
        expectEqual(StoreTransaction.entry(1, .purchased, username: "").account, nil)
        expectEqual(StoreTransaction.entry(1, .purchased, username: "ada").account, .username("ada"))
    }

    @Test func `a user name that is an account token is read as a token`() {
        let token = UUID()
        expectEqual(StoreTransaction.entry(1, .purchased, username: token.uuidString).account, .token(token))
        expectEqual(
            StoreTransaction.entry(1, .purchased, username: token.uuidString.lowercased()).account, .token(token))
        expectEqual(StoreTransaction.entry(1, .purchased).account, nil)
    }

    @Test func `transactions that differ in any part are different, and equal ones have equal hashes`() {
        let base = StoreTransaction.entry(1, .purchased)
        var changed: [StoreTransaction] = [.entry(2, .purchased)]
        func change(_ change: (inout StoreTransaction.Report) -> Void) {
            var copy = base
            change(&copy.report)
            changed.append(copy)
        }
        change { $0.state = .restored }
        change { $0.productID = "gems" }
        change { $0.quantity = 2 }
        change { $0.applicationUsername = "ada" }
        change { $0.offerID = "spring" }
        change { $0.id = "other" }
        change { $0.purchaseDate = nil }
        change { $0.original = .init(id: "first", purchaseDate: nil) }
        change { $0.error = StoreError(.unknown, "") }
        change { $0.hasUnfinishedDownloads = true }
        #expect(!changed.contains(base))
        expectEqual(Set(changed + [base, base, .entry(1, .purchased)]).count, changed.count + 1)
    }

    @Test func `tokens are ordered by source, then by number`() {
        #expect(TransactionToken.entry(1) < .entry(2))
        #expect(TransactionToken.entry(9, source: 1) < .entry(1, source: 2))
        #expect(!(TransactionToken.entry(2) < .entry(2)))
        #expect(!(TransactionToken.entry(1, source: 2) < .entry(2, source: 1)))
    }
}
