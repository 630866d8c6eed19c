import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// One history as a PKCS#7 file and as JSON of `verifyReceipt`.
@Suite(.bounded) struct ReceiptEqualityTests {
    private typealias F = ReceiptFixtures

    private var history: SimulatedReceipt {
        var receipt = SimulatedReceipt(
            bundleID: "com.example.app", appVersion: "42", creationDate: F.day(40), environment: .production)
        receipt.appStoreID = 123_456
        receipt.originalAppVersion = "7"
        receipt.originalPurchaseDate = F.day(-10)
        receipt.downloadID = 77
        receipt.ageRating = "4+"
        receipt.additionalAttributes = [9: [1]]
        receipt.transactions = (0..<5).map { week in
            var row = SimulatedReceiptTransaction(
                productID: "weekly", transactionID: "\(1_000 + week)", purchaseDate: F.day(Double(week * 7)))
            row.originalTransactionID = "1000"
            row.originalPurchaseDate = F.day(0)
            row.productType = 3
            row.expirationDate = F.day(Double(week * 7 + 7))
            row.webOrderLineItemID = Int64(5_000 + week)
            row.isTrialPeriod = week == 0
            row.isInIntroductoryOfferPeriod = week == 1
            row.promotionalOfferID = week == 2 ? "back" : nil
            row.revocationDate = week == 4 ? F.day(29) : nil
            return row
        }
        var coins = SimulatedReceiptTransaction(
            productID: "coins", transactionID: "999", purchaseDate: F.day(3), quantity: 4)
        coins.webOrderLineItemID = 0
        receipt.transactions.append(coins)
        return receipt
    }

    /// The same history in the format of Apple's server, with other spellings, another order and names that only JSON
    /// has.
    private func json(_ receipt: SimulatedReceipt) -> Data {
        func date(_ name: String, _ date: Date?) -> String {
            guard let date else { return "" }
            let milliseconds = Int64(date.timeIntervalSince1970 * 1_000)
            let words = date.ISO8601Format().replacing("T", with: " ").replacing("Z", with: " Etc/GMT")
            return "\"\(name)\":\"\(words)\",\"\(name)_ms\":\"\(milliseconds)\","
        }
        let rows = receipt.transactions.reversed().map { row in
            let item = row.webOrderLineItemID.flatMap { $0 == 0 ? nil : "\"web_order_line_item_id\":\"\($0)\"," } ?? ""
            let offer = row.promotionalOfferID.map { "\"promotional_offer_id\":\"\($0)\"," } ?? ""
            let dates =
                date("purchase_date", row.purchaseDate) + date("original_purchase_date", row.originalPurchaseDate)
                + date("expires_date", row.expirationDate) + date("cancellation_date", row.revocationDate)
            return """
                {\(dates)\(item)\(offer)"quantity":"\(row.quantity)","product_id":"\(row.productID)","transaction_id":"\(row.transactionID)",
                "original_transaction_id":"\(row.originalTransactionID ?? "")","is_trial_period":"\(row.isTrialPeriod ?? false)",
                "is_in_intro_offer_period":"\(row.isInIntroductoryOfferPeriod ?? false)"}
                """
        }
        let dates =
            date("receipt_creation_date", receipt.creationDate)
            + date("original_purchase_date", receipt.originalPurchaseDate)
            + date("request_date", F.day(41))
        return Data(
            """
            {"status":0,"environment":"Production","latest_receipt":"MIIB","receipt":{"receipt_type":"Production","adam_id":123456,
            "app_item_id":123456,\(dates)"bundle_id":"com.example.app","application_version":"42","original_application_version":"7",
            "download_id":77,"version_external_identifier":8,"in_app":[\(rows.joined(separator: ","))],"novelty":1}}
            """.utf8)
    }

    @Test func `JSON and PKCS#7 of the same history give receipts with the same history`() throws {
        let file = try Receipt.unverified(pkcs7: UnsignedContainer.around(history))
        let answer = try Receipt.unverified(verifyReceiptJSON: json(history))
        #expect(file.hasSameHistory(as: answer) && file != answer)
        expectEqual(file, try Receipt.unverified(pkcs7: UnsignedContainer.around(history)))
        #expect(file.source != answer.source && file.contents.unknownFields != answer.contents.unknownFields)
        for day in stride(from: -1.0, through: 50, by: 0.5) {
            let (left, right) = (
                file.subscriptionStatus(of: "weekly", at: .date(F.day(day))),
                answer.subscriptionStatus(of: "weekly", at: .date(F.day(day)))
            )
            #expect(left.state == right.state && left.accessEndDate == right.accessEndDate)
            expectEqual(left.transaction?.id, right.transaction?.id)
        }
    }

    @Test func `receipts with any different field are different`() throws {
        let file = try Receipt.unverified(pkcs7: UnsignedContainer.around(history))
        let changes: [(inout SimulatedReceipt) -> Void] = [
            { $0.bundleID = "com.example.other" }, { $0.appVersion = "43" }, { $0.originalAppVersion = "8" },
            { $0.environment = .sandbox },
            { $0.creationDate = F.day(39) }, { $0.originalPurchaseDate = nil }, { $0.expirationDate = F.day(99) },
            { $0.appStoreID = 1 },
            { $0.downloadID = 1 }, { $0.transactions.removeLast() }, { $0.transactions[0].quantity = 2 },
            { $0.transactions[0].transactionID = "1" },
            { $0.transactions[0].productID = "monthly" }, { $0.transactions[0].purchaseDate = F.day(1) },
            { $0.transactions[0].originalTransactionID = "2" }, { $0.transactions[0].originalPurchaseDate = F.day(1) },
            { $0.transactions[0].expirationDate = nil }, { $0.transactions[0].webOrderLineItemID = 1 },
            { $0.transactions[0].revocationDate = F.day(2) },
            { $0.transactions[0].isTrialPeriod = false }, { $0.transactions[0].isInIntroductoryOfferPeriod = true },
            { $0.transactions[0].promotionalOfferID = "x" },
        ]
        for (place, change) in changes.enumerated() {
            var other = history
            change(&other)
            let changed = try Receipt.unverified(pkcs7: UnsignedContainer.around(other))
            #expect(changed != file && !changed.hasSameHistory(as: file), "change \(place)")
        }
    }

    @Test func `receipts that differ only in device binding or unknown attributes have the same history`() throws {
        var other = history
        other.deviceIdentifier = [1, 2, 3]
        other.opaqueValue = [4]
        other.additionalAttributes = [77: [1]]
        other.transactions[0].additionalAttributes = [1799: [1]]
        other.transactions.reverse()
        let (left, right) = (
            try Receipt.unverified(pkcs7: UnsignedContainer.around(other)),
            try Receipt.unverified(pkcs7: UnsignedContainer.around(history))
        )
        #expect(left.hasSameHistory(as: right) && left != right)
    }
}
