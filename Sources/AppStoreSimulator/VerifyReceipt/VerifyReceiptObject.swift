import Foundation

/// The objects of a `verifyReceipt` response, with Apple's documented field names and formats: numbers and Booleans are
/// strings, and each date has three forms.
enum VerifyReceiptObject {
    static func receipt(_ receipt: SimulatedReceipt, now: Date, rows: [[String: Any]]) -> [String: Any] {
        var object: [String: Any] = [
            "receipt_type": receipt.environment.rawValue, "bundle_id": receipt.bundleID,
            "application_version": receipt.appVersion,
            "original_application_version": receipt.originalAppVersion, "in_app": rows,
        ]
        add("receipt_creation_date", receipt.creationDate, to: &object)
        add("request_date", now, to: &object)
        add("original_purchase_date", receipt.originalPurchaseDate, to: &object)
        add("expiration_date", receipt.expirationDate, to: &object)
        return object
    }

    static func row(_ purchase: SimulatedReceiptTransaction) -> [String: Any] {
        var object: [String: Any] = [
            "product_id": purchase.productID, "quantity": "\(purchase.quantity)",
            "transaction_id": purchase.transactionID,
            "is_trial_period": "\(purchase.isTrialPeriod ?? false)",
        ]
        object["original_transaction_id"] = purchase.originalTransactionID
        object["web_order_line_item_id"] = purchase.webOrderLineItemID.map { "\($0)" }
        object["is_in_intro_offer_period"] = purchase.isInIntroductoryOfferPeriod.map { "\($0)" }
        object["promotional_offer_id"] = purchase.promotionalOfferID
        add("purchase_date", purchase.purchaseDate, to: &object)
        add("original_purchase_date", purchase.originalPurchaseDate, to: &object)
        add("expires_date", purchase.expirationDate, to: &object)
        if let date = purchase.revocationDate {
            add("cancellation_date", date, to: &object)
            // "0" is any reason except an issue with the app.
            object["cancellation_reason"] = "0"
        }
        object["in_app_ownership_type"] = "PURCHASED"
        return object
    }

    /// Returns the object of a transaction in the App Store's list, which has more fields than a receipt.
    static func row(_ record: SimulatedHistoryRecord) -> [String: Any] {
        var object = row(SimulatedReceiptTransaction(record))
        object["subscription_group_identifier"] = record.groupID
        if record.isUpgraded { object["is_upgraded"] = "true" }
        if let username = record.applicationUsername, let token = UUID(uuidString: username) {
            object["app_account_token"] = token.uuidString.lowercased()
        }
        return object
    }

    /// Returns the object of renewal information.
    static func renewal(_ renewal: SimulatedRenewal, now: Date) -> [String: Any] {
        var object: [String: Any] = [
            "product_id": renewal.productID, "auto_renew_product_id": renewal.autoRenewPreference,
            "original_transaction_id": renewal.originalTransactionID,
            "auto_renew_status": renewal.willAutoRenew ? "1" : "0",
        ]
        if let reason = renewal.expirationReason {
            object["expiration_intent"] = "\(reason.rawValue)"
            object["is_in_billing_retry_period"] = renewal.isInBillingRetry ? "1" : "0"
        }
        if let end = renewal.gracePeriodExpirationDate, now < end { add("grace_period_expires_date", end, to: &object) }
        return object
    }

    /// Adds a date in UTC, in milliseconds and in Pacific time.
    private static func add(_ name: String, _ date: Date?, to object: inout [String: Any]) {
        guard let date else { return }
        object[name] = "\(text(date)) Etc/GMT"
        object["\(name)_ms"] = "\(Int64((date.timeIntervalSince1970 * 1000).rounded()))"
        let zone = "America/Los_Angeles"
        if let offset = TimeZone(identifier: zone)?.secondsFromGMT(for: date) {
            object["\(name)_pst"] = "\(text(date.addingTimeInterval(TimeInterval(offset)))) \(zone)"
        }
    }

    private static func text(_ date: Date) -> String {
        DEREncoding.rfc3339(date).replacingOccurrences(of: "T", with: " ").replacingOccurrences(of: "Z", with: "")
    }
}
