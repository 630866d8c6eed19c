package import AppReceipt
package import Foundation

/// Dates and rows for the tests of receipts.
package enum ReceiptFixtures {
    /// 2026-01-01 00:00:00 GMT.
    package static let newYear = Date(timeIntervalSince1970: 1_767_225_600)

    package static func day(_ days: Double) -> Date {
        newYear.addingTimeInterval(days * 86_400)
    }

    package static func milliseconds(_ days: Double) -> Int64 {
        Int64(day(days).timeIntervalSince1970 * 1_000)
    }

    /// Returns a subscription period of 30 days. The default transaction identifier is its first day.
    package static func period(
        _ productID: String, from day: Double, days: Double = 30, transaction: String? = nil, original: String = "1000",
        _ change: (inout ReceiptTransaction) -> Void = { _ in }
    ) -> ReceiptTransaction {
        var row = ReceiptTransaction(
            PurchaseFacts(
                productID: productID, transactionID: transaction ?? "\(Int(day) + 1000)", purchaseDate: Self.day(day),
                originalTransactionID: original, originalPurchaseDate: newYear, expirationDate: Self.day(day + days)))
        change(&row)
        return row
    }

    package static func receipt(_ rows: [ReceiptTransaction], _ renewals: [ReceiptRenewal] = []) -> Receipt {
        Receipt(ReceiptContents(bundleID: "com.example.app", transactions: rows, renewals: renewals))
    }

    /// Returns a `verifyReceipt` response with members of the response and of its receipt.
    package static func answer(_ members: String = "", receipt: String = "", inApp: String = "") -> Data {
        let tail = members.isEmpty ? "" : ",\(members)"
        let application = receipt.isEmpty ? "" : ",\(receipt)"
        return Data(
            """
            {"status":0,"environment":"Sandbox","receipt":{"bundle_id":"com.example.app","in_app":[\(inApp)]\(application)}\(tail)}
            """.utf8)
    }

    /// Returns a row of `in_app` with additional members.
    package static func row(_ productID: String, _ members: String = "", transaction: String = "1000", day: Double = 0)
        -> String
    {
        let tail = members.isEmpty ? "" : ",\(members)"
        return """
            {"quantity":"1","product_id":"\(productID)","transaction_id":"\(transaction)","original_transaction_id":"1000",\
            "purchase_date_ms":"\(milliseconds(day))","original_purchase_date_ms":"\(milliseconds(0))"\(tail)}
            """
    }
}
