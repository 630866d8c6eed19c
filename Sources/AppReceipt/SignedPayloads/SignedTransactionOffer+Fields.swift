extension SignedTransactionOffer {
    /// Reads the four fields, or returns `nil` when there is no offer.
    static func read(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) -> SignedTransactionOffer? {
        guard let kind = try fields.integer("offerType") else { return nil }
        return SignedTransactionOffer(
            kind: Kind(rawValue: kind), identifier: try fields.string("offerIdentifier"),
            payment: try fields.string("offerDiscountType").map(Payment.init), period: try fields.string("offerPeriod"))
    }
}
