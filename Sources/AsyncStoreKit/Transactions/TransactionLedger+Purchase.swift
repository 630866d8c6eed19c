extension TransactionLedger {
    /// The state of one purchase. It outlives the entries of the purchase.
    struct Purchase: Sendable {
        /// The entries that represent the purchase.
        private(set) var tokens: [TransactionToken] = []
        /// How many entries a closure or the installed delivery is delivering.
        var deliveries = 0
        /// Whether a closure, a delivery, a caller, or a loop was given the purchase.
        private(set) var isHandedOver = false
        /// Whether the purchase was delivered successfully.
        private(set) var isDelivered = false

        /// Adds an entry. Returns whether the purchase has others.
        mutating func add(_ token: TransactionToken) -> Bool {
            tokens.append(token)
            return tokens.count > 1
        }

        /// Removes an entry. Returns whether the purchase has others.
        mutating func remove(_ token: TransactionToken) -> Bool {
            tokens.removeAll { $0 == token }
            return !tokens.isEmpty
        }

        /// Records that the app receives the purchase. Returns whether the app has received it before.
        mutating func markHandedOver() -> Bool {
            defer { isHandedOver = true }
            return isHandedOver
        }

        /// Records that an entry is delivered. Returns whether the app has received the purchase before.
        /// - Parameter isNew: Whether the entry isn't being delivered yet.
        mutating func beginDelivery(isNew: Bool) -> Bool {
            if isNew { deliveries += 1 }
            return markHandedOver()
        }

        /// Records that the purchase is delivered. Returns whether it was delivered before.
        @discardableResult
        mutating func markDelivered() -> Bool {
            defer { (isHandedOver, isDelivered) = (true, true) }
            return isDelivered
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
