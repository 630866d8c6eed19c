/// The names in `verifyReceipt`'s JSON that this library knows: Apple's responseBody, and those of receipts in the style of iOS 6.
enum VerifyReceiptField: Int, CaseIterable, Sendable {
    case status, environment, isRetryable, receipt, latestReceipt, latestReceiptInfo, latestExpiredReceiptInfo, pendingRenewalInfo
    case adamID, appItemID, itemID, applicationVersion, bvrs, bundleID, bid, downloadID, inApp, originalApplicationVersion, receiptType
    case versionExternalIdentifier
    case expirationDate, expirationDateMilliseconds, expirationDatePacific
    case preorderDate, preorderDateMilliseconds, preorderDatePacific
    case receiptCreationDate, receiptCreationDateMilliseconds, receiptCreationDatePacific
    case requestDate, requestDateMilliseconds, requestDatePacific
    case originalPurchaseDate, originalPurchaseDateMilliseconds, originalPurchaseDatePacific
    case purchaseDate, purchaseDateMilliseconds, purchaseDatePacific
    case expiresDate, expiresDateMilliseconds, expiresDatePacific, expiresDateFormatted, expiresDateFormattedPacific
    case cancellationDate, cancellationDateMilliseconds, cancellationDatePacific, cancellationReason
    case quantity, productID, transactionID, originalTransactionID, webOrderLineItemID, isTrialPeriod, isInIntroductoryOfferPeriod
    case isUpgraded, promotionalOfferID, offerCodeReferenceName, subscriptionGroupID, ownership, appAccountToken
    case autoRenewProductID, autoRenewStatus, expirationIntent, isInBillingRetryPeriod, priceConsentStatus, priceIncreaseStatus
    case gracePeriodExpiresDate, gracePeriodExpiresDateMilliseconds, gracePeriodExpiresDatePacific

    var name: StaticString {
        switch self {
        case .status: "status"
        case .environment: "environment"
        case .isRetryable: "is-retryable"
        case .receipt: "receipt"
        case .latestReceipt: "latest_receipt"
        case .latestReceiptInfo: "latest_receipt_info"
        case .latestExpiredReceiptInfo: "latest_expired_receipt_info"
        case .pendingRenewalInfo: "pending_renewal_info"
        case .adamID: "adam_id"
        case .appItemID: "app_item_id"
        case .itemID: "item_id"
        case .applicationVersion: "application_version"
        case .bvrs: "bvrs"
        case .bundleID: "bundle_id"
        case .bid: "bid"
        case .downloadID: "download_id"
        case .inApp: "in_app"
        case .originalApplicationVersion: "original_application_version"
        case .receiptType: "receipt_type"
        case .versionExternalIdentifier: "version_external_identifier"
        case .expirationDate: "expiration_date"
        case .expirationDateMilliseconds: "expiration_date_ms"
        case .expirationDatePacific: "expiration_date_pst"
        case .preorderDate: "preorder_date"
        case .preorderDateMilliseconds: "preorder_date_ms"
        case .preorderDatePacific: "preorder_date_pst"
        case .receiptCreationDate: "receipt_creation_date"
        case .receiptCreationDateMilliseconds: "receipt_creation_date_ms"
        case .receiptCreationDatePacific: "receipt_creation_date_pst"
        case .requestDate: "request_date"
        case .requestDateMilliseconds: "request_date_ms"
        case .requestDatePacific: "request_date_pst"
        case .originalPurchaseDate: "original_purchase_date"
        case .originalPurchaseDateMilliseconds: "original_purchase_date_ms"
        case .originalPurchaseDatePacific: "original_purchase_date_pst"
        case .purchaseDate: "purchase_date"
        case .purchaseDateMilliseconds: "purchase_date_ms"
        case .purchaseDatePacific: "purchase_date_pst"
        case .expiresDate: "expires_date"
        case .expiresDateMilliseconds: "expires_date_ms"
        case .expiresDatePacific: "expires_date_pst"
        case .expiresDateFormatted: "expires_date_formatted"
        case .expiresDateFormattedPacific: "expires_date_formatted_pst"
        case .cancellationDate: "cancellation_date"
        case .cancellationDateMilliseconds: "cancellation_date_ms"
        case .cancellationDatePacific: "cancellation_date_pst"
        case .cancellationReason: "cancellation_reason"
        case .quantity: "quantity"
        case .productID: "product_id"
        case .transactionID: "transaction_id"
        case .originalTransactionID: "original_transaction_id"
        case .webOrderLineItemID: "web_order_line_item_id"
        case .isTrialPeriod: "is_trial_period"
        case .isInIntroductoryOfferPeriod: "is_in_intro_offer_period"
        case .isUpgraded: "is_upgraded"
        case .promotionalOfferID: "promotional_offer_id"
        case .offerCodeReferenceName: "offer_code_ref_name"
        case .subscriptionGroupID: "subscription_group_identifier"
        case .ownership: "in_app_ownership_type"
        case .appAccountToken: "app_account_token"
        case .autoRenewProductID: "auto_renew_product_id"
        case .autoRenewStatus: "auto_renew_status"
        case .expirationIntent: "expiration_intent"
        case .isInBillingRetryPeriod: "is_in_billing_retry_period"
        case .priceConsentStatus: "price_consent_status"
        case .priceIncreaseStatus: "price_increase_status"
        case .gracePeriodExpiresDate: "grace_period_expires_date"
        case .gracePeriodExpiresDateMilliseconds: "grace_period_expires_date_ms"
        case .gracePeriodExpiresDatePacific: "grace_period_expires_date_pst"
        }
    }
}
