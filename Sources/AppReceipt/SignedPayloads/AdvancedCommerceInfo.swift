public import Foundation

/// What a customer bought through the Advanced Commerce API: `advancedCommerceInfo` of a transaction, or of renewal
/// information for the next period. Prices are in the currency's unit.
///
/// Your server chooses most of the values, so all fields are auxiliary: one that can't be read is treated as missing
/// and is kept in ``unknownFields``.
public struct AdvancedCommerceInfo: Hashable, Sendable, Codable {
    /// The items; at most 500.
    public let items: [Item]
    /// The name of the purchase for the customer.
    public let displayName: String?
    /// The description of the purchase for the customer.
    public let description: String?
    /// The length of a subscription period in ISO 8601, such as `P1M`.
    public let period: String?
    /// The identifier of your server's request for the purchase.
    public let requestReferenceID: String?
    /// The tax category.
    public let taxCode: String?
    /// The tax rate as a decimal number; only in transactions.
    public let taxRate: String?
    /// The estimated tax; only in transactions.
    public let estimatedTax: Decimal?
    /// The price without tax; only in transactions.
    public let taxExclusivePrice: Decimal?
    /// The token of the current state, for requests that change the subscription; only in renewal information.
    public let consistencyToken: String?
    /// The unchanged fields that this library doesn't know, and fields that it can't read.
    public let unknownFields: [String: ReceiptValue]

    /// An item of the purchase.
    public struct Item: Hashable, Sendable, Codable {
        /// Your identifier of the item.
        public let sku: String
        /// The name of the item for the customer.
        public let displayName: String?
        /// The description of the item for the customer.
        public let description: String?
        /// The price.
        public let price: Decimal?
        /// The offer for the item.
        public let offer: Offer?
        /// The refunds of the item, at most 50; only in transactions.
        public let refunds: [Refund]
        /// The revocation date of the item; only in transactions.
        public let revocationDate: Date?
        /// The price increase of the item; only in renewal information.
        public let priceIncrease: PriceIncrease?
        /// The unchanged fields that this library doesn't know, and fields that it can't read.
        public let unknownFields: [String: ReceiptValue]
    }

    /// A discount for an item.
    public struct Offer: Hashable, Sendable, Codable {
        /// The length of a discounted period in ISO 8601, such as `P1M`.
        public let period: String?
        /// The number of discounted periods.
        public let periodCount: Int64?
        /// The discounted price.
        public let price: Decimal?
        /// Why you made the offer: `ACQUISITION`, `WIN_BACK` or `RETENTION`.
        public let reason: String?
    }

    /// A refund of an item.
    public struct Refund: Hashable, Sendable, Codable {
        /// The refunded amount.
        public let amount: Decimal?
        /// When the item was refunded.
        public let date: Date?
        /// The reason, such as `UNINTENDED_PURCHASE` or `LEGAL`.
        public let reason: String?
        /// The extent: `FULL`, `PRORATED` or `CUSTOM`.
        public let type: String?
    }

    /// A price increase of an item.
    public struct PriceIncrease: Hashable, Sendable, Codable {
        /// The new price.
        public let price: Decimal?
        /// The customer's decision: `SCHEDULED`, `PENDING` or `ACCEPTED`.
        public let status: String?
        /// The other items whose price increases depend on this one.
        public let dependentSKUs: [String]
    }
}

extension AdvancedCommerceInfo {
    private static let greatestItemCount = 500
    private static let greatestRefundCount = 50

    init(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        items =
            try fields.objects("items", limit: Self.greatestItemCount) { (fields) throws(MalformedReceiptError) in
                try Item(&fields)
            } ?? []
        let descriptors = try fields.object("descriptors") { (fields) throws(MalformedReceiptError) in
            (try fields.string("displayName"), try fields.string("description"))
        }
        (displayName, description) = descriptors ?? (nil, nil)
        period = try fields.string("period")
        requestReferenceID = try fields.string("requestReferenceId")
        taxCode = try fields.string("taxCode")
        taxRate = try fields.string("taxRate")
        estimatedTax = try fields.price("estimatedTax")
        taxExclusivePrice = try fields.price("taxExclusivePrice")
        consistencyToken = try fields.string("consistencyToken")
        unknownFields = try fields.unread()
    }
}

extension AdvancedCommerceInfo.Item {
    /// Reads an item; `nil` without an identifier.
    fileprivate init?(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        guard let sku = try fields.string("SKU") else { return nil }
        self.sku = sku
        displayName = try fields.string("displayName")
        description = try fields.string("description")
        price = try fields.price("price")
        offer = try fields.object("offer") { (fields) throws(MalformedReceiptError) in
            AdvancedCommerceInfo.Offer(
                period: try fields.string("period"), periodCount: try fields.integer("periodCount"),
                price: try fields.price("price"), reason: try fields.string("reason"))
        }
        refunds =
            try fields.objects("refunds", limit: AdvancedCommerceInfo.greatestRefundCount) {
                (fields) throws(MalformedReceiptError) in
                AdvancedCommerceInfo.Refund(
                    amount: try fields.price("refundAmount"), date: try fields.date("refundDate"),
                    reason: try fields.string("refundReason"), type: try fields.string("refundType"))
            } ?? []
        revocationDate = try fields.date("revocationDate")
        priceIncrease = try fields.object("priceIncreaseInfo") { (fields) throws(MalformedReceiptError) in
            AdvancedCommerceInfo.PriceIncrease(
                price: try fields.price("price"), status: try fields.string("status"),
                dependentSKUs: try fields.strings("dependentSKUs") ?? [])
        }
        unknownFields = try fields.unread()
    }
}
