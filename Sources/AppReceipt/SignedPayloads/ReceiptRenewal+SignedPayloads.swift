import Foundation

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

extension ReceiptTransaction {
    /// Creates a receipt's transaction from a signed transaction. For example, a server can create a ``Receipt`` from
    /// a customer's transaction history.
    public init(_ transaction: SignedTransactionInfo) {
        self.init(transaction.facts, unknownFields: transaction.unknownFields)
    }
}
