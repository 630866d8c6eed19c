/// The renewal information of a subscription in a receipt (an element of `pending_renewal_info`).
///
/// The type has every property of ``RenewalFacts``, and the fields that only receipts have. The information is current
/// as of the request date of the JSON of `verifyReceipt`, or the signed date of signed renewal information.
@dynamicMemberLookup
public struct ReceiptRenewal: Hashable, Sendable {
    /// The fields that only receipts have.
    private struct Fields: Hashable, Sendable, Codable {
        var promotionalOfferID: String?
        var offerCodeReferenceName: String?
        var unknownFields: [String: ReceiptValue] = [:]
    }

    // Renewals are large and rarely mutated.
    private var content: Shared<RenewalFacts>
    private var fields = Fields()

    /// Creates renewal information, for receipts from other sources and for tests.
    public init(_ facts: RenewalFacts, unknownFields: [String: ReceiptValue] = [:]) {
        content = Shared(facts)
        fields.unknownFields = unknownFields
    }

    /// The facts about the next period.
    public var facts: RenewalFacts { content.value }

    /// Accesses a property of ``facts``.
    public subscript<Property>(dynamicMember property: WritableKeyPath<RenewalFacts, Property>) -> Property {
        get { content.value[keyPath: property] }
        set {
            var facts = content.value
            facts[keyPath: property] = newValue
            content = Shared(facts)
        }
    }

    /// The promotional offer that the next renewal will use.
    public var promotionalOfferID: String? {
        get { fields.promotionalOfferID }
        set { fields.promotionalOfferID = newValue }
    }
    /// The offer code that the next renewal will use.
    public var offerCodeReferenceName: String? {
        get { fields.offerCodeReferenceName }
        set { fields.offerCodeReferenceName = newValue }
    }
    /// The unchanged fields that this library doesn't know, by JSON key.
    public var unknownFields: [String: ReceiptValue] {
        get { fields.unknownFields }
        set { fields.unknownFields = newValue }
    }

    /// The offer that applies to the next period, from signed renewal information or from the JSON of `verifyReceipt`.
    public var offer: TransactionOffer? {
        get {
            if let offer = facts.offer { return offer }
            if let promotionalOfferID { return TransactionOffer(kind: .promotional, id: promotionalOfferID) }
            return offerCodeReferenceName.map { TransactionOffer(kind: .offerCode, id: $0) }
        }
        set { self[dynamicMember: \.offer] = newValue }
    }
}

extension ReceiptRenewal: Codable {
    /// Decodes the value of each property.
    public init(from decoder: any Decoder) throws {
        (content, fields) = (Shared(try RenewalFacts(from: decoder)), try Fields(from: decoder))
    }

    /// Encodes the value of each property.
    public func encode(to encoder: any Encoder) throws {
        try facts.encode(to: encoder)
        try fields.encode(to: encoder)
    }
}
