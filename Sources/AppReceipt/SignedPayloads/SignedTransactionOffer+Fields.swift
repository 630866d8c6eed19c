extension SignedTransactionOffer {
    /// Reads the offer; `nil` for a transaction without an offer.
    static func read(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) -> SignedTransactionOffer? {
        guard let kind = try fields.integer("offerType") else { return nil }
        return SignedTransactionOffer(
            kind: Kind(rawValue: kind), identifier: try fields.string("offerIdentifier"),
            payment: try fields.string("offerDiscountType").map(Payment.init), period: try fields.string("offerPeriod"))
    }
}
