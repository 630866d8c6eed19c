import Foundation

extension EngineState {
    /// Adds a paid row to the receipt, now or with the lag that is set.
    mutating func putIntoReceipt(_ row: Int) {
        switch behavior.receiptLag {
        case .none:
            account.receipt.hold(row, at: now)
        case .refreshes(let count):
            if count > 0 {
                account.receipt.holdBack(row, refreshes: count)
            } else {
                account.receipt.hold(row, at: now)
            }
        case .seconds(let seconds):
            if seconds > 0 {
                schedule.add(.receiptCatchesUp(row: row), at: now.addingTimeInterval(seconds))
            } else {
                account.receipt.hold(row, at: now)
            }
        }
    }

    /// The oldest payment of a product that waits for an approval.
    func awaitingApproval(_ productID: String) throws(SimulatorError) -> SimulatedTransaction.ID {
        let waiting = queue.known.first { isAwaitingApproval($0) && queue.entries[$0].payment.productID == productID }
        guard let waiting else { throw SimulatorError(.notAwaitingApproval, "No purchase of “\(productID)” waits for an approval.") }
        return queue.entries[waiting].id
    }

    mutating func answerApproval(_ id: SimulatedTransaction.ID, approves: Bool) throws(SimulatorError) {
        guard let index = queue.index(of: id), isAwaitingApproval(index) else {
            throw SimulatorError(.notAwaitingApproval, "Transaction \(id) does not wait for an approval.")
        }
        if approves {
            purchase(index)
        } else {
            fail(index, .paymentCancelled)
        }
    }

    private func isAwaitingApproval(_ index: Int) -> Bool {
        queue.entries[index].phase == .queued && queue.entries[index].state == .deferred
    }

    /// The oldest interrupted payment of a product, or the latest transaction of its subscription in billing retry.
    func withIssue(_ productID: String) throws(SimulatorError) -> SimulatedTransaction.ID {
        let interrupted = account.interrupted.sorted().first { id in
            queue.index(of: id).map { queue.entries[$0].payment.productID == productID } ?? false
        }
        if let interrupted { return interrupted }
        if let subscription = account.subscriptions[terms(of: productID).groupID], subscription.status == .billingRetry,
            subscription.productID == productID
        {
            return account.rows[subscription.row].entry
        }
        throw SimulatorError(.noIssue, "No purchase of “\(productID)” was interrupted, and no renewal of it has a billing problem.")
    }

    mutating func resolveIssue(_ id: SimulatedTransaction.ID) throws(SimulatorError) {
        let index = queue.index(of: id)
        if let index, account.interrupted.remove(id) != nil {
            let second = queue.makeEntry(for: queue.entries[index].payment)
            queue.update(second) { $0.phase = .queued }
            purchase(second)
        } else if let row = index.flatMap({ queue.entries[$0].row }), let group = account.rows[row].group,
            account.subscriptions[group]?.status == .billingRetry
        {
            renew(group: group)
        } else {
            throw SimulatorError(.noIssue, "Transaction \(id) was not interrupted and has no billing problem.")
        }
    }

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
    mutating func refund(row: Int) throws(SimulatorError) {
        guard account.rows[row].revocationDate == nil else { return }
        revoke(row)
        account.receipt.write(at: now)
        announceRevocation([account.rows[row].productID])
    }

    /// Ends the sharing of a product in the family.
    mutating func revokeFamilySharing(_ productID: String) throws(SimulatorError) {
        let rows = account.rows.indices.filter { index in
            account.rows[index].productID == productID && account.rows[index].revocationDate == nil
        }
        guard !rows.isEmpty else { throw SimulatorError(.notOwned, "The account does not own “\(productID)”.") }
        for row in rows {
            revoke(row)
        }
        account.receipt.write(at: now)
        announceRevocation([productID])
    }

    /// Buys on another device of the account: the transaction arrives unsolicited.
    mutating func buyElsewhere(_ payment: SimulatedPayment) throws(SimulatorError) {
        guard sells(payment.productID) else { throw unknownProduct(payment.productID) }
        let index = queue.makeEntry(for: payment)
        queue.update(index) { $0.phase = .queued }
        purchase(index)
    }

    mutating func beginPromotion(_ productID: String) throws(SimulatorError) {
        guard sells(productID) else { throw unknownProduct(productID) }
        promote(SimulatedPayment(productID: productID))
    }

    private func unknownProduct(_ productID: String) -> SimulatorError {
        let known = catalog.products.prefix(6).map { "“\($0.productID)”" }
        let rest = catalog.products.count > known.count ? " and \(catalog.products.count - known.count) more" : ""
        let list = known.isEmpty ? "it is empty" : "it has \(known.joined(separator: ", "))\(rest)"
        return SimulatorError(.unknownProduct, "The catalog has no product “\(productID)”; \(list).")
    }

    /// The group in which a subscription to this product is active.
    func activeGroup(_ productID: String) throws(SimulatorError) -> String {
        let group = terms(of: productID).groupID
        guard let subscription = account.subscriptions[group], subscription.productID == productID,
            subscription.status != .expired
        else { throw SimulatorError(.notSubscribed, "The account has no active subscription to “\(productID)”.") }
        return group
    }

    /// Begins the next period now.
    mutating func forceRenewal(_ productID: String) throws(SimulatorError) {
        let group = try activeGroup(productID)
        closePeriod(group: group)
        renew(group: group)
    }

    mutating func expire(_ productID: String) throws(SimulatorError) {
        let group = try activeGroup(productID)
        closePeriod(group: group)
        endSubscription(group: group, reason: .autoRenewDisabled)
    }

    mutating func setAutoRenews(_ autoRenews: Bool, productID: String) throws(SimulatorError) {
        let group = try activeGroup(productID)
        account.subscriptions[group]?.autoRenews = autoRenews
        if !autoRenews {
            account.subscriptions[group]?.renewalProductID = productID
        }
        account.receipt.write(at: now)
    }

    /// Deletes the history, and empties the queue.
    mutating func clearTransactions() {
        remove(queue.known)
        work.removeAll { work in
            if case .request = work { false } else { true }
        }
        queue.removeAll()
        account = AccountState()
        downloads.discardAll()
        schedule.removeAll()
        pendingPromotions = []
        pendingRevocations = []
    }

    /// Brings the behavior and the catalog back to how they were at first. What was bought stays.
    mutating func resetToDefaultState() {
        behavior = initialCatalog.behavior
        scripted = [:]
        scriptedForAny = FIFO()
        setCatalog(initialCatalog)
    }

    private mutating func closePeriod(group: String) {
        guard let row = account.subscriptions[group]?.row, let end = account.rows[row].expirationDate, end > now else { return }
        account.rows[row].expirationDate = now
        account.subscriptions[group]?.anchor = now
        account.subscriptions[group]?.periodsSinceAnchor = 0
    }

    private mutating func revoke(_ row: Int) {
        account.rows[row].revocationDate = now
        let product = account.rows[row].productID
        if let owned = account.ownedNonConsumables[product], account.rows[owned].original == account.rows[row].original {
            account.ownedNonConsumables[product] = nil
        }
        if let group = account.rows[row].group, account.subscriptions[group]?.row == row {
            endSubscription(group: group, reason: .unknown)
        }
    }
}
