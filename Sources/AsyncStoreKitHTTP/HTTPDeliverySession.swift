public import AsyncStoreKit

/// The account that is signed in to your app, and the header fields that prove it to your server.
public struct HTTPDeliverySession: Sendable, Hashable {
    /// The account that is signed in; `nil` if none is. Use the value that your app passes with a purchase, such as
    /// `.token(id)` for `.appAccountToken(id)`.
    public var account: PurchaseAccount?
    /// The app's own header fields, such as `Authorization`. They override the default fields.
    public var headers: [String: String]

    /// Creates a session.
    public init(account: PurchaseAccount? = nil, headers: [String: String] = [:]) {
        self.account = account
        self.headers = headers
    }
}

extension HTTPDeliverySession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Whether an account is signed in, without its name and without header fields.
    public var description: String { account == nil ? "no account is signed in" : "an account is signed in" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// Empty, because the fields are secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
