import AppReceipt

/// The known fields of the JSON of `verifyReceipt`: Apple's `responseBody` and the fields of receipts in the style of
/// iOS 6.
///
/// The table `row` contains the names of each field, the preferred name first, and the objects that have the field.
enum VerifyReceiptField: Int, CaseIterable, Sendable {
    case status, responseEnvironment, isRetryable, receipt, latestReceipt, latestReceiptInfo, latestExpiredReceiptInfo,
        pendingRenewalInfo
    case appStoreID, applicationVersion, bundleID, downloadID, inApp, originalApplicationVersion, receiptType,
        versionExternalIdentifier
    case expirationDate, preorderDate, creationDate, requestDate
    case productID, transactionID, originalTransactionID, purchaseDate, originalPurchaseDate, expiresDate,
        revocationDate
    case revocationReason, quantity, webOrderLineItemID, isTrialPeriod, isInIntroductoryOfferPeriod, isUpgraded,
        promotionalOfferID
    case offerCodeReferenceName, subscriptionGroupID, ownershipType, appAccountToken
    case autoRenewPreference, autoRenewStatus, expirationReason, isInBillingRetry, priceIncreaseStatus,
        gracePeriodExpirationDate

    struct Row {
        let names: [StaticString]
        let objects: VerifyReceiptObjects
    }

    var row: Row {
        switch self {
        case .status: row(.response, "status")
        case .responseEnvironment: row(.response, "environment")
        // Apple documents the hyphen. The service also writes the underscore.
        case .isRetryable: row(.response, "is-retryable", "is_retryable")
        case .receipt: row(.response, "receipt")
        case .latestReceipt: row(.response, "latest_receipt")
        case .latestReceiptInfo: row(.response, "latest_receipt_info")
        case .latestExpiredReceiptInfo: row(.response, "latest_expired_receipt_info")
        case .pendingRenewalInfo: row(.response, "pending_renewal_info")
        case .appStoreID: row([.application, .flatTransaction], "adam_id", "app_item_id", "item_id")
        case .applicationVersion: row([.application, .flatTransaction], "application_version", "bvrs")
        case .bundleID: row([.application, .flatTransaction], "bundle_id", "bid")
        case .downloadID: row(.application, "download_id")
        case .inApp: row(.application, "in_app")
        case .originalApplicationVersion: row(.application, "original_application_version")
        case .receiptType: row(.application, "receipt_type")
        case .versionExternalIdentifier: row([.application, .flatTransaction], "version_external_identifier")
        case .expirationDate: row(.application, "expiration_date_ms", "expiration_date", "expiration_date_pst")
        case .preorderDate: row(.application, "preorder_date_ms", "preorder_date", "preorder_date_pst")
        case .creationDate:
            row(.application, "receipt_creation_date_ms", "receipt_creation_date", "receipt_creation_date_pst")
        case .requestDate: row([.application, .flatTransaction], "request_date_ms", "request_date", "request_date_pst")
        case .productID: row([.transaction, .flatTransaction, .renewal], "product_id")
        case .transactionID: row([.transaction, .flatTransaction], "transaction_id")
        case .originalTransactionID: row([.transaction, .flatTransaction, .renewal], "original_transaction_id")
        case .purchaseDate:
            row([.transaction, .flatTransaction], "purchase_date_ms", "purchase_date", "purchase_date_pst")
        case .originalPurchaseDate:
            row(
                [.application, .transaction, .flatTransaction], "original_purchase_date_ms", "original_purchase_date",
                "original_purchase_date_pst")
        case .expiresDate:
            // Receipts in the style of iOS 6 have milliseconds in `expires_date`, and the words in
            // `expires_date_formatted`.
            row(
                [.transaction, .flatTransaction], "expires_date_ms", "expires_date", "expires_date_pst",
                "expires_date_formatted",
                "expires_date_formatted_pst")
        case .revocationDate:
            row([.transaction, .flatTransaction], "cancellation_date_ms", "cancellation_date", "cancellation_date_pst")
        case .revocationReason: row([.transaction, .flatTransaction], "cancellation_reason")
        case .quantity: row([.transaction, .flatTransaction], "quantity")
        case .webOrderLineItemID: row([.transaction, .flatTransaction], "web_order_line_item_id")
        case .isTrialPeriod: row([.transaction, .flatTransaction], "is_trial_period")
        case .isInIntroductoryOfferPeriod: row([.transaction, .flatTransaction], "is_in_intro_offer_period")
        case .isUpgraded: row([.transaction, .flatTransaction], "is_upgraded")
        case .promotionalOfferID: row([.transaction, .flatTransaction, .renewal], "promotional_offer_id")
        case .offerCodeReferenceName: row([.transaction, .flatTransaction, .renewal], "offer_code_ref_name")
        case .subscriptionGroupID: row([.transaction, .flatTransaction], "subscription_group_identifier")
        case .ownershipType: row([.transaction, .flatTransaction], "in_app_ownership_type")
        case .appAccountToken: row([.transaction, .flatTransaction], "app_account_token")
        case .autoRenewPreference: row([.response, .renewal], "auto_renew_product_id")
        case .autoRenewStatus: row([.response, .renewal], "auto_renew_status")
        case .expirationReason: row([.response, .renewal], "expiration_intent")
        case .isInBillingRetry: row([.response, .renewal], "is_in_billing_retry_period")
        case .priceIncreaseStatus: row(.renewal, "price_increase_status", "price_consent_status")
        case .gracePeriodExpirationDate:
            row(
                [.response, .renewal], "grace_period_expires_date_ms", "grace_period_expires_date",
                "grace_period_expires_date_pst")
        }
    }

    /// The preferred name.
    var name: StaticString { VerifyReceiptFieldSet.names[VerifyReceiptFieldSet.slots(of: self).lowerBound] }

    private func row(_ objects: VerifyReceiptObjects, _ names: StaticString...) -> Row {
        Row(names: names, objects: objects)
    }
}

/// The kinds of objects in the JSON.
struct VerifyReceiptObjects: OptionSet, Sendable {
    let rawValue: UInt8
    static let response = VerifyReceiptObjects(rawValue: 1)
    static let application = VerifyReceiptObjects(rawValue: 2)
    static let transaction = VerifyReceiptObjects(rawValue: 4)
    /// A receipt in the style of iOS 6: application and transaction in one object.
    static let flatTransaction = VerifyReceiptObjects(rawValue: 8)
    static let renewal = VerifyReceiptObjects(rawValue: 16)
}

/// The fields of one kind of object, by the bytes of their names.
struct VerifyReceiptFieldSet: Sendable {
    private let slots: [ArraySlice<UInt8>: Int]

    init(_ objects: VerifyReceiptObjects) {
        var slots: [ArraySlice<UInt8>: Int] = [:]
        for field in VerifyReceiptField.allCases where !field.row.objects.isDisjoint(with: objects) {
            for (slot, name) in zip(Self.slots(of: field), field.row.names) {
                slots[name.withUTF8Buffer { ArraySlice($0) }] = slot
            }
        }
        self.slots = slots
    }

    /// Returns the slot of a field by its name; `nil` if this kind of object doesn't have the field.
    func slot(named name: ArraySlice<UInt8>) -> Int? { slots[name] }

    /// Returns the positions of a field's names among the names of all fields.
    static func slots(of field: VerifyReceiptField) -> Range<Int> {
        firstSlots[field.rawValue]..<firstSlots[field.rawValue + 1]
    }

    /// Every name of every field.
    static let names = VerifyReceiptField.allCases.flatMap(\.row.names)

    private static let firstSlots = VerifyReceiptField.allCases.reduce(into: [0]) { starts, field in
        starts.append(starts[starts.count - 1] + field.row.names.count)
    }

    static let response = VerifyReceiptFieldSet(.response)
    static let application = VerifyReceiptFieldSet(.application)
    static let transaction = VerifyReceiptFieldSet(.transaction)
    static let flatTransaction = VerifyReceiptFieldSet(.flatTransaction)
    static let renewal = VerifyReceiptFieldSet(.renewal)
}
