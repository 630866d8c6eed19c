import AppReceipt
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// The table of histories, with every order of the rows, in every format that can represent them.
@Suite(.bounded) struct HistoryTests {
    private typealias F = ReceiptFixtures

    @Test(arguments: HistoryTable.all) func `a history`(history: History) throws {
        var count = 0
        for rows in permutations(history.rows) {
            for renewals in permutations(history.renewals) {
                if history.forms.contains(.json) {
                    check(history, try HistoryWriter.json(rows, older: history.olderRows, renewals), "JSON")
                }
                if history.forms.contains(.pkcs7) { check(history, try HistoryWriter.pkcs7(rows), "PKCS#7") }
                if history.forms.contains(.jws) { check(history, try HistoryWriter.jws(rows, renewals), "JWS") }
                count += 1
            }
        }
        #expect(count >= 1 && !history.expectations.isEmpty)
    }

    private func check(_ history: History, _ receipt: Receipt, _ form: String) {
        for expectation in history.expectations {
            let status =
                if let duration = expectation.duration {
                    receipt.subscriptionStatus(
                        ofNonRenewing: expectation.products, duration: duration * 86_400, at: expectation.date)
                } else {
                    receipt.subscriptionStatus(of: expectation.products, at: expectation.date)
                }
            let comment: Comment = "\(form), \(expectation), \(receipt.transactions.map(\.transactionID))"
            expectEqual(status.state, expectation.state, comment)
            if let end = expectation.end { expectEqual(status.expirationDate, F.day(end), comment) }
            if let product = expectation.product { expectEqual(status.transaction?.productID, product, comment) }
            if let renews = expectation.renews { expectEqual(status.willAutoRenew, renews, comment) }
            expectEqual(status.isEntitled, [.subscribed, .inGracePeriod].contains(expectation.state), comment)
        }
    }

    private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    @Test func `a receipt doesn't depend on the order of rows and renewals`() {
        for history in HistoryTable.all {
            let receipts = permutations(history.rows).flatMap { rows in
                permutations(history.renewals).map { F.receipt(rows, $0) }
            }
            expectEqual(Set(receipts).count, 1, "\(history.name)")
        }
    }

    @Test func `access to a product`() {
        func owns(_ rows: [ReceiptTransaction], _ product: String, on day: Double, includingFamilyShared: Bool = true)
            -> Bool
        {
            F.receipt(rows).owns(product, at: .date(F.day(day)), includingFamilyShared: includingFamilyShared)
        }
        let monthly = [F.period("monthly", from: 0)]
        #expect(owns(monthly, "monthly", on: 10))
        #expect(!owns(monthly, "monthly", on: 31), "a subscription that has ended")
        #expect(!owns(monthly, "yearly", on: 10))
        let pro = ReceiptTransaction(PurchaseFacts(productID: "pro", transactionID: "1", purchaseDate: F.day(5)))
        #expect(owns([pro], "pro", on: 1_000))
        #expect(!owns([pro], "pro", on: 1), "bought later")
        var refunded = pro
        refunded.revocationDate = F.day(6)
        #expect(!owns([refunded], "pro", on: 1_000))
        let shared = F.period("monthly", from: 0, days: 60, original: "2") { $0.ownershipType = .familyShared }
        #expect(owns([shared], "monthly", on: 40))
        #expect(!owns([shared], "monthly", on: 40, includingFamilyShared: false))
        #expect(
            owns(
                [shared, F.period("monthly", from: 30, transaction: "7")], "monthly", on: 40,
                includingFamilyShared: false))
    }
}
