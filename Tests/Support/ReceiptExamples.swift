package import Foundation
package import SwiftyStoreKit

/// Dates, rows and receipt dictionaries.
package enum ReceiptExamples {
    /// 2026-01-01 00:00:00 GMT.
    package static func day(_ days: Double) -> Date {
        Date(timeIntervalSince1970: 1_767_225_600 + days * 86_400)
    }

    package static func milliseconds(_ days: Double) -> String {
        "\(Int64(day(days).timeIntervalSince1970 * 1_000))"
    }

    /// Returns a row with the fields that Apple always writes, and further fields.
    package static func row(
        _ productID: String, _ transactionID: String, day: Double = 0, _ members: [String: Any] = [:]
    ) -> [String: Any] {
        [
            "quantity": "1", "product_id": productID, "transaction_id": transactionID,
            "original_transaction_id": "1000",
            "purchase_date_ms": milliseconds(day), "original_purchase_date_ms": milliseconds(day),
        ].merging(members) { $1 }
    }

    /// Returns such a row with the transaction identifier 1000.
    package static func row(_ productID: String, _ members: [String: Any] = [:]) -> [String: Any] {
        row(productID, "1000", members)
    }

    /// A period of 30 days.
    package static func period(
        _ productID: String, _ transactionID: String, from day: Double, _ members: [String: Any] = [:]
    )
        -> [String: Any]
    {
        row(productID, transactionID, day: day, ["expires_date_ms": milliseconds(day + 30)].merging(members) { $1 })
    }

    /// A receipt of purchases.
    package static func purchases(_ rows: [String: Any]...) -> ReceiptInfo {
        info(["status": 0, "receipt": ["bundle_id": "com.example.app", "in_app": rows]])
    }

    /// A receipt of subscriptions.
    package static func subscriptions(_ rows: [String: Any]..., members: [String: Any] = [:]) -> ReceiptInfo {
        let receipt: [String: Any] = ["bundle_id": "com.example.app", "in_app": [Any]()]
        return info(["status": 0, "receipt": receipt, "latest_receipt_info": rows].merging(members) { $1 })
    }

    /// Returns a dictionary in the form of apps that create it themselves or read JSON.
    package static func info(_ members: [String: Any]) -> ReceiptInfo {
        members.mapValues { $0 as AnyObject }
    }

    /// Returns the body of a response with this dictionary.
    package static func json(_ info: ReceiptInfo) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: info), as: UTF8.self)
    }
}
