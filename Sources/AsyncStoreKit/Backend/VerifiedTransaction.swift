public import AppReceipt
public import Foundation

/// A transaction of the customer's purchase history, with the text that Apple has signed.
///
/// The type has every property of `ReceiptTransaction`: `purchaseDate`, `expirationDate`, `revocationDate`, `price` and
/// others. The signature is verified: by StoreKit over StoreKit 2, and as a part of the receipt over StoreKit 1.
///
/// Two values are equal if they say the same, however often Apple has signed the transaction.
@dynamicMemberLookup
public struct VerifiedTransaction: Sendable, Identifiable {
    package let statement: SignedStatement<ReceiptTransaction>

    package init(_ statement: SignedStatement<ReceiptTransaction>) {
        self.statement = statement
    }

    /// The App Store's identifier of the transaction.
    public var id: String { value.transactionID }
    /// The identifier of the first transaction of the purchase or subscription.
    public var originalID: String { value.originalTransactionID }
    /// The product.
    public var productID: String { value.productID }
    /// The transaction as Apple signed it, a JSON Web Signature, for a server. `nil` over StoreKit 1: a receipt is
    /// signed as a whole.
    public var jws: String? { statement.jws }
    /// The UUID that the app gave with the payment; `nil` if it gave none.
    public var appAccountToken: UUID? { value.appAccountToken.flatMap { ContextIdentifier.isContext($0) ? nil : $0 } }
    /// Everything that the App Store says about the transaction.
    public var value: ReceiptTransaction { statement.value }

    /// Returns a property of ``value``.
    public subscript<Property>(dynamicMember property: KeyPath<ReceiptTransaction, Property>) -> Property {
        value[keyPath: property]
    }
}

extension VerifiedTransaction: Hashable {
    /// Returns whether both have the same content.
    public static func == (left: VerifiedTransaction, right: VerifiedTransaction) -> Bool {
        left.value.hasSameContent(as: right.value)
    }

    /// Hashes the identifier and the product.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(productID)
    }
}
