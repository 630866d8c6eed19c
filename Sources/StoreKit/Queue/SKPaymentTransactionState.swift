import AppStoreSimulator

/// The state of a transaction.
@available(iOS, deprecated: 18.0)
public enum SKPaymentTransactionState: Int, Sendable {
    /// The App Store is processing the payment.
    case purchasing = 0
    /// The customer paid. Deliver the product, then finish the transaction.
    case purchased = 1
    /// The transaction failed, and the customer wasn't charged.
    case failed = 2
    /// An earlier purchase was restored. Deliver the product, then finish the transaction.
    case restored = 3
    /// The transaction is waiting for approval, for example Ask to Buy.
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
