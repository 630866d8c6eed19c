// Readers for nested objects of signed payloads.

extension SignedTransactionCommitment {
    /// Reads a commitment; `nil` if a field is missing.
    init?(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        guard let number = try fields.integer("billingPeriodNumber"),
            let total = try fields.integer("totalBillingPeriods"),
            let expirationDate = try fields.date("commitmentExpiresDate"),
            let price = try fields.price("commitmentPrice")
        else { return nil }
        self.init(
            billingPeriodNumber: number, totalBillingPeriods: total, expirationDate: expirationDate, price: price,
            unknownFields: try fields.unread())
    }
}

extension SignedRenewalCommitment {
    /// Reads a commitment; `nil` if a field is missing.
    init?(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        guard let product = try fields.string("commitmentAutoRenewProductId"),
            let willAutoRenew = try fields.flag("commitmentAutoRenewStatus"),
            let date = try fields.date("commitmentRenewalDate"), let price = try fields.price("commitmentRenewalPrice"),
            let plan = try fields.string("commitmentRenewalBillingPlanType")
        else { return nil }
        self.init(
            autoRenewPreference: product, willAutoRenew: willAutoRenew, renewalDate: date, renewalPrice: price,
            renewalBillingPlan: BillingPlan(rawValue: plan), unknownFields: try fields.unread())
    }
}

extension ReceiptBundle {
    /// Reads the bundle; `nil` for a subscription outside a bundle.
    static func read(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) -> ReceiptBundle? {
        guard let productID = try fields.string("bundleProductId") else { return nil }
        return ReceiptBundle(
            productID: productID, subscriptionGroupID: try fields.string("bundleSubscriptionGroupIdentifier"),
            transactionID: try fields.identifier("bundleTransactionId"),
            originalTransactionID: try fields.identifier("bundleOriginalTransactionId"))
    }
}

extension TransactionOffer {
    /// Reads the offer; `nil` for a transaction without an offer.
    static func read(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) -> TransactionOffer? {
        guard let kind = try fields.integer("offerType") else { return nil }
        return TransactionOffer(
            kind: Kind(rawValue: kind), id: try fields.string("offerIdentifier"),
            paymentMode: try fields.string("offerDiscountType").map(PaymentMode.init),
            period: try fields.string("offerPeriod"))
    }
}
