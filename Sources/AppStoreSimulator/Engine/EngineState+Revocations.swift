import Foundation

extension EngineState {
    /// The latest row of a product that was neither refunded nor revoked.
    func refundable(_ productID: String) throws(SimulatorError) -> Int {
        let row = account.rows.lastIndex { $0.productID == productID && $0.revocationDate == nil }
        guard let row else { throw SimulatorError(.notOwned, "The account has no purchase of “\(productID)” to refund.") }
        return row
    }

    /// The row that an entry of the queue has paid or restored.
    func paidRow(of id: SimulatedTransaction.ID) throws(SimulatorError) -> Int {
        let entry = queue.index(of: id).map { queue.entries[$0] }
        guard let row = entry?.row ?? entry?.original else {
            throw SimulatorError(.unknownTransaction, "The account has paid no transaction \(id).")
        }
        return row
    }

    /// Refunds a transaction: what it bought is no longer owned.
    ///
    /// The refund of the current month ends a commitment; that of an earlier month doesn't.
    /// - Parameter percentage: The percentage of the price that is refunded; `nil` for the whole price.
    mutating func refund(row: Int, reason: SimulatedRevocationReason, percentage: Decimal?) throws(SimulatorError) {
        guard !account.rows[row].isRevoked else { return }
        account.rows[row].refundedPercentage = percentage
        revoke(row, reason)
        device.receipt.write(at: now)
        announceRevocation([account.rows[row].productID])
    }

    /// Reverses the latest refund of a product.
    mutating func reverseRefund(of productID: String) throws(SimulatorError) {
        let row = account.rows.lastIndex { $0.productID == productID && $0.isRevoked && $0.ownership == .purchased }
        guard let row else { throw SimulatorError(.notOwned, "No purchase of “\(productID)” has been refunded.") }
        account.change(row, at: now) { row in
            row.revocationDate = nil
            row.revocationReason = nil
        }
        if kind(of: productID) == .nonConsumable, account.ownedNonConsumables[productID] == nil {
            account.ownedNonConsumables[productID] = row
        }
        account.unacknowledged.remove(row)
        device.receipt.write(at: now)
        onEveryDevice { $0.announce(row: row) }
        if let key = account.rows[row].key, account.subscriptions[key]?.row == row { tellStatus(of: key) }
    }

    /// Ends the sharing of a product in the family.
    mutating func revokeFamilySharing(_ productID: String) throws(SimulatorError) {
        let owned = (account.rowsByProduct[productID] ?? []).filter { account.rows[$0].revocationDate == nil }
        // What is the account's own is taken back only where nothing else was shared.
        let shared = owned.filter { account.rows[$0].ownership == .familyShared }
        try revokeGrant(productID, shared.isEmpty ? owned : shared)
    }

    /// Takes a seat from the account that an organization has assigned to it.
    mutating func unassignSeat(of productID: String) throws(SimulatorError) {
        let rows = (account.rowsByProduct[productID] ?? []).filter { row in
            account.rows[row].revocationDate == nil && account.rows[row].ownership == .assigned
        }
        try revokeGrant(productID, rows)
    }

    private mutating func revokeGrant(_ productID: String, _ rows: [Int]) throws(SimulatorError) {
        guard !rows.isEmpty else { throw SimulatorError(.notOwned, "The account does not own “\(productID)”.") }
        for row in rows {
            revoke(row, .other)
            if let key = account.rows[row].key, account.subscriptions[key]?.row == row { endSubscription(key, reason: .unknown) }
        }
        device.receipt.write(at: now)
        announceRevocation([productID])
    }

    /// Gives the account what a member of its family has bought and shares, or what an organization has bought and
    /// assigns.
    mutating func grant(_ productID: String, as ownership: SimulatedOwnership) throws(SimulatorError) {
        guard sells(productID) else { throw unknownProduct(productID) }
        let index = makeEntry(for: SimulatedPayment(productID: productID))
        queue.update(index) { $0.phase = .queued }
        if kind(of: productID) == .autoRenewableSubscription {
            beginSubscription(index, terms: terms(of: productID), ownership: ownership)
        } else {
            account.sharedNonConsumables[productID] = pay(index) { row in
                row.ownership = ownership
                row.price = 0
            }
        }
        report([index])
        announce(entry: index)
    }

    mutating func revoke(_ row: Int, _ reason: SimulatedRevocationReason) {
        let date = now
        account.change(row, at: date) { row in
            row.revocationDate = date
            row.revocationReason = reason
        }
        let product = account.rows[row].productID
        if let owned = account.ownedNonConsumables[product], account.rows[owned].original == account.rows[row].original {
            account.ownedNonConsumables[product] = nil
        }
        if account.sharedNonConsumables[product] == row { account.sharedNonConsumables[product] = nil }
        account.unacknowledged.insert(row)
        onEveryDevice { $0.announce(row: row) }
        guard let key = account.rows[row].key, account.subscriptions[key]?.row == row else { return }
        if behavior.refundEndsSubscription || account.rows[row].commitment != nil || isBundle(key) {
            endSubscription(key, reason: .unknown)
        } else {
            tellStatus(of: key)
        }
    }

    private func isBundle(_ key: SubscriptionKey) -> Bool {
        account.subscriptions[key].flatMap { product($0.productID) }?.bundle != nil
    }
}
