/// One transaction in a receipt: a purchase, or one period of a subscription.
///
/// The type has every property of ``PurchaseFacts``, and the fields that only receipts have. In a ``Receipt``, a refund
/// applies to all copies of the purchase or period: a copy without its own revocation date has the date of the refunded
/// transaction.
@dynamicMemberLookup
public struct ReceiptTransaction: Hashable, Sendable, Identifiable {
    /// The fields that only receipts have.
    private struct Fields: Hashable, Sendable, Codable {
        var isTrialPeriod = false
        var isInIntroductoryOfferPeriod = false
        var promotionalOfferID: String?
        var offerCodeReferenceName: String?
        var unknownFields: [String: ReceiptValue] = [:]
    }

    private struct Content: Hashable, Sendable {
        var facts: PurchaseFacts
        var fields: Fields
    }

    // Copy-on-write: rows are large and rarely mutated.
    private var content: Shared<Content>
    /// The content without the revocation of another copy; `nil` if the row has no such revocation. Each receipt
    /// determines it again, so it isn't encoded.
    private var own: Shared<Content>?

    /// Creates a transaction, for receipts from other sources and for tests. Fields that you don't pass follow from the
    /// offer of the facts.
    public init(
        _ facts: PurchaseFacts, isTrialPeriod: Bool? = nil, isInIntroductoryOfferPeriod: Bool? = nil,
        promotionalOfferID: String? = nil, offerCodeReferenceName: String? = nil,
        unknownFields: [String: ReceiptValue] = [:]
    ) {
        let (offer, isTrial) = (facts.offer, facts.offer?.isTrial ?? false)
        content = Shared(
            Content(
                facts: facts,
                fields: Fields(
                    isTrialPeriod: isTrialPeriod ?? (offer?.kind == .introductory && isTrial),
                    isInIntroductoryOfferPeriod: isInIntroductoryOfferPeriod
                        ?? (offer?.kind == .introductory && !isTrial),
                    promotionalOfferID: promotionalOfferID ?? (offer?.kind == .promotional ? offer?.id : nil),
                    offerCodeReferenceName: offerCodeReferenceName ?? (offer?.kind == .offerCode ? offer?.id : nil),
                    unknownFields: unknownFields)))
    }

    /// The facts that determine access.
    public var facts: PurchaseFacts { content.value.facts }

    /// Accesses a property of ``facts``.
    public subscript<Property>(dynamicMember property: WritableKeyPath<PurchaseFacts, Property>) -> Property {
        get { content.value.facts[keyPath: property] }
        set { change { $0.facts[keyPath: property] = newValue } }
    }

    /// Returns a property that follows from ``facts``.
    public subscript<Property>(dynamicMember property: KeyPath<PurchaseFacts, Property>) -> Property {
        content.value.facts[keyPath: property]
    }

    /// The transaction identifier and the product identifier, which together identify a row.
    public var id: [String] { [facts.transactionID, facts.productID] }

    /// Whether the period is a free trial.
    public var isTrialPeriod: Bool {
        get { content.value.fields.isTrialPeriod }
        set { change { $0.fields.isTrialPeriod = newValue } }
    }
    /// Whether the period has the introductory price.
    public var isInIntroductoryOfferPeriod: Bool {
        get { content.value.fields.isInIntroductoryOfferPeriod }
        set { change { $0.fields.isInIntroductoryOfferPeriod = newValue } }
    }
    /// The identifier of the promotional offer for the period.
    public var promotionalOfferID: String? {
        get { content.value.fields.promotionalOfferID }
        set { change { $0.fields.promotionalOfferID = newValue } }
    }
    /// The reference name of the offer code for the period.
    public var offerCodeReferenceName: String? {
        get { content.value.fields.offerCodeReferenceName }
        set { change { $0.fields.offerCodeReferenceName = newValue } }
    }
    /// The unchanged fields that this library doesn't know, by JSON key or attribute number.
    public var unknownFields: [String: ReceiptValue] {
        get { content.value.fields.unknownFields }
        set { change { $0.fields.unknownFields = newValue } }
    }

    /// The offer for the period: the signed offer, or the most specific offer in the receipt.
    ///
    /// Receipts contain the reference name of an offer code, and don't contain win-back offers.
    public var offer: TransactionOffer? {
        if let offer = facts.offer { return offer }
        if let promotionalOfferID { return TransactionOffer(kind: .promotional, id: promotionalOfferID) }
        if let offerCodeReferenceName { return TransactionOffer(kind: .offerCode, id: offerCodeReferenceName) }
        if isTrialPeriod { return TransactionOffer(kind: .introductory, paymentMode: .freeTrial) }
        return isInIntroductoryOfferPeriod ? TransactionOffer(kind: .introductory) : nil
    }

    private mutating func change(_ body: (inout Content) -> Void) {
        func changed(_ shared: Shared<Content>) -> Shared<Content> {
            var content = shared.value
            body(&content)
            return Shared(content)
        }
        content = changed(content)
        own = own.map(changed)
    }
}

// The revocation of another copy of the purchase or period.
extension ReceiptTransaction {
    /// Whether the row has the revocation of another copy.
    var hasInheritedRevocation: Bool { own != nil }

    /// Sets or removes the revocation of another copy.
    mutating func inherit(_ copy: PurchaseFacts?) {
        content = own ?? content
        own = copy == nil ? nil : content
        guard let copy else { return }
        var revoked = content.value
        revoked.facts.revocationDate = copy.revocationDate
        revoked.facts.revocationReason = copy.revocationReason
        content = Shared(revoked)
    }
}

extension ReceiptTransaction: Codable {
    /// Decodes the value of each property.
    public init(from decoder: any Decoder) throws {
        content = Shared(Content(facts: try PurchaseFacts(from: decoder), fields: try Fields(from: decoder)))
    }

    /// Encodes the value of each property.
    public func encode(to encoder: any Encoder) throws {
        let content = (own ?? content).value
        try content.facts.encode(to: encoder)
        try content.fields.encode(to: encoder)
    }
}
