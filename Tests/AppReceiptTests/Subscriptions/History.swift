import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import Testing

/// A row in the table of histories, with events and the expected statuses on certain days.
struct History: Sendable, CustomTestStringConvertible {
    /// An evaluation with the result according to Apple's documentation.
    struct Expectation: Sendable {
        let products: Set<String>
        let date: ReceiptEvaluationDate
        let state: SubscriptionState
        /// The end of access in days; `nil` to skip the check.
        var end: Double?
        /// The product of the deciding transaction; `nil` to skip the check.
        var product: String?
        /// Whether the subscription will renew; `nil` to skip the check.
        var renews: Bool?
        /// The duration of a non-renewing subscription.
        var duration: Double?
    }

    /// The formats that can represent the history.
    struct Forms: OptionSet, Sendable {
        let rawValue: Int
        static let json = Forms(rawValue: 1)
        static let pkcs7 = Forms(rawValue: 2)
        static let jws = Forms(rawValue: 4)
        static let all: Forms = [.json, .pkcs7, .jws]
    }

    let name: String
    /// The source of the expectation.
    let source: String
    let forms: Forms
    var rows: [ReceiptTransaction]
    var renewals: [ReceiptRenewal] = []
    /// Rows of `in_app`, the list that is older than `latest_receipt_info`; in JSON only.
    var olderRows: [ReceiptTransaction] = []
    let expectations: [Expectation]

    var testDescription: String { name }
}

/// Writes and reads a history in each format.
enum HistoryWriter {
    private typealias F = ReceiptFixtures

    private static func milliseconds(_ date: Date?) -> Int64? {
        date.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }

    private static func object(_ members: [(String, Any?)]) -> [String: Any] {
        Dictionary(uniqueKeysWithValues: members.compactMap { name, value in value.map { (name, $0) } })
    }

    private static func text(_ object: [String: Any]) throws -> String {
        String(
            decoding: try JSONSerialization.data(
                withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self)
    }

    static func json(_ rows: [ReceiptTransaction], older: [ReceiptTransaction], _ renewals: [ReceiptRenewal]) throws
        -> Receipt
    {
        func element(_ row: ReceiptTransaction) -> [String: Any] {
            object([
                ("product_id", row.productID), ("transaction_id", row.transactionID), ("quantity", "\(row.quantity)"),
                ("original_transaction_id", row.originalTransactionID),
                ("purchase_date_ms", milliseconds(row.purchaseDate).map { "\($0)" }),
                ("original_purchase_date_ms", milliseconds(row.originalPurchaseDate).map { "\($0)" }),
                ("expires_date_ms", milliseconds(row.expirationDate).map { "\($0)" }),
                ("cancellation_date_ms", milliseconds(row.revocationDate).map { "\($0)" }),
                ("is_upgraded", row.isUpgraded ? "true" : nil),
                ("in_app_ownership_type", row.ownershipType?.rawValue),
                ("subscription_group_identifier", row.subscriptionGroupID),
            ])
        }
        let pending = renewals.map { renewal in
            object([
                ("product_id", renewal.productID), ("original_transaction_id", renewal.originalTransactionID),
                ("auto_renew_status", renewal.willAutoRenew.map { $0 ? "1" : "0" }),
                ("is_in_billing_retry_period", renewal.isInBillingRetry ? "1" : "0"),
                ("grace_period_expires_date_ms", milliseconds(renewal.gracePeriodExpirationDate).map { "\($0)" }),
            ])
        }
        let response: [String: Any] = [
            "status": 0, "latest_receipt_info": rows.map(element), "pending_renewal_info": pending,
            "receipt": ["bundle_id": "com.example.app", "in_app": older.map(element)] as [String: Any],
        ]
        return try Receipt.unverified(verifyReceiptJSON: JSONSerialization.data(withJSONObject: response))
    }

    static func pkcs7(_ rows: [ReceiptTransaction]) throws -> Receipt {
        var receipt = SimulatedReceipt(bundleID: "com.example.app", creationDate: F.newYear)
        receipt.transactions = rows.map { row in
            var purchase = SimulatedReceiptTransaction(
                productID: row.productID, transactionID: row.transactionID, purchaseDate: row.purchaseDate,
                quantity: Int64(row.quantity))
            purchase.originalTransactionID = row.originalTransactionID
            purchase.originalPurchaseDate = row.originalPurchaseDate
            purchase.expirationDate = row.expirationDate
            purchase.revocationDate = row.revocationDate
            return purchase
        }
        return try Receipt.unverified(pkcs7: UnsignedContainer.around(receipt))
    }

    static func jws(_ rows: [ReceiptTransaction], _ renewals: [ReceiptRenewal]) throws -> Receipt {
        let transactions = try rows.map { row in
            let payload = object([
                ("transactionId", row.transactionID), ("originalTransactionId", row.originalTransactionID),
                ("productId", row.productID),
                ("bundleId", "com.example.app"), ("purchaseDate", milliseconds(row.purchaseDate)),
                ("quantity", row.quantity),
                ("originalPurchaseDate", milliseconds(row.originalPurchaseDate)),
                ("expiresDate", milliseconds(row.expirationDate)),
                ("signedDate", milliseconds(row.signedDate ?? F.newYear)), ("isUpgraded", row.isUpgraded ? true : nil),
                // Signed transactions of the App Store don't have the date of an upgrade.
                ("revocationDate", row.isUpgraded ? nil : milliseconds(row.revocationDate)),
                ("inAppOwnershipType", row.ownershipType?.rawValue),
                ("subscriptionGroupIdentifier", row.subscriptionGroupID),
            ])
            let token = UnsignedToken.around(try text(payload))
            return try SignedPayload.unverified(jws: token).transaction.map(ReceiptTransaction.init)
        }
        let infos = try renewals.map { renewal in
            let payload = object([
                ("productId", renewal.productID), ("autoRenewProductId", renewal.productID),
                ("originalTransactionId", renewal.originalTransactionID ?? ""),
                ("autoRenewStatus", renewal.willAutoRenew == false ? 0 : 1),
                ("isInBillingRetryPeriod", renewal.isInBillingRetry),
                ("gracePeriodExpiresDate", milliseconds(renewal.gracePeriodExpirationDate)),
                ("signedDate", milliseconds(renewal.signedDate ?? F.newYear)),
            ])
            let token = UnsignedToken.around(try text(payload))
            return try SignedPayload.unverified(jws: token).renewalInfo.map { ReceiptRenewal($0) }
        }
        return Receipt(
            ReceiptContents(
                bundleID: "com.example.app", transactions: transactions.compactMap { $0 },
                renewals: infos.compactMap { $0 }))
    }
}
