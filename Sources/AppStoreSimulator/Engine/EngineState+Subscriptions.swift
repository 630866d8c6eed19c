import Foundation

extension EngineState {
    /// Marks the payment for an auto-renewable subscription as paid and reports the entry.
    ///
    /// By Apple's documentation, a higher level of the group begins immediately, and so does an equal level with a
    /// period of the same length. A lower level, or an equal level with another period, begins at the next renewal: the
    /// history doesn't contain it until then, and the existing transaction answers the purchase.
    mutating func subscribe(_ index: Int) {
        let payment = queue[index].payment
        let isFromStoreKit2 = queue[index].isFromStoreKit2
        let terms = terms(of: payment.productID)
        let key = SubscriptionKey(groupID: terms.groupID)
        guard var current = account.subscriptions[key], current.status != .expired, !account.rows[current.row].isRevoked
        else {
            if isFromStoreKit2, behavior.returnsExpiredTransaction, let expired = account.subscriptions[key],
                expired.productID == payment.productID, !account.rows[expired.row].isRevoked
            {
                return answerPurchase(index, withExisting: expired.row)
            }
            beginSubscription(index, terms: terms)
            return report([index])
        }
        let currentTerms = self.terms(of: current.productID)
        let isSame = current.productID == payment.productID
        let isLater =
            terms.groupLevel > currentTerms.groupLevel
            || (terms.groupLevel == currentTerms.groupLevel && !terms.period.isAsLong(as: currentTerms.period))
        guard current.status == .active, isSame || isLater else {
            endUpgradedPeriod(of: current)
            beginSubscription(index, terms: terms, after: current)
            return report([index])
        }
        if isSame, payment.seats != nil { return addSeats(index, key) }
        current.autoRenews = true
        if current.renewalProductID != payment.productID { current.nextOffer = nil }
        current.renewalProductID = payment.productID
        current.renewalPlan = payment.billingPlan ?? (isSame ? current.renewalPlan : .upFront)
        current.nextOffer = redeemedOffer(for: index, terms.billed(current.renewalPlan)) ?? current.nextOffer
        account.subscriptions[key] = current
        sendStatus(of: key)
        if isFromStoreKit2 { return answerPurchase(index, withExisting: current.row) }
        if isSame { return repeatSubscription(index, current) }
        reportLaterChange(index, current)
    }

    /// Answers a payment for a subscription that begins at the next renewal: with the transaction of the paid period,
    /// or with a new one.
    private mutating func reportLaterChange(_ index: Int, _ current: SubscriptionState) {
        let held = account.rows[current.row]
        let isNew = behavior.laterChangesReportNewTransaction
        queue[index].state = .purchased
        queue[index].number = isNew ? makeNumber() : held.number
        queue[index].date = isNew ? now : held.purchaseDate
        queue[index].original = isNew ? nil : current.row
        if !isNew { account.repetitions[current.row, default: []].append(index) }
        report([index])
    }

    /// Returns the catalog's terms of a subscription; by default, a month in a separate group.
    func terms(of productID: String) -> SimulatedSubscription {
        product(productID)?.subscription
            ?? SimulatedSubscription(groupID: productID, period: SimulatedPeriod(1, .month))
    }

    /// Schedules an event of the current period of a subscription.
    mutating func scheduleEvent(_ event: SubscriptionEvent, of key: SubscriptionKey, at date: Date) {
        let generation = account.subscriptions[key]?.generation ?? 0
        schedule.add(.subscription(event, key, generation: generation), at: date)
    }

    /// Performs an event of a subscription, unless the subscription has changed since.
    mutating func perform(_ event: SubscriptionEvent, of key: SubscriptionKey, generation: UInt64) {
        guard let subscription = account.subscriptions[key], subscription.generation == generation else { return }
        switch (event, subscription.status) {
        case (.periodEnds, .active): endPeriod(of: subscription, key)
        case (.gracePeriodEnds, .billingRetry), (.renewalAppears, _): sendStatus(of: key)
        case (.billingRetries, .billingRetry): retryBilling(of: subscription, key)
        case (.billingRetryEnds, .billingRetry): endSubscription(key, reason: .billingError)
        default: break
        }
    }

    /// Renews or ends a subscription at the end of its paid period.
    private mutating func endPeriod(of subscription: SubscriptionState, _ key: SubscriptionKey) {
        if isCommitted(subscription) {
            if behavior.shouldEnterBillingRetryOnRenewal { enterBillingRetry(key) } else { renew(key) }
        } else if !subscription.autoRenews || !sells(subscription.renewalProductID) {
            endSubscription(key, reason: subscription.autoRenews ? .productUnavailable : .autoRenewDisabled)
        } else if subscription.priceIncrease == .pending {
            endSubscription(key, reason: .didNotConsentToPriceIncrease)
        } else if behavior.shouldEnterBillingRetryOnRenewal {
            enterBillingRetry(key)
        } else {
            renew(key)
        }
    }

    /// Pays the next period with a new row in the history and a new transaction for the app.
    mutating func renew(_ key: SubscriptionKey) {
        guard var subscription = account.subscriptions[key] else { return }
        let former = account.rows[subscription.row]
        let isCommitted = isCommitted(subscription)
        let product = nextProductID(of: subscription)
        let plan = nextPlan(of: subscription)
        let (offer, end) = beginPeriod(of: &subscription, product, plan, after: former)
        let commitment = commitment(of: product, plan, after: former.commitment, subscription, offer, end: end)
        let price = committedPrice(of: subscription)
        var payment = SimulatedPayment(productID: product, applicationUsername: former.applicationUsername)
        payment.seats = subscription.seats
        let index = makeEntry(for: payment, phase: .queued)
        let visibleFrom = now.addingTimeInterval(
            subscription.status == .active ? max(0, behavior.renewalVisibilityDelay) : 0)
        subscription.delayedRenewal = visibleFrom > now ? (subscription.row, visibleFrom) : nil
        subscription.row = pay(index, original: former.original) { row in
            row.groupID = key.groupID
            row.ownership = key.ownership
            row.expirationDate = end
            row.isRenewal = true
            row.listedFrom = visibleFrom
            row.billingPlan = plan
            row.commitment = commitment
            row.price = price ?? row.price
            row.apply(offer)
        }
        subscription.productID = product
        subscription.plan = plan
        subscription.status = .active
        subscription.expirationReason = nil
        subscription.gracePeriodExpirationDate = nil
        // Within a commitment, the customer still has to consent to the price of the next commitment.
        if !isCommitted { subscription.priceIncrease = nil }
        subscription.generation += 1
        account.subscriptions[key] = subscription
        scheduleEvent(.periodEnds, of: key, at: end)
        report([index])
        announce(row: subscription.row)
        sendStatus(of: key)
        if visibleFrom > now, isListening(to: .statuses) {
            scheduleEvent(.renewalAppears, of: key, at: visibleFrom)
        }
        renewMembers(of: key)
    }

    /// Advances a subscription to the period that a renewal pays, and returns the period's offer and end.
    private func beginPeriod(
        of subscription: inout SubscriptionState, _ product: String, _ plan: SimulatedBillingPlan,
        after former: HistoryRow
    ) -> (offer: SimulatedTransactionOffer?, end: Date) {
        let start = startOfNextPeriod(of: subscription, product, plan, after: former)
        let isNewCycle =
            product != subscription.productID || plan != subscription.plan || start != former.expirationDate
        var times = 1
        if let offer = subscription.nextOffer, !isCommitted(subscription) {
            (subscription.offer, subscription.nextOffer) = (offer, nil)
            (times, subscription.offerPeriodsLeft) = (offer.periodsOfFirstPayment, offer.furtherPayments)
            (subscription.anchor, subscription.periodsSinceAnchor) = (start, 0)
        } else {
            if isNewCycle || subscription.offerPeriodsLeft == 0 && subscription.offer != nil {
                (subscription.anchor, subscription.periodsSinceAnchor) = (start, 0)
            }
            if isNewCycle || subscription.offerPeriodsLeft == 0 { subscription.offer = nil }
            subscription.offerPeriodsLeft = isNewCycle ? 0 : max(0, subscription.offerPeriodsLeft - 1)
        }
        subscription.periodsSinceAnchor += times
        let period = subscription.offer?.terms.period ?? terms(of: product).billed(plan).period
        let end = subscription.timeRate.end(
            of: period, times: subscription.periodsSinceAnchor, from: subscription.anchor)
        return (subscription.offer, end)
    }

    /// Ends a subscription. A later payment begins a new one.
    mutating func endSubscription(_ key: SubscriptionKey, reason: SimulatedRenewal.ExpirationReason) {
        account.subscriptions[key]?.status = .expired
        account.subscriptions[key]?.autoRenews = false
        account.subscriptions[key]?.expirationReason = reason
        account.subscriptions[key]?.gracePeriodExpirationDate = nil
        account.subscriptions[key]?.priceIncrease = nil
        account.subscriptions[key]?.delayedRenewal = nil
        account.subscriptions[key]?.generation += 1
        device.receipt.write(at: now)
        sendStatus(of: key)
        endMembers(of: key, reason: reason)
        if let subscription = account.subscriptions[key], !eligibleWinBackOffers(for: subscription, key).isEmpty {
            show(.winBackOffer)
        }
    }

    /// Ends the running period of a subscription that another product of its group replaces, with the seats that were
    /// added to the period.
    mutating func endUpgradedPeriod(of subscription: SubscriptionState) {
        guard subscription.status == .active else { return }
        let (date, key) = (now, account.rows[subscription.row].key)
        let running = (account.rowsByProduct[subscription.productID] ?? []).filter { row in
            let history = account.rows[row]
            return history.key == key && history.revocationDate == nil
                && history.expirationDate.map { $0 > date } ?? false
        }
        for row in running {
            account.change(row, at: date) { row in
                row.isUpgraded = true
                row.revocationDate = date
            }
        }
        account.upgraded.append(subscription.row)
    }

    /// Begins a subscription with the payment of an entry.
    mutating func beginSubscription(
        _ index: Int, terms: SimulatedSubscription, after former: SubscriptionState? = nil,
        ownership: SimulatedOwnership = .purchased
    ) {
        let key = SubscriptionKey(groupID: terms.groupID, ownership: ownership)
        let plan = queue[index].payment.billingPlan ?? .upFront
        let offer = ownership == .purchased ? takeOffer(for: index, terms.billed(plan)) : nil
        let end = behavior.timeRate.end(
            of: offer?.terms.period ?? terms.billed(plan).period, times: offer?.periodsOfFirstPayment ?? 1, from: now)
        let known = account.subscriptions[key]
        let commitment = commitment(of: queue[index].payment.productID, plan, after: nil, nil, offer, end: end)
        let row = pay(index, original: former?.row ?? known?.row) { row in
            row.groupID = key.groupID
            row.ownership = ownership
            row.expirationDate = end
            row.billingPlan = plan
            row.commitment = commitment
            if plan == .monthly, let monthlyPlan = terms.monthlyPlan { row.price = monthlyPlan.price }
            row.apply(offer)
        }
        let product = account.rows[row].productID
        var subscription = SubscriptionState(
            productID: product, renewalProductID: product, row: row, anchor: now, periodsSinceAnchor: 1,
            timeRate: behavior.timeRate, recentStart: recentStart(after: known))
        subscription.plan = plan
        subscription.renewalPlan = plan
        subscription.seats = queue[index].payment.seats
        subscription.offer = offer
        subscription.offerPeriodsLeft = offer?.furtherPayments ?? 0
        subscription.generation = (known?.generation ?? 0) + 1
        account.subscriptions[key] = subscription
        scheduleEvent(.periodEnds, of: key, at: end)
        sendStatus(of: key)
        addMembers(of: key)
    }

    /// Returns the `recentSubscriptionStartDate` of a subscription that begins now, by Apple's documentation.
    private func recentStart(after known: SubscriptionState?) -> Date {
        guard let known, let end = account.rows[known.row].expirationDate,
            now.timeIntervalSince(end) <= known.timeRate.interval(days: Self.billingRetryDays)
        else { return now }
        return known.recentStart
    }

    /// Answers a payment for an active subscription. The customer isn't charged, and the period doesn't change.
    private mutating func repeatSubscription(_ index: Int, _ current: SubscriptionState) {
        switch behavior.repeatedPurchaseResult {
        case .restored:
            restore(index, from: current.row)
        case .purchased:
            let former = account.rows[current.row]
            pay(index, original: current.row) { row in
                row.groupID = former.groupID
                row.expirationDate = former.expirationDate
                row.isTrialPeriod = former.isTrialPeriod
                row.isInIntroductoryOfferPeriod = former.isInIntroductoryOfferPeriod
                row.promotionalOfferID = former.promotionalOfferID
                row.offer = former.offer
            }
            report([index])
        }
    }
}
