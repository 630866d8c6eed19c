import Foundation

extension ReceiptItem {
    /// Reads a row in Apple's usual format, with strings and dates in milliseconds, directly from its dictionary.
    ///
    /// Returns `nil` for any other row. The receipt parser reads those rows; it supports all formats and missing
    /// fields. Both readers return the same item for a row in the usual format.
    init?(plainRow row: ReceiptInfo) {
        guard let productId = Self.text("product_id", row), let transactionId = Self.text("transaction_id", row),
            let purchaseDate = Self.date("purchase_date_ms", row),
            // The receipt parser reads a revocation from these fields.
            row["cancellation_date"] == nil, row["cancellation_date_ms"] == nil, row["cancellation_date_pst"] == nil
        else { return nil }
        var isPlain = true
        func optional<Value>(_ names: @autoclosure () -> [String], _ value: Value?, else missing: Value) -> Value {
            if let value { return value }
            if names().contains(where: { row[$0] != nil }) { isPlain = false }
            return missing
        }
        let quantity = optional(["quantity"], Self.text("quantity", row).flatMap(Self.count), else: 1)
        let originalTransactionId = optional(
            ["original_transaction_id"], Self.text("original_transaction_id", row), else: transactionId)
        let originalPurchaseDate = optional(
            Self.dateNames("original_purchase_date"), Self.date("original_purchase_date_ms", row), else: purchaseDate)
        let expirationDate = optional(
            Self.dateNames("expires_date") + ["expires_date_formatted", "expires_date_formatted_pst"],
            Self.date("expires_date_ms", row).map { $0 }, else: nil)
        let webOrderLineItemId = optional(
            ["web_order_line_item_id"], Self.text("web_order_line_item_id", row).map { $0 }, else: nil)
        let flags = ["is_trial_period", "is_in_intro_offer_period", "is_upgraded"].map { name in
            optional([name], Self.text(name, row).flatMap(Self.flag), else: false)
        }
        guard isPlain else { return nil }
        self.init(
            productId: productId, quantity: quantity, transactionId: transactionId,
            originalTransactionId: originalTransactionId,
            purchaseDate: purchaseDate, originalPurchaseDate: originalPurchaseDate,
            webOrderLineItemId: webOrderLineItemId,
            subscriptionExpirationDate: expirationDate, cancellationDate: nil, isTrialPeriod: flags[0],
            isInIntroOfferPeriod: flags[1], isUpgraded: flags[2])
    }

    private static func dateNames(_ name: String) -> [String] { [name, name + "_ms", name + "_pst"] }

    /// Returns a short text without characters that JSON escapes.
    private static func text(_ name: String, _ row: ReceiptInfo) -> String? {
        guard let text = row[name] as? String, (1...200).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return text
    }

    /// Returns the date of a text with at most 13 digits, which a Double represents exactly.
    private static func date(_ name: String, _ row: ReceiptInfo) -> Date? {
        text(name, row).flatMap { digits($0, atMost: 13) }.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }

    private static func count(_ text: String) -> Int? { digits(text, atMost: 9) }

    private static func digits(_ text: String, atMost count: Int) -> Int? {
        guard text.utf8.count <= count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func flag(_ text: String) -> Bool? {
        switch text {
        case "true": true
        case "false": false
        default: nil
        }
    }
}
