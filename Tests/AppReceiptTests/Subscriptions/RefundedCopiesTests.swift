import AppReceipt
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// A refund applies to all copies of a purchase or period.
@Suite(.bounded) struct RefundedCopiesTests {
    private typealias F = ReceiptFixtures

    private static func purchase(
        _ transaction: String, original: String = "1", on day: Double = 0,
        _ change: (inout ReceiptTransaction) -> Void = { _ in }
    ) -> ReceiptTransaction {
        var row = ReceiptTransaction(
            PurchaseFacts(
                productID: "pro", transactionID: transaction, purchaseDate: F.day(day), originalTransactionID: original,
                originalPurchaseDate: F.day(0)))
        change(&row)
        return row
    }

    private static func refunded(_ row: inout ReceiptTransaction) {
        row.revocationDate = F.day(5)
        row.revocationReason = .developerIssue
    }

    /// Returns receipts with the rows in both orders, which must have the same result.
    private func receipts(_ rows: [ReceiptTransaction]) -> [Receipt] {
        [F.receipt(rows), F.receipt(rows.reversed())]
    }

    @Test func `a refund of a purchase or its restored copy ends the access of both`() {
        let rows = [
            [Self.purchase("1", Self.refunded), Self.purchase("2", on: 3)],
            [Self.purchase("1"), Self.purchase("2", on: 3, Self.refunded)],
        ]
        for receipt in rows.flatMap(receipts) {
            #expect(!receipt.owns("pro", at: .now))
            expectEqual(receipt.latestValidTransaction(of: "pro"), nil)
            expectEqual(receipt.subscriptionStatus(of: "pro", at: .now).isEntitled, false)
            expectEqual(receipt.transactions.map(\.isRevoked), [true, true])
            expectEqual(receipt.transactions.map(\.revocationDate), [F.day(5), F.day(5)])
            expectEqual(receipt.transactions.map(\.revocationReason), [.developerIssue, .developerIssue])
        }
    }

    @Test func `a purchase with another first transaction, or of another product, is kept`() {
        var other = Self.purchase("3")
        other.productID = "other"
        let rows = [Self.purchase("1", Self.refunded), Self.purchase("2", original: "2", on: 9), other]
        for receipt in receipts(rows) {
            #expect(receipt.owns("pro", at: .now), "bought again after the refund")
            #expect(receipt.owns("other", at: .now))
            expectEqual(receipt.latestValidTransaction(of: "pro")?.transactionID, "2")
        }
    }

    @Test func `a refunded period revokes its copies and no other period`() {
        func period(_ transaction: String, from day: Double, item: String?, isRefunded: Bool = false)
            -> ReceiptTransaction
        {
            F.period("monthly", from: day, transaction: transaction) { row in
                row.webOrderLineItemID = item
                if isRefunded { Self.refunded(&row) }
            }
        }
        let first = period("10", from: 0, item: "100", isRefunded: true)
        let copy = period("11", from: 0, item: "100")
        let second = period("12", from: 30, item: "101")
        for receipt in receipts([first, copy]) {
            #expect(!receipt.owns("monthly", at: .date(F.day(10))))
            expectEqual(receipt.subscriptionStatus(of: "monthly", at: .date(F.day(10))).state, .revoked)
        }
        for receipt in receipts([first, copy, second]) {
            #expect(receipt.owns("monthly", at: .date(F.day(40))))
            expectEqual(receipt.transactions.filter(\.isRevoked).map(\.transactionID).sorted(), ["10", "11"])
        }
        // Without a line item, or with that of Xcode's local testing, the dates identify the copies of a period.
        for item in [nil, "", "0"] {
            for receipt in receipts([
                period("10", from: 0, item: item, isRefunded: true), period("12", from: 30, item: item),
            ]) {
                #expect(receipt.owns("monthly", at: .date(F.day(40))), "\(item ?? "none")")
            }
            for (refunded, other) in [(item, item), ("100", item), (item, "100")] {
                for receipt in receipts([
                    period("10", from: 0, item: refunded, isRefunded: true), period("11", from: 0, item: other),
                ]) {
                    #expect(!receipt.owns("monthly", at: .date(F.day(10))), "\(refunded ?? "none") \(other ?? "none")")
                }
            }
        }
        for receipt in receipts([first, period("11", from: 0, item: "102")]) {
            #expect(receipt.owns("monthly", at: .date(F.day(10))), "two line items are two periods")
        }
        for original in ["1000", "2000"] {
            let copy = F.period("monthly", from: 0, transaction: "11", original: original)
            for receipt in receipts([first, copy]) {
                expectEqual(receipt.owns("monthly", at: .date(F.day(10))), original == "2000")
            }
        }
    }

    @Test func `an upgrade isn't a refund`() {
        let upgraded = F.period("monthly", from: 0, transaction: "10") { row in
            row.webOrderLineItemID = "100"
            row.revocationDate = F.day(5)
            row.revocationReason = .upgradedToBundle
        }
        let copy = F.period("monthly", from: 0, transaction: "11") { $0.webOrderLineItemID = "100" }
        expectEqual(F.receipt([upgraded, copy]).transactions.filter(\.isRevoked), [])
    }

    @Test func `a copy of a non-renewing subscription ends with the refund`() {
        let rows = [Self.purchase("1", Self.refunded), Self.purchase("2", on: 3)].map { row in
            var row = row
            row.productKind = .nonRenewable
            return row
        }
        for receipt in receipts(rows) {
            let status = receipt.subscriptionStatus(ofNonRenewing: ["pro"], duration: 30 * 86_400, at: .date(F.day(6)))
            expectEqual(status.state, .revoked)
        }
    }

    @Test func `a reversed refund restores every copy, including rows of another receipt`() {
        let refunded = Self.purchase("1") { row in
            row.signedDate = F.day(6)
            Self.refunded(&row)
        }
        let reversed = Self.purchase("1") { $0.signedDate = F.day(8) }
        let first = F.receipt([refunded, Self.purchase("2", on: 3)])
        #expect(!first.owns("pro", at: .now))
        for receipt in receipts(first.transactions + [reversed]) {
            #expect(receipt.owns("pro", at: .now))
            expectEqual(receipt.transactions.map(\.revocationDate), [nil, nil])
        }
    }

    @Test func `an inherited revocation isn't encoded, and a set date replaces it`() throws {
        let receipt = F.receipt([Self.purchase("1", Self.refunded), Self.purchase("2", on: 3)])
        let copy = try #require(receipt.transaction(id: "2"))
        #expect(copy != Self.purchase("2", on: 3), "access depends on it")
        let decoded = try JSONDecoder().decode(ReceiptTransaction.self, from: JSONEncoder().encode(copy))
        expectEqual(decoded.revocationDate, nil)
        let again = try JSONDecoder().decode(Receipt.self, from: JSONEncoder().encode(receipt))
        expectEqual(again.transaction(id: "2")?.revocationDate, F.day(5))
        var changed = copy
        changed.revocationDate = nil
        #expect(changed.isValid)
    }

    @Test(
        arguments: [
            (nil, true), (.nonConsumable, true), (.nonRenewable, true), (.consumable, false),
        ] as [(ProductKind?, Bool)])
    func `a consumable is never owned but counted`(kind: ProductKind?, isOwned: Bool) {
        let row = Self.purchase("1") { $0.productKind = kind }
        expectEqual(F.receipt([row]).owns("pro", at: .now), isOwned)
        expectEqual(F.receipt([row]).owns("pro", at: .now, includingFamilyShared: false), isOwned)
        expectEqual(F.receipt([row]).quantity(of: "pro"), 1)
        let unsaid = Self.purchase("2", original: "2")
        expectEqual(F.receipt([row, unsaid]).owns("pro", at: .now), isOwned, "one row with the kind is enough")
    }
}
