public import StoreKit

// The module-qualified names replace `@retroactive`, which is an error where StoreKit is a module of this package.
extension StoreKit.SKPaymentTransactionState: Swift.CustomDebugStringConvertible {
    /// The name of the state.
    public var debugDescription: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        @unknown default: "unknown"
        }
    }
}
