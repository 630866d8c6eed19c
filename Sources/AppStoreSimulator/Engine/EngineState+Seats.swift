// A subscription with several seats has one price for each seat. Seats that the customer adds during a period have a
// transaction of their own, which ends with the period. At the renewal, one transaction covers all seats.
extension EngineState {
    /// Returns the error of a purchase of seats; `nil` for a valid number of seats.
    ///
    /// The number is the total after the purchase, so it has to be higher than the current number.
    func refusal(ofSeats seats: Int, for productID: String) -> SimulatedError? {
        guard product(productID)?.supportsMultiSeatPurchase == true else { return .multiSeatPurchaseDisabled }
        return seats > currentSeats(of: productID) ? nil : .invalidQuantity
    }

    /// Returns the paid seats of a product: one for a subscription without seats, none without a subscription.
    private func currentSeats(of productID: String) -> Int {
        guard let subscription = account.subscriptions[SubscriptionKey(groupID: terms(of: productID).groupID)],
            subscription.productID == productID, subscription.status == .active,
            !account.rows[subscription.row].isRevoked
        else { return 0 }
        return subscription.seats ?? 1
    }

    /// Pays the seats that a payment adds to an active subscription, and reports the entry.
    mutating func addSeats(_ index: Int, _ key: SubscriptionKey) {
        guard let subscription = account.subscriptions[key], let total = queue[index].payment.seats else {
            return
        }
        let current = account.rows[subscription.row]
        let added = total - currentSeats(of: subscription.productID)
        account.change(subscription.row, at: now) { $0.hasAddedSeats = true }
        pay(index, original: current.original) { row in
            row.groupID = current.groupID
            row.expirationDate = current.expirationDate
            row.billingPlan = current.billingPlan
            row.commitment = current.commitment
            row.price = current.price
            row.quantity = added
            row.hasAddedSeats = true
        }
        account.subscriptions[key]?.seats = total
        sendStatus(of: key)
        report([index])
    }
}
