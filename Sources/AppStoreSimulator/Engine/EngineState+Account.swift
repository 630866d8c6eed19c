import Foundation

extension EngineState {
    /// Adds a paid row to the receipt, with the delay of the behavior. Receipts of other devices contain the row after
    /// a refresh.
    mutating func addToReceipt(_ row: Int) {
        onOtherDevices { $0.device.receipt.delayRowOfOtherDevice(row) }
        switch behavior.receiptLag {
        case .refreshes(let count) where count > 0:
            device.receipt.delay(row, refreshes: count)
        case .seconds(let seconds) where seconds > 0:
            schedule.add(.receiptCatchesUp(row: row, device: device.number), at: now.addingTimeInterval(seconds))
        case .none, .refreshes, .seconds:
            device.receipt.add(row, at: now)
        }
    }

    /// Returns the oldest payment of a product that is waiting for approval.
    func transactionAwaitingApproval(_ productID: String) throws(SimulatorError) -> SimulatedTransaction.ID {
        let waiting = queue.known.first { isAwaitingApproval($0) && queue[$0].payment.productID == productID }
        guard let waiting else {
            throw SimulatorError(.notAwaitingApproval, "No purchase of \"\(productID)\" waits for an approval.")
        }
        return queue[waiting].id
    }

    mutating func answerApproval(_ id: SimulatedTransaction.ID, approves: Bool) throws(SimulatorError) {
        guard let index = queue.index(of: id), isAwaitingApproval(index) else {
            throw SimulatorError(.notAwaitingApproval, "Transaction \(id) does not wait for an approval.")
        }
        let acting = activateDevice(ofEntry: index)
        defer { activate(acting) }
        if approves {
            purchase(index)
            announce(entry: index)
        } else {
            fail(index, .paymentCancelled)
        }
    }

    private func isAwaitingApproval(_ index: Int) -> Bool {
        queue[index].phase == .queued && queue[index].state == .deferred
    }

    /// Returns the oldest interrupted payment of a product, or the latest transaction of its subscription in billing
    /// retry.
    func transactionWithIssue(_ productID: String) throws(SimulatorError) -> SimulatedTransaction.ID {
        let interrupted = account.interrupted.sorted().first { id in
            queue.index(of: id).map { queue[$0].payment.productID == productID } ?? false
        }
        if let interrupted { return interrupted }
        if let subscription = account.subscriptions[SubscriptionKey(groupID: terms(of: productID).groupID)],
            subscription.status == .billingRetry, subscription.productID == productID
        {
            return account.rows[subscription.row].id
        }
        throw SimulatorError(
            .noIssue, "No purchase of \"\(productID)\" was interrupted, and no renewal of it has a billing problem.")
    }

    mutating func resolveBillingIssue(of productID: String) throws(SimulatorError) {
        let key = SubscriptionKey(groupID: terms(of: productID).groupID)
        guard let subscription = account.subscriptions[key], subscription.productID == productID else {
            throw SimulatorError(.notSubscribed, "The account has no subscription to \"\(productID)\".")
        }
        guard subscription.status == .billingRetry else {
            throw SimulatorError(.noIssue, "The subscription to \"\(productID)\" has no billing issue.")
        }
        renew(key)
    }

    mutating func resolveIssue(_ id: SimulatedTransaction.ID) throws(SimulatorError) {
        let index = queue.index(of: id)
        if let index, account.interrupted.remove(id) != nil {
            let acting = activateDevice(ofEntry: index)
            defer { activate(acting) }
            let second = makeEntry(for: queue[index].payment, phase: .queued)
            let interrupted = queue[index]
            queue[second].isFromStoreKit2 = interrupted.isFromStoreKit2
            queue[second].number = interrupted.number
            purchase(second)
            announce(entry: second)
        } else if let row = index.flatMap({ queue[$0].row }), let key = account.rows[row].key,
            account.subscriptions[key]?.status == .billingRetry
        {
            renew(key)
        } else {
            throw SimulatorError(.noIssue, "Transaction \(id) was not interrupted and has no billing problem.")
        }
    }

    /// Purchases outside the app, so that the transaction arrives unsolicited.
    mutating func purchaseOutsideApp(_ payment: SimulatedPayment, offerCode: String? = nil) throws(SimulatorError) {
        guard sells(payment.productID) else { throw unknownProduct(payment.productID) }
        try checkPlan(payment)
        guard Self.quantities.contains(payment.quantity) else {
            throw SimulatorError(.invalidValue, "A customer can buy 1 to 10 items at a time, not \(payment.quantity).")
        }
        if let seats = payment.seats, let error = refusal(ofSeats: seats, for: payment.productID) {
            throw SimulatorError(
                .unsuitableProduct,
                "The account can't buy \(seats) seats of \"\(payment.productID)\": \(error.message).")
        }
        if let offerCode { try checkCode(offerCode, payment) }
        announce(entry: payOutsideApp(payment, offerCode: offerCode))
    }

    /// Sets the offer code that the customer redeems in the next sheet.
    mutating func setNextCode(_ offerID: String, _ payment: SimulatedPayment) throws(SimulatorError) {
        guard sells(payment.productID) else { throw unknownProduct(payment.productID) }
        try checkPlan(payment)
        try checkCode(offerID, payment)
        scriptedCodes.append((payment, offerID))
    }

    private func checkPlan(_ payment: SimulatedPayment) throws(SimulatorError) {
        guard payment.billingPlan == .monthly else { return }
        try checkMonthlyPlan(of: payment.productID)
    }

    private func checkCode(_ offerID: String, _ payment: SimulatedPayment) throws(SimulatorError) {
        let terms = terms(of: payment.productID).billed(payment.billingPlan)
        guard !terms.codeOffers.contains(where: { $0.id == offerID }) else { return }
        guard product(payment.productID)?.codeOffers[offerID] == nil else { return }
        throw SimulatorError(
            .unknownOffer,
            "\"\(payment.productID)\" has no offer code \"\(offerID)\". Declare the product's offer codes with codeOffers:."
        )
    }

    /// Creates and pays an entry that no call waits for.
    mutating func payOutsideApp(_ payment: SimulatedPayment, offerCode: String?) -> Int {
        let index = makeEntry(for: payment, phase: .queued)
        queue[index].offerCode = offerCode
        purchase(index)
        return index
    }

    /// Purchases in a view of the App Store, which finishes the transaction.
    mutating func purchaseInProductView(_ productID: String, sendsUpdate: Bool) throws(SimulatorError) {
        guard sells(productID) else { throw unknownProduct(productID) }
        let index = makeEntry(for: SimulatedPayment(productID: productID), phase: .queued)
        queue[index].isFromStoreKit2 = true
        purchase(index)
        remove([index])
        if sendsUpdate { announce(entry: index) }
    }

    mutating func beginPromotion(_ productID: String, winBackOfferID: String?) throws(SimulatorError) {
        guard sells(productID) else { throw unknownProduct(productID) }
        if let winBackOfferID, !terms(of: productID).winBackOffers.contains(where: { $0.id == winBackOfferID }) {
            throw SimulatorError(
                .unknownOffer,
                "\"\(productID)\" has no win-back offer \"\(winBackOfferID)\". Declare the product's offers with winBackOffers:."
            )
        }
        if winBackOfferID != nil, !isLapsed(groupOf: productID) {
            throw SimulatorError(
                .notEligible,
                "Win-back offers are for former subscribers. No subscription to \"\(productID)\" has expired.")
        }
        var payment = SimulatedPayment(productID: productID)
        payment.winBackOfferID = winBackOfferID
        promote(payment)
    }

    func unknownProduct(_ productID: String) -> SimulatorError {
        let known = catalog.products.prefix(6).map { "\"\($0.productID)\"" }
        let rest = catalog.products.count > known.count ? " and \(catalog.products.count - known.count) more" : ""
        let list = known.isEmpty ? "it is empty" : "it has \(known.joined(separator: ", "))\(rest)"
        return SimulatorError(.unknownProduct, "The catalog has no product \"\(productID)\"; \(list).")
    }

    /// Returns the active subscription to a product. The account's own subscription precedes that of the family.
    func activeSubscription(_ productID: String) throws(SimulatorError) -> SubscriptionKey {
        let group = terms(of: productID).groupID
        for ownership in SimulatedOwnership.allCases {
            let key = SubscriptionKey(groupID: group, ownership: ownership)
            if let subscription = account.subscriptions[key], subscription.productID == productID,
                subscription.status != .expired
            {
                return key
            }
        }
        throw SimulatorError(.notSubscribed, "The account has no active subscription to \"\(productID)\".")
    }

    /// Ends the current period now. The next period begins, or billing retry if payments of renewals fail.
    mutating func forceRenewal(_ productID: String) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        closePeriod(key)
        guard behavior.shouldEnterBillingRetryOnRenewal else { return renew(key) }
        if account.subscriptions[key]?.status == .active { enterBillingRetry(key) }
    }

    mutating func expire(_ productID: String, reason: SimulatedRenewal.ExpirationReason) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        closePeriod(key)
        endSubscription(key, reason: reason)
    }

    mutating func setAutoRenews(_ autoRenews: Bool, productID: String) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        account.subscriptions[key]?.autoRenews = autoRenews
        if !autoRenews {
            account.subscriptions[key]?.renewalProductID = productID
            account.subscriptions[key]?.nextOffer = nil
            let plan = account.subscriptions[key]?.plan ?? .upFront
            account.subscriptions[key]?.renewalPlan = plan
        }
        device.receipt.write(at: now)
        if behavior.sendsAutoRenewChanges { sendStatus(of: key) }
    }

    /// Raises the price of a subscription. Subscribers may have to consent.
    mutating func raisePrice(of productID: String, to price: Decimal, needsConsent: Bool) throws(SimulatorError) {
        guard let product = product(productID) else { throw unknownProduct(productID) }
        guard product.kind == .autoRenewableSubscription else {
            throw SimulatorError(.unsuitableProduct, "\"\(productID)\" isn't a subscription, so it isn't renewed.")
        }
        guard price.isFinite, price > product.price else {
            throw SimulatorError(
                .invalidValue, "\(price) isn't higher than the price of \"\(productID)\", which is \(product.price).")
        }
        setPrice(of: productID, to: price)
        let affected = account.subscriptions.filter { $0.value.productID == productID && $0.value.status != .expired }
            .keys
        for key in affected.sorted(by: { $0.isBefore($1) }) {
            account.subscriptions[key]?.priceIncrease = needsConsent ? .pending : .agreed
            sendStatus(of: key)
        }
        if needsConsent, !affected.isEmpty { show(.priceIncreaseConsent) }
    }

    mutating func answerPriceIncrease(of productID: String, consents: Bool) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        guard account.subscriptions[key]?.priceIncrease == .pending else {
            throw SimulatorError(.noIssue, "No higher price of \"\(productID)\" waits for an answer.")
        }
        guard consents else { return try setAutoRenews(false, productID: productID) }
        account.subscriptions[key]?.priceIncrease = .agreed
        sendStatus(of: key)
    }

    /// Deletes the history and empties the queue.
    mutating func clearTransactions() {
        onEveryDevice { $0.failCalls() }
        remove(queue.known)
        work.removeAll { item in
            if case .request = item.work { false } else { true }
        }
        queue.removeAll()
        account = AccountState()
        unannounced = []
        downloads.discardAll()
        schedule = Schedule()
        onEveryDevice { $0.device.forgetTransactions() }
    }

    /// Resets the behavior and the catalog to those of a catalog. Purchases stay.
    mutating func resetToDefaultState(_ defaultCatalog: SimulatedCatalog) {
        behavior = defaultCatalog.behavior
        scripted = [:]
        scriptedForAny = []
        scriptedListings = [:]
        scriptedCodes = []
        setCatalog(defaultCatalog)
    }

    /// Ends the paid period now.
    mutating func closePeriod(_ key: SubscriptionKey) {
        guard let row = account.subscriptions[key]?.row, let end = account.rows[row].expirationDate, end > now else {
            return
        }
        let date = now
        account.change(row, at: date) { $0.expirationDate = date }
        account.subscriptions[key]?.anchor = now
        account.subscriptions[key]?.periodsSinceAnchor = 0
    }
}
