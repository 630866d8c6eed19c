import AppStoreSimulator

/// The state of a transaction.
@available(iOS, deprecated: 18.0)
public enum SKPaymentTransactionState: Int, Sendable {
    /// With the App Store.
    case purchasing = 0
    /// Paid: deliver, then finish.
    case purchased = 1
    /// Failed; nothing was paid.
    case failed = 2
    /// Bought before, and restored: deliver, then finish.
    case restored = 3
    /// Waits for somebody's approval.
    case deferred = 4
}

extension SKPaymentTransactionState {
    init(_ state: SimulatedTransaction.State) {
        switch state {
        case .purchasing: self = .purchasing
        case .purchased: self = .purchased
        case .failed: self = .failed
        case .restored: self = .restored
        case .deferred: self = .deferred
        }
    }
}
