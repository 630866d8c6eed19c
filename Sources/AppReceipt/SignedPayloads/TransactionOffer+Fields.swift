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
