import Foundation

extension EngineState {
    /// Returns the latest row of a product that was neither refunded nor revoked.
    func refundableRow(_ productID: String) throws(SimulatorError) -> Int {
        let row = account.rows.lastIndex {
            $0.productID == productID && $0.revocationDate == nil && $0.ownership == .purchased
        }
        guard let row else {
            throw SimulatorError(.notOwned, "The account has no purchase of \"\(productID)\" to refund.")
        }
        return row
    }

    /// Returns the row that an entry of the queue paid or restored.
    func paidRow(of id: SimulatedTransaction.ID) throws(SimulatorError) -> Int {
        let entry = queue.index(of: id).map { queue[$0] }
        guard let row = entry?.row ?? entry?.original else {
            throw SimulatorError(.unknownTransaction, "The account has paid no transaction \(id).")
        }
        return row
    }

    /// Refunds a transaction. The account no longer owns the product.
    ///
    /// The refund of the current month ends a commitment. The refund of an earlier month doesn't. Refunding a
    /// transaction twice has no effect.
    /// - Parameters:
    ///   - row: The row of the transaction.
    ///   - reason: The reason for the refund.
    ///   - percentage: The refunded percentage of the price; `nil` for a full refund.
    mutating func refund(row: Int, reason: SimulatedRevocationReason, percentage: Decimal?) throws(SimulatorError) {
        if let percentage, !(percentage > 0 && percentage <= 100) {
            throw SimulatorError(.invalidValue, "A refund is 1 to 100 % of the price, not \(percentage) %.")
        }
        guard !account.rows[row].isRevoked else { return }
        revoke(row, reason, percentage: percentage)
        device.receipt.write(at: now)
        announceRevocation([account.rows[row].productID])
    }

    mutating func reverseRefund(of productID: String) throws(SimulatorError) {
        let row = account.rows.lastIndex { $0.productID == productID && $0.isRevoked && $0.ownership == .purchased }
        guard let row else { throw SimulatorError(.notOwned, "No purchase of \"\(productID)\" has been refunded.") }
        account.change(row, at: now) { row in
            row.revocationDate = nil
            row.revocationReason = nil
            row.refundedPercentage = nil
        }
        if kind(of: productID) == .nonConsumable, account.ownedNonConsumables[productID] == nil {
            account.ownedNonConsumables[productID] = row
        }
        account.unacknowledged.remove(row)
        device.receipt.write(at: now)
        onEveryDevice { $0.announce(row: row) }
        guard let key = account.rows[row].key, account.subscriptions[key]?.row == row else { return }
        resumePeriod(of: key)
        sendStatus(of: key)
    }

    /// Continues a subscription that a refund has ended until the end of its period. It doesn't renew.
    private mutating func resumePeriod(of key: SubscriptionKey) {
        guard var subscription = account.subscriptions[key], subscription.status == .expired,
            let end = account.rows[subscription.row].expirationDate, end > now
        else { return }
        subscription.status = .active
        subscription.expirationReason = nil
        subscription.generation += 1
        account.subscriptions[key] = subscription
        scheduleEvent(.periodEnds, of: key, at: end)
    }

    mutating func revokeFamilySharing(_ productID: String) throws(SimulatorError) {
        let owned = (account.rowsByProduct[productID] ?? []).filter { account.rows[$0].revocationDate == nil }
        // The account's own purchases are revoked only if the family shares none.
        let shared = owned.filter { account.rows[$0].ownership == .familyShared }
        try revokeGrant(productID, shared.isEmpty ? owned : shared)
    }

    /// Revokes a seat that an organization assigned to the account.
    mutating func unassignSeat(of productID: String) throws(SimulatorError) {
        let rows = (account.rowsByProduct[productID] ?? []).filter { row in
            account.rows[row].revocationDate == nil && account.rows[row].ownership == .assigned
        }
        try revokeGrant(productID, rows)
    }

    private mutating func revokeGrant(_ productID: String, _ rows: [Int]) throws(SimulatorError) {
        guard !rows.isEmpty else { throw SimulatorError(.notOwned, "The account does not own \"\(productID)\".") }
        for row in rows {
            revoke(row, .other)
            if let key = account.rows[row].key, account.subscriptions[key]?.row == row {
                endSubscription(key, reason: .unknown)
            }
        }
        device.receipt.write(at: now)
        announceRevocation([productID])
    }

    /// Adds a purchase that a family member shares or an organization assigns to the account.
    mutating func grant(_ productID: String, as ownership: SimulatedOwnership) throws(SimulatorError) {
        guard let product = product(productID) else { throw unknownProduct(productID) }
        switch ownership {
        case .familyShared where !product.isFamilyShareable:
            throw SimulatorError(.unsuitableProduct, "\"\(productID)\" isn't family shareable.")
        case .assigned where !product.supportsMultiSeatPurchase:
            throw SimulatorError(.unsuitableProduct, "\"\(productID)\" has no seats that an organization can assign.")
        default: break
        }
        let index = makeEntry(for: SimulatedPayment(productID: productID), phase: .queued)
        if kind(of: productID) == .autoRenewableSubscription {
            let terms = terms(of: productID)
            // A family member or an organization has one subscription of a group, too.
            let key = SubscriptionKey(groupID: terms.groupID, ownership: ownership)
            if let current = account.subscriptions[key] { endUpgradedPeriod(of: current) }
            beginSubscription(index, terms: terms, ownership: ownership)
        } else {
            account.sharedNonConsumables[productID] = pay(index) { row in
                row.ownership = ownership
                row.price = 0
            }
        }
        report([index])
        announce(entry: index)
    }

    mutating func revoke(_ row: Int, _ reason: SimulatedRevocationReason, percentage: Decimal? = nil) {
        let date = now
        account.change(row, at: date) { row in
            row.revocationDate = date
            row.revocationReason = reason
            row.refundedPercentage = percentage
        }
        let product = account.rows[row].productID
        if let owned = account.ownedNonConsumables[product], account.rows[owned].original == account.rows[row].original
        {
            account.ownedNonConsumables[product] = nil
        }
        if account.sharedNonConsumables[product] == row { account.sharedNonConsumables[product] = nil }
        // Nothing remains of a finished consumable in StoreKit Test, so its refund isn't announced either.
        let history = account.rows[row]
        if behavior.environment == .xcode, history.kind == .consumable, history.isFinished { return }
        account.unacknowledged.insert(row)
        onEveryDevice { $0.announce(row: row) }
        guard let key = account.rows[row].key, account.subscriptions[key]?.row == row else { return }
        if behavior.refundEndsSubscription || account.rows[row].commitment != nil || isBundle(key) {
            endSubscription(key, reason: .unknown)
        } else {
            sendStatus(of: key)
        }
    }

    private func isBundle(_ key: SubscriptionKey) -> Bool {
        account.subscriptions[key].flatMap { product($0.productID) }?.bundle != nil
    }
}
