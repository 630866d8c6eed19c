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
        if cancelsImmediately, let key = queue[index].row.flatMap({ account.rows[$0].key }) {
            account.subscriptions[key]?.autoRenews = false
        }
        runSchedule(until: present)
        behavior.timeRate = rate
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
            account.subscriptions[key]?.row = former
            account.subscriptions[key]?.productID = account.rows[former].productID
            if account.rows[former].expirationDate.map({ $0 <= now }) ?? true {
                account.subscriptions[key]?.status = .expired
            }
        } else {
            account.subscriptions[key] = nil
            account.groupsWithUsedIntroduction.remove(key.groupID)
        }
    }

    /// Asks the subscriber to consent to a higher price, without a change of the price.
    mutating func requestPriceConsent(of productID: String) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        account.subscriptions[key]?.priceIncrease = .pending
        sendStatus(of: key)
        show(.priceIncreaseConsent)
    }
}
