import AppReceipt
import AppStoreServer
import Foundation

/// The lists of transactions in a receipt dictionary, which the block API reads separately.
package enum ReceiptInfoList: Hashable {
    /// `latest_receipt_info`, or its equivalent in receipts of the iOS 6 format.
    case latest
    /// `receipt.in_app`.
    case inApp

    package init(of type: SubscriptionType) {
        switch type {
        case .autoRenewable: self = .latest
        case .nonRenewing: self = .inApp
        }
    }

    /// The names of the fields that the list depends on.
    private var names: [String] {
        switch self {
        case .latest:
            [
                "receipt", "latest_receipt_info", "latest_expired_receipt_info", "pending_renewal_info",
                "auto_renew_product_id",
                "auto_renew_status", "expiration_intent", "is_in_billing_retry_period", "grace_period_expires_date_ms",
                "grace_period_expires_date", "grace_period_expires_date_pst",
            ]
        case .inApp: ["receipt"]
        }
    }

    /// Returns the fields of `info` that the list depends on.
    func sources(in info: ReceiptInfo) -> [(name: String, object: AnyObject)] {
        names.compactMap { name in info[name].map { (name, $0) } }
    }

    /// Parses the list. The receipt is `nil` if the list is missing or isn't a list.
    func read(_ info: ReceiptInfo) -> (receipt: Receipt?, isImmutable: Bool) {
        var text = ReceiptInfoText()
        // Use the `NSDictionary` itself: Foundation on Linux would copy its whole content into a Swift dictionary.
        let application = info["receipt"] as? NSDictionary ?? [:]
        // Only a receipt of the iOS 6 format is itself a purchase.
        let isFlat = application.object(forKey: "product_id") != nil
        var exists = isFlat
        text.append(json: #"{"status":0,"receipt":"#)
        if isFlat {
            text.append(application)
        } else if self == .inApp, let rows = application.object(forKey: "in_app"), Self.isList(rows) {
            exists = true
            text.append(["in_app": rows] as [String: Any])
        } else {
            text.append(json: "{}")
        }
        for (name, object) in sources(in: info) where name != "receipt" {
            if name == "latest_receipt_info" || name == "latest_expired_receipt_info" {
                exists = exists || Self.isList(object)
            }
            text.append(json: ",")
            text.append(name)
            text.append(json: ":")
            text.append(object)
        }
        text.append(json: "}")
        guard exists else { return (nil, text.isImmutable) }
        return (try? VerifyReceiptResponse(leniently: text.bytes).receipt, text.isImmutable)
    }

    /// Returns whether the value is an array, or a single object in place of an array with one element.
    private static func isList(_ value: Any) -> Bool {
        value is NSArray || value is NSDictionary || value is [Any] || value is [AnyHashable: Any]
    }
}
