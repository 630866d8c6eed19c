public import Foundation

/// The account in the app for which something is bought or restored.
public enum PurchaseAccount: Sendable, Hashable {
    /// The app's identifier for its customer, as both engines carry it: `appAccountToken` of StoreKit 2, and the user name of StoreKit 1.
    case token(UUID)
    /// The app's name for its customer, as StoreKit 1 has it. Apple asks for a hash, not the name itself; an empty one counts as none.
    ///
    /// StoreKit 2 carries only what reads as a UUID.
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

    /// The account that a text names. One that reads as a UUID is a token.
    package init(applicationUsername: String) {
        self = UUID(uuidString: applicationUsername).map(PurchaseAccount.token) ?? .username(applicationUsername)
    }
}
