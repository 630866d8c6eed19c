import Foundation

extension ReceiptTransaction {
    /// The row that a signed transaction stands for, so that a server can put a ``Receipt`` together from a customer's transaction history.
    public init(_ transaction: SignedTransactionInfo) {
        self.init(
            productID: transaction.productID, transactionID: transaction.transactionID, purchaseDate: transaction.purchaseDate,
            quantity: transaction.quantity, originalTransactionID: transaction.originalTransactionID,
            originalPurchaseDate: transaction.originalPurchaseDate, expirationDate: transaction.expirationDate,
            revocationDate: transaction.revocationDate, isUpgraded: transaction.isUpgraded,
            productKind: transaction.productType.flatMap(ReceiptProductKind.init))
        signedDate = transaction.signedDate
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
        signedDate = renewal.signedDate
        terms = Terms(
            date: renewal.renewalDate, price: renewal.renewalPrice, currencyCode: renewal.currency,
            eligibleWinBackOfferIDs: renewal.eligibleWinBackOfferIDs)
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
