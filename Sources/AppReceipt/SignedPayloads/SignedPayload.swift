import Foundation

/// What today's App Store signs, as a JSON Web Signature: a transaction, or a subscription's renewal information.
///
/// These are `signedTransactionInfo` and `signedRenewalInfo` of the App Store Server API and its notifications, and `jwsRepresentation` of
/// StoreKit 2. ``SignedTransactionVerifier`` verifies them.
public struct SignedPayload: Hashable, Sendable {
    /// The signed text.
    public let jws: String
    /// What it says.
    public let content: Content

    /// The kinds of payloads.
    public enum Content: Hashable, Sendable {
        /// One transaction.
        case transaction(SignedTransactionInfo)
        /// What becomes of a subscription.
        case renewalInfo(SignedRenewalInfo)
    }

    /// Decodes a payload without verifying it: for showing what it claims, never for granting anything.
    public static func unverified(jws: String) throws(MalformedReceiptError) -> SignedPayload {
        try SignedPayload(jws: jws, JSONWebSignature(jws))
    }

    init(jws: String, _ token: JSONWebSignature) throws(MalformedReceiptError) {
        self.jws = jws
        do throws(MalformedReceiptError) {
            let fields = try SignedPayloadFields(token.payload, "the token's payload")
            // Only transactions have an identifier of their own, only renewal information a renewal status.
            if fields["transactionId"] != nil {
                content = .transaction(try SignedTransactionInfo(fields))
            } else if fields["autoRenewStatus"] != nil || fields["autoRenewProductId"] != nil {
                content = .renewalInfo(try SignedRenewalInfo(fields))
            } else {
                throw MalformedReceiptError(
                    .unsupported, at: 0, expected: "a transaction (transactionId) or renewal information (autoRenewStatus)")
            }
        } catch {
            throw error.relocated(by: token.inputOffset(ofPayload:))
        }
    }

    /// The transaction, if that is what the payload is.
    public var transaction: SignedTransactionInfo? {
        if case .transaction(let info) = content { info } else { nil }
    }

    /// The renewal information, if that is what the payload is.
    public var renewalInfo: SignedRenewalInfo? {
        if case .renewalInfo(let info) = content { info } else { nil }
    }
}

extension ReceiptTransaction {
    /// The row that a signed transaction stands for, so that a server can put a ``Receipt`` together from a customer's transaction history.
    public init(_ transaction: SignedTransactionInfo) {
        self.init(
            productID: transaction.productID, transactionID: transaction.transactionID, purchaseDate: transaction.purchaseDate,
            quantity: transaction.quantity, originalTransactionID: transaction.originalTransactionID,
            originalPurchaseDate: transaction.originalPurchaseDate, expirationDate: transaction.expirationDate,
            revocationDate: transaction.revocationDate, isUpgraded: transaction.isUpgraded,
            productKind: transaction.productType.flatMap(ReceiptProductKind.init))
        revocationReason = transaction.revocationReason
        subscriptionGroupID = transaction.subscriptionGroupID
        webOrderLineItemID = transaction.webOrderLineItemID
        ownershipType = transaction.ownershipType
        appAccountToken = transaction.appAccountToken
        switch transaction.offer?.kind {
        case .introductory?:
            isTrialPeriod = transaction.offer?.payment == .freeTrial
            isInIntroductoryOfferPeriod = !isTrialPeriod
        case .promotional?: promotionalOfferID = transaction.offer?.identifier
        case .offerCode?: offerCodeReferenceName = transaction.offer?.identifier
        default: break
        }
    }
}

extension ReceiptRenewal {
    /// What signed renewal information says; `nil` when it does not name the product.
    public init?(_ renewal: SignedRenewalInfo) {
        guard let productID = renewal.productID ?? renewal.autoRenewPreference else { return nil }
        self.init(
            productID: productID, originalTransactionID: renewal.originalTransactionID, autoRenewPreference: renewal.autoRenewPreference,
            willAutoRenew: renewal.willAutoRenew, expirationReason: renewal.expirationReason,
            isInBillingRetry: renewal.isInBillingRetry ?? false, gracePeriodExpirationDate: renewal.gracePeriodExpirationDate)
        priceIncreaseStatus = renewal.priceIncreaseStatus
    }
}

extension ReceiptProductKind {
    fileprivate init?(_ type: SignedTransactionInfo.ProductType) {
        switch type {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .nonRenewingSubscription: self = .nonRenewingSubscription
        case .autoRenewableSubscription: self = .autoRenewableSubscription
        default: return nil
        }
    }
}
