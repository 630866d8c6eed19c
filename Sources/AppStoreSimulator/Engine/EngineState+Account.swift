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

    mutating func answerApproval(_ id: SimulatedTransaction.ID, approves: Bool) throws(SimulatorError) {
        guard let index = queue.index(of: id), queue.entries[index].phase == .queued, queue.entries[index].state == .deferred else {
            throw SimulatorError(.notAwaitingApproval, "\(id.rawValue)")
        }
        if approves {
            purchase(index)
        } else {
            fail(index, .paymentCancelled)
        }
    }

    mutating func resolveIssue(_ id: SimulatedTransaction.ID) throws(SimulatorError) {
        guard let index = queue.index(of: id) else { throw SimulatorError(.noIssue, "\(id.rawValue)") }
        if account.interrupted.remove(id) != nil {
            let second = queue.makeEntry(for: queue.entries[index].payment)
            queue.update(second) { $0.phase = .queued }
            purchase(second)
        } else if let row = queue.entries[index].row, let group = account.rows[row].group,
            account.subscriptions[group]?.status == .billingRetry
        {
            renew(group: group)
        } else {
            throw SimulatorError(.noIssue, "\(id.rawValue)")
        }
    }

    /// Refunds a transaction: what it bought is no longer owned.
    mutating func refund(_ identifier: String) throws(SimulatorError) {
        guard let row = account.row(identifier: identifier) else { throw SimulatorError(.unknownTransaction, identifier) }
        guard account.rows[row].cancellationDate == nil else { return }
        revoke(row)
        account.receipt.write(at: now)
        announceRevocation([account.rows[row].productIdentifier])
    }

    /// Ends the sharing of a product in the family.
    mutating func revokeFamilySharing(_ productIdentifier: String) throws(SimulatorError) {
        let rows = account.rows.indices.filter { index in
            account.rows[index].productIdentifier == productIdentifier && account.rows[index].cancellationDate == nil
        }
        guard !rows.isEmpty else { throw SimulatorError(.notOwned, productIdentifier) }
        for row in rows {
            revoke(row)
        }
        account.receipt.write(at: now)
        announceRevocation([productIdentifier])
    }

    /// Buys on another device of the account: the transaction arrives unsolicited.
    mutating func buyElsewhere(_ payment: SimulatedPayment) throws(SimulatorError) {
        guard sells(payment.productIdentifier) else { throw SimulatorError(.unknownProduct, payment.productIdentifier) }
        let index = queue.makeEntry(for: payment)
        queue.update(index) { $0.phase = .queued }
        purchase(index)
    }

    mutating func beginPromotion(_ productIdentifier: String) throws(SimulatorError) {
        guard sells(productIdentifier) else { throw SimulatorError(.unknownProduct, productIdentifier) }
        promote(SimulatedPayment(productIdentifier: productIdentifier))
    }

    /// The group in which a subscription of this product runs.
    func runningGroup(_ productIdentifier: String) throws(SimulatorError) -> String {
        let group = terms(of: productIdentifier).groupIdentifier
        guard let subscription = account.subscriptions[group], subscription.productIdentifier == productIdentifier,
            subscription.status != .expired
        else { throw SimulatorError(.notSubscribed, productIdentifier) }
        return group
    }

    /// Begins the next period now.
    mutating func forceRenewal(_ productIdentifier: String) throws(SimulatorError) {
        let group = try runningGroup(productIdentifier)
        closePeriod(group: group)
        renew(group: group)
    }

    mutating func expire(_ productIdentifier: String) throws(SimulatorError) {
        let group = try runningGroup(productIdentifier)
        closePeriod(group: group)
        endSubscription(group: group)
    }

    mutating func setAutoRenews(_ autoRenews: Bool, identifier: String) throws(SimulatorError) {
        guard let row = account.row(identifier: identifier) else { throw SimulatorError(.unknownTransaction, identifier) }
        guard let group = account.rows[row].group, let subscription = account.subscriptions[group], subscription.status != .expired
        else { throw SimulatorError(.notSubscribed, account.rows[row].productIdentifier) }
        account.subscriptions[group]?.autoRenews = autoRenews
        if !autoRenews {
            account.subscriptions[group]?.renewalProductIdentifier = subscription.productIdentifier
        }
        account.receipt.write(at: now)
    }

    /// Forgets everything that was ever bought, and empties the queue.
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

    /// Brings the controls, the switches and the catalog back to how they were at first. What was bought stays.
    mutating func resetToDefaultState() {
        controls = StoreControls()
        behavior = SimulatorBehavior()
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
        account.rows[row].cancellationDate = now
        let product = account.rows[row].productIdentifier
        if let owned = account.ownedNonConsumables[product], account.rows[owned].original == account.rows[row].original {
            account.ownedNonConsumables[product] = nil
        }
        if let group = account.rows[row].group, account.subscriptions[group]?.row == row {
            endSubscription(group: group)
        }
    }
}
