// An app that reads entitlements or the history uses types of `AppReceipt`, such as `SubscriptionState`. One import is
// enough for it.
@_exported public import AppReceipt
public import Foundation

/// A transaction of the customer's purchase history, with the text that Apple has signed.
///
/// The type has every property of `PurchaseFacts`, such as `purchaseDate`, `expirationDate` and `offer`, and every
/// property of `SignedTransactionInfo`, such as `price`, `storefrontID` and `bundle`. Those of `SignedTransactionInfo`
/// are `nil` over StoreKit 1.
///
/// The signature is verified: by StoreKit over StoreKit 2, and as a part of the receipt over StoreKit 1.
///
/// Two values are equal if they say the same, even if Apple has signed one of them later.
@dynamicMemberLookup
public struct VerifiedTransaction: Sendable, Identifiable {
    // Transactions are large, are passed on often, and rarely change.
    private enum Content: Sendable {
        /// A transaction with its own signature.
        case signed(Shared<SignedTransactionInfo>)
        /// A transaction of a receipt, or a report of StoreKit 1.
        case facts(Shared<PurchaseFacts>, unknownFields: [String: ReceiptValue])
    }

    private let content: Content
    private let text: (@Sendable () -> String)?

    private init(_ content: Content, text: (@Sendable () -> String)?) {
        self.content = content
        self.text = text
    }

    /// Creates a signed transaction. The text is created when it is read.
    init(_ info: Shared<SignedTransactionInfo>, text: @escaping @Sendable () -> String) {
        self.init(.signed(info), text: text)
    }

    /// Creates a signed transaction. The text is created when it is read.
    package init(_ info: SignedTransactionInfo, text: @escaping @Sendable () -> String) {
        self.init(Shared(info), text: text)
    }

    /// Creates a transaction from its facts, without the other values.
    /// - Parameter text: The signed text; `nil` for a transaction of a receipt, and for a report of StoreKit 1.
    package init(
        _ facts: PurchaseFacts, unknownFields: [String: ReceiptValue] = [:], text: (@Sendable () -> String)? = nil
    ) {
        self.init(.facts(Shared(facts), unknownFields: unknownFields), text: text)
    }

    package func with(_ facts: PurchaseFacts) -> VerifiedTransaction {
        guard case .signed(let shared) = content else {
            return VerifiedTransaction(facts, unknownFields: unknownFields, text: text)
        }
        var info = shared.value
        info.facts = facts
        return VerifiedTransaction(.signed(Shared(info)), text: text)
    }

    /// The facts that determine access.
    public var facts: PurchaseFacts {
        switch content {
        case .signed(let info): info.value.facts
        case .facts(let facts, _): facts.value
        }
    }

    /// The decoded content of ``jws``; `nil` over StoreKit 1.
    public var signedInfo: SignedTransactionInfo? {
        guard case .signed(let info) = content else { return nil }
        return info.value
    }

    package var isSigned: Bool { text != nil }

    /// Returns a property of ``facts``.
    public subscript<Property>(dynamicMember property: KeyPath<PurchaseFacts, Property>) -> Property {
        facts[keyPath: property]
    }

    // Disfavored, because every fact is a property of the signed transaction, too, where it's optional.

    /// Returns a property of ``signedInfo``; `nil` over StoreKit 1.
    @_disfavoredOverload
    public subscript<Property>(dynamicMember property: KeyPath<SignedTransactionInfo, Property?>) -> Property? {
        signedInfo?[keyPath: property]
    }

    /// Returns a property of ``signedInfo``; `nil` over StoreKit 1.
    @_disfavoredOverload
    public subscript<Property>(dynamicMember property: KeyPath<SignedTransactionInfo, Property>) -> Property? {
        signedInfo?[keyPath: property]
    }

    /// The App Store's identifier of the transaction.
    public var id: String { facts.transactionID }
    /// The identifier of the first transaction of the purchase or subscription.
    public var originalID: String { facts.originalTransactionID }
    /// The transaction as Apple signed it, a JSON Web Signature, for a server. `nil` over StoreKit 1: a receipt is
    /// signed as a whole.
    public var jws: String? { text?() }
    /// When Apple signed the transaction, or the receipt that contains it.
    public var signedDate: Date? { facts.signedDate }
    /// The UUID that the app gave with the payment; `nil` if it gave none.
    public var appAccountToken: UUID? { facts.accountID }
    /// The key of the ``StorePurchase`` that was delivered. Don't credit the same key twice.
    public var deliveryKey: String { id }
    /// The unchanged fields that this library doesn't know.
    public var unknownFields: [String: ReceiptValue] {
        switch content {
        case .signed(let info): info.value.unknownFields
        case .facts(_, let unknownFields): unknownFields
        }
    }
}

extension PurchaseFacts {
    /// Returns whether both say the same, even if Apple has signed one of them later.
    func hasSameContent(as other: PurchaseFacts) -> Bool {
        var other = other
        other.signedDate = signedDate
        return self == other
    }
}

extension VerifiedTransaction: CustomStringConvertible {
    /// The product, the identifier, and the dates, on one line.
    public var description: String {
        let facts = facts
        let end = facts.expirationDate.map { ", until \($0.formatted(.iso8601))" } ?? ""
        let revocation = facts.revocationDate.map { ", revoked \($0.formatted(.iso8601))" } ?? ""
        return "\(facts.productID): transaction \(id), \(facts.purchaseDate.formatted(.iso8601))\(end)\(revocation)"
    }
}

extension VerifiedTransaction: Hashable {
    /// Returns whether both have the same content.
    public static func == (left: VerifiedTransaction, right: VerifiedTransaction) -> Bool {
        switch (left.content, right.content) {
        case (.signed(let info), .signed(let other)):
            return info === other || info.value.hasSameContent(as: other.value)
        case (.facts(let facts, let fields), .facts(let other, let otherFields)):
            return facts.value.hasSameContent(as: other.value) && fields == otherFields
        default: return false
        }
    }

    /// Hashes the identifier and the product.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(facts.transactionID)
        hasher.combine(facts.productID)
    }
}
