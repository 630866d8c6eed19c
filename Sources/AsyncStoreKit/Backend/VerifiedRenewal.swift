public import AppReceipt
import Foundation

/// How a subscription continues, with the text that Apple has signed.
///
/// The type has every property of `RenewalFacts`, such as `willAutoRenew`, `renewalPrice` and `offer`, and every
/// property of `SignedRenewalInfo`, such as `recentSubscriptionStartDate` and `renewalQuantity`.
///
/// Two values are equal if they say the same, even if Apple has signed one of them later.
@dynamicMemberLookup
public struct VerifiedRenewal: Sendable {
    private enum Content: Sendable {
        /// Renewal information with its own signature.
        case signed(Shared<SignedRenewalInfo>)
        /// Renewal information of a receipt.
        case facts(Shared<RenewalFacts>, unknownFields: [String: ReceiptValue])
    }

    private let content: Content
    private let text: (@Sendable () -> String)?

    /// Creates signed renewal information. The text is created when it is read.
    package init(_ info: SignedRenewalInfo, text: @escaping @Sendable () -> String) {
        content = .signed(Shared(info))
        self.text = text
    }

    /// Creates renewal information without the fields that only signed renewal information has.
    package init(_ renewal: ReceiptRenewal, text: (@Sendable () -> String)? = nil) {
        var facts = renewal.facts
        facts.offer = renewal.offer
        content = .facts(Shared(facts), unknownFields: renewal.unknownFields)
        self.text = text
    }

    /// The facts about the next period.
    public var facts: RenewalFacts {
        switch content {
        case .signed(let info): info.value.facts
        case .facts(let facts, _): facts.value
        }
    }

    /// The decoded content of ``jws``.
    public var signedInfo: SignedRenewalInfo? {
        guard case .signed(let info) = content else { return nil }
        return info.value
    }

    /// The renewal information as Apple signed it, a JSON Web Signature, for a server.
    public var jws: String? { text?() }

    /// The unchanged fields that this library doesn't know.
    public var unknownFields: [String: ReceiptValue] {
        switch content {
        case .signed(let info): info.value.unknownFields
        case .facts(_, let unknownFields): unknownFields
        }
    }

    var receiptRenewal: ReceiptRenewal { ReceiptRenewal(facts, unknownFields: unknownFields) }

    /// Returns a property of ``facts``.
    public subscript<Property>(dynamicMember property: KeyPath<RenewalFacts, Property>) -> Property {
        facts[keyPath: property]
    }

    /// Returns a property of ``signedInfo``.
    @_disfavoredOverload
    public subscript<Property>(dynamicMember property: KeyPath<SignedRenewalInfo, Property?>) -> Property? {
        signedInfo?[keyPath: property]
    }
}

extension VerifiedRenewal: Hashable {
    /// Returns whether both have the same content.
    public static func == (left: VerifiedRenewal, right: VerifiedRenewal) -> Bool {
        switch (left.content, right.content) {
        case (.signed(let info), .signed(let other)):
            return info === other || info.value.hasSameContent(as: other.value)
        case (.facts(let facts, let fields), .facts(let other, let otherFields)):
            var other = other.value
            other.signedDate = facts.value.signedDate
            return facts.value == other && fields == otherFields
        default: return false
        }
    }

    /// Hashes the subscription and the product.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(facts.originalTransactionID)
        hasher.combine(facts.productID)
    }
}
