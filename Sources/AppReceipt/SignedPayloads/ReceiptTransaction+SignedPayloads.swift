import Foundation

extension ReceiptTransaction {
    /// Creates a receipt's transaction from a signed transaction. For example, a server can create a ``Receipt`` from
    /// a customer's transaction history.
    public init(_ transaction: SignedTransactionInfo) {
        var row = Fields(
            productID: transaction.productID, transactionID: transaction.transactionID,
            purchaseDate: transaction.purchaseDate)
        row.quantity = transaction.quantity
        row.originalTransactionID = transaction.originalTransactionID
        row.originalPurchaseDate = transaction.originalPurchaseDate ?? transaction.purchaseDate
        row.expirationDate = transaction.expirationDate
        row.revocationDate = transaction.revocationDate
        row.isUpgraded = transaction.isUpgraded
        row.productKind = transaction.productType.flatMap(ReceiptProductKind.init)
        row.signedDate = transaction.signedDate
        row.revocationReason = transaction.revocationReason
        row.later = Fields.Later(
            billingPlan: transaction.billingPlan, commitment: transaction.commitment, bundle: transaction.bundle,
            revocationType: transaction.revocationType, revocationPercentage: transaction.revocationPercentage,
            signedOffer: transaction.offer, price: transaction.price, currencyCode: transaction.currency,
            reason: transaction.reason)
        row.subscriptionGroupID = transaction.subscriptionGroupID
        row.webOrderLineItemID = transaction.webOrderLineItemID
        row.ownershipType = transaction.ownershipType
        row.appAccountToken = transaction.appAccountToken
        row.appTransactionID = transaction.appTransactionID
        switch transaction.offer?.kind {
        case .introductory?:
            row.isTrialPeriod = transaction.offer?.payment == .freeTrial
            row.isInIntroductoryOfferPeriod = !row.isTrialPeriod
        case .promotional?: row.promotionalOfferID = transaction.offer?.identifier
        case .offerCode?: row.offerCodeReferenceName = transaction.offer?.identifier
        default: break
        }
        self.init(row)
    }
}

extension ReceiptRenewal {
    /// Creates a renewal from signed renewal information; `nil` if the information doesn't name the product.
    public init?(_ renewal: SignedRenewalInfo) {
        guard let productID = renewal.productID ?? renewal.autoRenewPreference else { return nil }
        self.init(
            productID: productID, originalTransactionID: renewal.originalTransactionID,
            autoRenewPreference: renewal.autoRenewPreference,
            willAutoRenew: renewal.willAutoRenew, expirationReason: renewal.expirationReason,
            isInBillingRetry: renewal.isInBillingRetry ?? false,
            gracePeriodExpirationDate: renewal.gracePeriodExpirationDate)
        priceIncreaseStatus = renewal.priceIncreaseStatus
        signedDate = renewal.signedDate
        var terms = Terms(
            date: renewal.renewalDate, price: renewal.renewalPrice, currencyCode: renewal.currency,
            eligibleWinBackOfferIDs: renewal.eligibleWinBackOfferIDs)
        terms.billingPlan = renewal.renewalBillingPlan
        terms.commitment = renewal.commitment
        terms.bundle = renewal.bundle
        terms.willUnbundle = renewal.willUnbundle
        terms.offer = renewal.offer
        self.terms = terms
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
