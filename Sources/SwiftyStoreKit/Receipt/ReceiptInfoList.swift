import AppReceipt
import Foundation

/// The lists of transactions in a receipt dictionary, which the old API asks separately.
package enum ReceiptInfoList: Hashable {
    /// `latest_receipt_info`, and what stands in its place in receipts in the style of iOS 6.
    case latest
    /// `receipt.in_app`.
    case inApp

    package init(of type: SubscriptionType) {
        switch type {
        case .autoRenewable: self = .latest
        case .nonRenewing: self = .inApp
        }
    }

    /// The fields of the dictionary on which the list depends.
    private var names: [String] {
        switch self {
        case .latest:
            [
                "receipt", "latest_receipt_info", "latest_expired_receipt_info", "pending_renewal_info", "auto_renew_product_id",
                "auto_renew_status", "expiration_intent", "is_in_billing_retry_period", "grace_period_expires_date_ms",
                "grace_period_expires_date", "grace_period_expires_date_pst",
            ]
        case .inApp: ["receipt"]
        }
    }

    /// What the list depends on in `info`.
    func sources(in info: ReceiptInfo) -> [(name: String, object: AnyObject)] {
        names.compactMap { name in info[name].map { (name, $0) } }
    }

    /// Reads the list: the receipt is `nil` when there is no list, or nothing that could be one.
    func read(_ info: ReceiptInfo) -> (receipt: Receipt?, isImmutable: Bool) {
        var text = ReceiptInfoText()
        // Asked as it is: Foundation on Linux would copy everything in it into a Swift dictionary.
        let application = info["receipt"] as? NSDictionary ?? [:]
        // Only a receipt in the style of iOS 6 is itself a purchase.
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
            if name == "latest_receipt_info" || name == "latest_expired_receipt_info" { exists = exists || Self.isList(object) }
            text.append(json: ",")
            text.append(name)
            text.append(json: ":")
            text.append(object)
        }
        text.append(json: "}")
        guard exists else { return (nil, text.isImmutable) }
        return (try? VerifyReceiptResponse(leniently: text.bytes).receipt, text.isImmutable)
    }

    /// Whether it is an array, or the one object that stands for an array of one.
    private static func isList(_ value: Any) -> Bool {
        value is NSArray || value is NSDictionary || value is [Any] || value is [AnyHashable: Any]
    }
}
