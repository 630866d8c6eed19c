public import Foundation

/// The account in your app that a purchase or a restore is for.
public enum PurchaseAccount: Sendable, Hashable {
    /// Your app's identifier of the customer: the `appAccountToken` of StoreKit 2, or the user name of StoreKit 1.
    case token(UUID)
    /// The user name of StoreKit 1. Pass a hash, as Apple asks for, instead of the name. An empty name is treated as
    /// none.
    ///
    /// StoreKit 2 only supports user names that read as a UUID.
    case username(String)

    /// The UUID; `nil` for a user name that isn't a UUID.
    public var appAccountToken: UUID? {
        switch self {
        case .token(let token): token
        case .username(let name): UUID(uuidString: name)
        }
    }

    /// The text that StoreKit 1 carries; `nil` for an empty name.
    package var applicationUsername: String? {
        switch self {
        case .token(let token): token.uuidString
        case .username(let name): name.isEmpty ? nil : name
        }
    }

    /// Whether both name the same account. Upper and lower case make no difference in a UUID, and do in another name.
    package func isSame(_ other: PurchaseAccount) -> Bool {
        if let token = appAccountToken { return token == other.appAccountToken }
        return applicationUsername == other.applicationUsername
    }

    /// Creates the account that a text names. A text that reads as a UUID is a token.
    package init(applicationUsername: String) {
        self = UUID(uuidString: applicationUsername).map(PurchaseAccount.token) ?? .username(applicationUsername)
    }
}
