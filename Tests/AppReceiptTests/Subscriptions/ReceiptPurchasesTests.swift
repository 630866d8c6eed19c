import AppReceipt
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct ReceiptPurchasesTests {
    private typealias F = ReceiptFixtures

    private func row(
        _ productID: String, _ transaction: String, on day: Double,
        _ change: (inout ReceiptTransaction) -> Void = { _ in }
    )
        -> ReceiptTransaction
    {
        var row = ReceiptTransaction(
            PurchaseFacts(productID: productID, transactionID: transaction, purchaseDate: F.day(day)))
        change(&row)
        return row
    }

    @Test func `revoked products are listed, too`() {
        let receipt = F.receipt([row("pro", "1", on: 0), row("plus", "2", on: 0) { $0.revocationDate = F.day(1) }])
        expectEqual(receipt.transactions(of: "plus").map(\.isRevoked), [true])
        expectEqual(receipt.distinctProductIDs, ["pro", "plus"])
    }

    @Test func `a transaction is kept once, and is revoked if any copy is`() {
        let refunded = row("pro", "1", on: 0) { $0.revocationDate = F.day(1) }
        for rows in [[row("pro", "1", on: 0), refunded], [refunded, row("pro", "1", on: 0)]] {
            expectEqual(F.receipt(rows).transactions, [refunded])
        }
    }

    @Test func `one transaction of two products is two rows`() {
        expectEqual(F.receipt([row("a", "1", on: 0), row("b", "1", on: 0)]).transactions.count, 2)
    }

    @Test func `quantities of a consumable add up without refunds and without overflow`() {
        let rows = [
            row("coins", "1", on: 0) { $0.quantity = 3 }, row("coins", "2", on: 1) { $0.quantity = 4 },
            row("coins", "3", on: 2) {
                $0.quantity = 9
                $0.revocationDate = F.day(3)
            },
        ]
        expectEqual(F.receipt(rows).quantity(of: "coins"), 7)
        let huge = rows + [row("coins", "4", on: 4) { $0.quantity = Int.max }]
        expectEqual(F.receipt(huge).quantity(of: "coins"), Int.max)
    }

    @Test func `an introductory offer is used up in the whole group`() {
        let trial = F.period("weekly", from: 0) { $0.isTrialPeriod = true }
        let receipt = F.receipt([trial, F.period("news", from: 0)])
        #expect(receipt.hasUsedIntroductoryOffer(among: ["monthly", "weekly"]))
        #expect(!receipt.hasUsedIntroductoryOffer(among: ["news"]))
    }

    @Test func `subscriptions are the products with an expiration date`() {
        let receipt = F.receipt([F.period("weekly", from: 0), row("pro", "1", on: 0)])
        expectEqual(receipt.subscriptionProductIDs, ["weekly"])
    }

    @Test func `a transaction is found by its identifier, and a subscription by its first`() {
        let receipt = F.receipt([F.period("weekly", from: 0), F.period("yearly", from: 30), row("pro", "1", on: 0)])
        expectEqual(receipt.transaction(id: "1")?.productID, "pro")
        expectEqual(receipt.transaction(id: "2"), nil)
        expectEqual(receipt.transactions(originalTransactionID: "1000").map(\.productID), ["yearly", "weekly"])
    }

    @Test func `order and equality don't depend on the order of the input`() {
        let rows = [
            F.period("weekly", from: 0), F.period("yearly", from: 0), row("pro", "9", on: 0), row("pro", "10", on: 0),
        ]
        let (receipt, reversed) = (F.receipt(rows), F.receipt(rows.reversed()))
        expectEqual(receipt, reversed)
        expectEqual(receipt.hashValue, reversed.hashValue)
        expectEqual(receipt.transactions.filter { $0.productID == "pro" }.map(\.transactionID), ["10", "9"])
    }
}
