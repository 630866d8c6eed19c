public import StoreKit

// Both names in full stand for `@retroactive`, which is an error where StoreKit is this package's own.
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
