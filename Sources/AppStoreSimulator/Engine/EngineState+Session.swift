import Foundation

// Controls that a session of StoreKit Test has beyond those of a customer and a developer.
extension EngineState {
    /// Purchases outside the app, with the outcome that a purchase in the app would have.
    ///
    /// - Returns: The transaction. An owned product and an active subscription are returned as they are. A purchase
    ///   that waits for approval or for the end of an interruption is returned as it will be paid.
    mutating func purchaseInSession(_ payment: SimulatedPayment) throws(SimulatedError) -> SimulatedSignedTransaction {
        guard Self.quantities.contains(payment.quantity) else { throw .invalidQuantity }
        let index = makeEntry(for: payment, phase: .queued)
        queue[index].isFromStoreKit2 = true
        switch outcome(for: index) {
        case .failed(let error):
            queue[index].phase = .gone
            throw error
        case .deferred:
            identify(index)
            queue[index].state = .deferred
            return signedPending(index, state: .deferred)
        case .interrupted:
            identify(index)
            account.interrupted.insert(queue[index].id)
            queue[index].phase = .gone
            return signedPending(index, state: .interrupted)
        case .unverified: queue[index].isUnverified = true
        case .purchased, .restored, .neverAnswered, .removed, .returnsUnfinishedTransaction: break
        }
        purchase(index)
        announce(entry: index)
        guard let row = queue[index].row ?? heldRow(of: payment.productID) else { throw .unknown }
        return signed(row)
    }

    /// Returns the row with which the account holds a product, or the group of a subscription.
    private func heldRow(of productID: String) -> Int? {
        account.ownedNonConsumables[productID]
            ?? account.subscriptions[SubscriptionKey(groupID: terms(of: productID).groupID)]?.row
    }

    private mutating func signedPending(
        _ index: Int, state: SimulatedHistoryRecord.State
    ) -> SimulatedSignedTransaction {
        let record = pendingRecord(index, state: state)
        let number = queue[index].number ?? 0
        let key = SignedTextKey(number: number, revision: .max, date: now)
        return SimulatedSignedTransaction(
            record: record, number: number, originalNumber: number, text: signedText(key, .transaction(record)))
    }

    /// Purchases at an earlier date. A subscription then renews until now, or expires at the end of its period.
    mutating func purchase(_ index: Int, at date: Date, cancelsImmediately: Bool) {
        let (present, rate) = (now, behavior.timeRate)
        let period = terms(of: queue[index].payment.productID).period
        // At a high rate, a purchase of last year would have millions of renewals.
        if rate.end(of: period, times: 100, from: date) < present { behavior.timeRate = .realTime }
        now = date
        purchaseNow(index)
        let key = queue[index].row.flatMap { account.rows[$0].key }
        if cancelsImmediately, let key { account.subscriptions[key]?.autoRenews = false }
        runSchedule(until: present)
        guard behavior.timeRate != rate else { return }
        behavior.timeRate = rate
        guard let key, let row = account.subscriptions[key]?.row, let end = account.rows[row].expirationDate else {
            return
        }
        // The next period is the first one at the session's rate.
        account.subscriptions[key]?.timeRate = rate
        account.subscriptions[key]?.anchor = end
        account.subscriptions[key]?.periodsSinceAnchor = 0
    }

    /// Deletes a transaction, as if it had never been made.
    mutating func delete(_ id: SimulatedTransaction.ID) throws(SimulatorError) {
        guard let index = queue.index(of: id) else {
            throw SimulatorError(.unknownTransaction, "The account has no transaction \(id).")
        }
        account.interrupted.remove(id)
        guard let row = queue[index].row else {
            return queue[index].phase = .gone
        }
        remove([index])
        account.delete(row, at: now)
        device.unobserved.remove(row)
        device.receipt.write(at: now)
        guard let key = account.rows[row].key, account.subscriptions[key]?.row == row else { return }
        if let former = account.presentRows.last(where: { account.rows[$0].key == key }) {
            revertSubscription(key, to: former, from: row)
        } else {
            account.subscriptions[key] = nil
            account.groupsWithUsedIntroduction.remove(key.groupID)
            // The generations of a later subscription start at 1 again.
            while schedule.remove(where: { if case .subscription(_, key, _) = $0 { true } else { false } }) != nil {}
        }
    }

    /// Reverts a subscription to the period before a deleted period. If that period has ended, the subscription ends.
    private mutating func revertSubscription(_ key: SubscriptionKey, to former: Int, from deleted: Int) {
        guard let known = account.subscriptions[key] else { return }
        let (product, date) = (account.rows[former].productID, account.rows[deleted].purchaseDate)
        for row in account.rowsByProduct[product] ?? []
        where account.rows[row].key == key && account.rows[row].isUpgraded && account.rows[row].revocationDate == date {
            account.change(row, at: now) { row in
                row.isUpgraded = false
                row.revocationDate = nil
            }
            account.upgraded.removeAll { $0 == row }
        }
        let period = account.rows[former]
        let end = period.expirationDate ?? now
        var subscription = SubscriptionState(
            productID: product, renewalProductID: product, row: former, anchor: end, periodsSinceAnchor: 0,
            timeRate: known.timeRate, recentStart: known.recentStart)
        subscription.plan = period.billingPlan ?? .upFront
        subscription.renewalPlan = subscription.plan
        subscription.seats = period.isMultiSeat ? period.quantity : nil
        subscription.bundle = known.bundle
        subscription.generation = known.generation + 1
        account.subscriptions[key] = subscription
        guard end > now, !period.isRevoked else { return endSubscription(key, reason: .unknown) }
        scheduleEvent(.periodEnds, of: key, at: end)
        sendStatus(of: key)
    }

    /// Asks the subscriber to consent to a higher price, without a change of the price.
    mutating func requestPriceConsent(of productID: String) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        account.subscriptions[key]?.priceIncrease = .pending
        sendStatus(of: key)
        show(.priceIncreaseConsent)
    }
}
