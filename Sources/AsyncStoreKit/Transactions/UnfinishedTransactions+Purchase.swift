extension UnfinishedTransactions {
    /// The state of one purchase. It outlives the entries of the purchase.
    struct Purchase: Sendable {
        /// An event that a purchase has once, although StoreKit may report it again.
        enum Event: Sendable {
            case paid, restored, upgraded, revoked
        }

        /// The entries that represent the purchase.
        var tokens: [TransactionToken] = []
        /// The number of the last change. The purchase with the least number is forgotten first.
        var lastChange: UInt64 = 0
        /// The account that the payment named, inside another `nil` while only a restore has reported the purchase.
        ///
        /// In StoreKit 1, a restored transaction names the account of the restore.
        var payer: PurchaseAccount??
        /// Whether a closure, a delivery, a caller, or a loop was given the purchase.
        var wasReceived = false
        /// Whether the purchase was delivered successfully.
        private(set) var isDelivered = false
        /// The events for analytics and logs that the purchase has had.
        var events: Set<Event> = []

        mutating func markDelivered() {
            (wasReceived, isDelivered) = (true, true)
        }
    }

    /// Returns the key that identifies a purchase; `nil` while nothing is paid.
    static func key(of transaction: StoreTransaction) -> String? {
        guard transaction.holdsContent else { return nil }
        // Without an identifier nothing proves that two transactions are the same purchase.
        return transaction.id == nil
            ? "\(transaction.deliveryKey)#\(transaction.token.serial)" : transaction.deliveryKey
    }
}
