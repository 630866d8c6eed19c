public import Foundation

/// The identifiers by which a store recognizes the transaction of a request with a context.
///
/// StoreKit 2 carries one UUID with a payment, the account token. If the app gives no account, the store gives the
/// identifier of the context instead. Such an identifier is a UUID of version 8 that begins with `C0E7E87A`, so that no
/// store and no server takes it for an account.
package enum ContextIdentifier {
    private static let mark: [UInt8] = [0xC0, 0xE7, 0xE8, 0x7A]

    /// Returns a new identifier.
    package static func make() -> UUID {
        var bytes = UUID().uuid
        (bytes.0, bytes.1, bytes.2, bytes.3) = (mark[0], mark[1], mark[2], mark[3])
        bytes.6 = bytes.6 & 0x0F | 0x80
        return UUID(uuid: bytes)
    }

    /// Returns whether a UUID identifies a context, and not an account.
    package static func isContext(_ id: UUID) -> Bool {
        let bytes = id.uuid
        return [bytes.0, bytes.1, bytes.2, bytes.3] == mark && bytes.6 & 0xF0 == 0x80
    }
}

extension PurchaseFacts {
    /// The account in your app that the purchase was made for; `nil` if the payment named none.
    ///
    /// The account is the ``appAccountToken``, except where AsyncStoreKit has put the identifier of a purchase's
    /// context in its place. To compare the account with a text, use a `UUID`, because Apple writes tokens in lower
    /// case.
    public var accountID: UUID? { appAccountToken.flatMap { ContextIdentifier.isContext($0) ? nil : $0 } }
}
