public import Foundation

/// What Apple plans for a subscription's next renewal, or why the last one failed: an element of `pending_renewal_info`.
///
/// Only `verifyReceipt`'s JSON carries it, as of the receipt's request date; a PKCS#7 file says nothing about renewals.
public struct ReceiptRenewal: Hashable, Sendable, Codable {
    /// The product of the period that is running, or that ran last.
    public var productID: String
    /// The first transaction of the subscription.
    public var originalTransactionID: String?
    /// The product it will renew to: another one after a downgrade or a crossgrade.
    public var autoRenewProductID: String?
    /// Whether it will renew; `nil` when the receipt does not say.
    public var willAutoRenew: Bool?
    /// Why it was not renewed; `nil` while it is running.
    public var expirationIntent: ReceiptExpirationIntent?
    /// Whether Apple is still trying to charge the customer.
    public var isInBillingRetry: Bool
    /// Until when the app should give access although the customer could not be charged; `nil` without a billing grace period.
    public var gracePeriodExpirationDate: Date?
    /// Whether the customer has agreed to a higher price that needs consent; `nil` when there is none.
    public var hasConsentedToPriceIncrease: Bool?
    /// `price_increase_status`: whether the customer has agreed to, or was only told of, a higher price; `nil` when there is none.
    public var isPriceIncreaseAccepted: Bool?
    /// The promotional offer that the next renewal will use.
    public var promotionalOfferID: String?
    /// The offer code that the next renewal will use.
    public var offerCodeReferenceName: String?
    /// Fields this library does not know, by JSON key, as they came.
    public var unknownFields: [String: ReceiptValue]

    /// Creates renewal information; for receipts that come from elsewhere, and for tests.
    public init(
        productID: String, originalTransactionID: String? = nil, autoRenewProductID: String? = nil, willAutoRenew: Bool? = nil,
        expirationIntent: ReceiptExpirationIntent? = nil, isInBillingRetry: Bool = false, gracePeriodExpirationDate: Date? = nil
    ) {
        self.productID = productID
        self.originalTransactionID = originalTransactionID
        self.autoRenewProductID = autoRenewProductID
        self.willAutoRenew = willAutoRenew
        self.expirationIntent = expirationIntent
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpirationDate = gracePeriodExpirationDate
        unknownFields = [:]
    }
}
