import Foundation

extension EngineState {
    /// The duration of billing retry in days, by Apple's documentation.
    static let billingRetryDays = 60.0
    /// The duration of billing retry within a commitment, in days.
    static let commitmentRetryDays = 90.0

    /// Marks the payment for an auto-renewable subscription as paid and reports the entry.
    ///
    /// A higher or equal level of the group begins immediately. A lower level begins at the next renewal, and the
    /// history doesn't contain it until then. Over StoreKit 2, an equal level with another period also begins at the
    /// renewal, and the existing transaction answers the purchase of an owned subscription.
    mutating func subscribe(_ index: Int) {
        let payment = queue.entries[index].payment
        let isFromStoreKit2 = queue.entries[index].isFromStoreKit2
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
        let isLower =
            terms.groupLevel > currentTerms.groupLevel
            || (isFromStoreKit2 && terms.groupLevel == currentTerms.groupLevel && terms.period != currentTerms.period)
        guard current.status == .active, isSame || isLower else {
            if current.status == .active {
                let date = now
                account.change(current.row, at: now) { row in
                    row.isUpgraded = true
                    row.revocationDate = date
                }
                account.upgraded.append(current.row)
            }
            beginSubscription(index, terms: terms, after: current)
            return report([index])
        }
        if isSame, payment.seats != nil { return addSeats(index, key) }
        current.autoRenews = true
        current.renewalProductID = payment.productID
        current.renewalPlan = payment.billingPlan ?? (isSame ? current.renewalPlan : .upFront)
        account.subscriptions[key] = current
        sendStatus(of: key)
        if isFromStoreKit2 { return answerPurchase(index, withExisting: current.row) }
        if isSame { return repeatSubscription(index, current) }
        let number = makeNumber()
        let date = now
        queue.update(index) { entry in
            entry.state = .purchased
            entry.number = number
            entry.date = date
        }
        report([index])
    }

    /// Returns the catalog's terms of a subscription; by default, a month in a separate group.
    func terms(of productID: String) -> SimulatedSubscription {
        product(productID)?.subscription
            ?? SimulatedSubscription(groupID: productID, period: SimulatedPeriod(1, .month))
    }

    /// Renews or ends a subscription at the end of its paid period.
    mutating func handlePeriodEnd(_ key: SubscriptionKey, generation: UInt64) {
        guard let subscription = account.subscriptions[key], subscription.generation == generation,
            subscription.status == .active
        else { return }
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

    mutating func handleGracePeriodEnd(_ key: SubscriptionKey, generation: UInt64) {
        guard let subscription = account.subscriptions[key], subscription.generation == generation,
            subscription.status == .billingRetry
        else { return }
        sendStatus(of: key)
    }

    /// Renews a subscription if payments succeed again, and otherwise retries a day later.
    mutating func handleBillingRetry(_ key: SubscriptionKey, generation: UInt64) {
        guard let subscription = account.subscriptions[key], subscription.generation == generation,
            subscription.status == .billingRetry
        else { return }
        if !behavior.shouldEnterBillingRetryOnRenewal { return renew(key) }
        schedule.add(
            .billingRetries(key, generation: generation),
            at: now.addingTimeInterval(behavior.timeRate.interval(days: 1)))
    }

    mutating func handleBillingRetryEnd(_ key: SubscriptionKey, generation: UInt64) {
        guard let subscription = account.subscriptions[key], subscription.generation == generation,
            subscription.status == .billingRetry
        else { return }
        endSubscription(key, reason: .billingError)
    }

    /// Pays the next period with a new row in the history and a new transaction for the app.
    mutating func renew(_ key: SubscriptionKey) {
        guard var subscription = account.subscriptions[key] else { return }
        let former = account.rows[subscription.row]
        let isCommitted = isCommitted(subscription)
        let product = nextProductID(of: subscription)
        let plan = nextPlan(of: subscription)
        let terms = terms(of: product)
        if product != subscription.productID || plan != subscription.plan || subscription.status != .active
            || now != former.expirationDate
        {
            subscription.anchor = now
            subscription.periodsSinceAnchor = 0
            subscription.offerPeriodsLeft = 0
        }
        let offer = subscription.offerPeriodsLeft > 0 ? subscription.offer : nil
        if subscription.offer != nil, offer == nil {
            subscription.offer = nil
            subscription.anchor = now
            subscription.periodsSinceAnchor = 0
        }
        subscription.offerPeriodsLeft = max(0, subscription.offerPeriodsLeft - 1)
        subscription.periodsSinceAnchor += 1
        let end = behavior.timeRate.end(
            of: offer?.terms.period ?? terms.billed(plan).period, times: subscription.periodsSinceAnchor,
            from: subscription.anchor)
        let commitment = commitment(of: product, plan, after: former.commitment, subscription, offer, end: end)
        let price = committedPrice(of: subscription)
        var payment = SimulatedPayment(productID: product, applicationUsername: former.applicationUsername)
        payment.seats = subscription.seats
        let index = makeEntry(for: payment)
        queue.update(index) { $0.phase = .queued }
        let visibleFrom = now.addingTimeInterval(
            subscription.status == .active ? max(0, behavior.renewalVisibilityDelay) : 0)
        subscription.delayedRenewal = visibleFrom > now ? (subscription.row, visibleFrom) : nil
        subscription.row = pay(index, original: former.original) { row in
            row.group = key.groupID
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
        schedule.add(.periodEnds(key, generation: subscription.generation), at: end)
        report([index])
        announce(row: subscription.row)
        sendStatus(of: key)
        if visibleFrom > now, isListening(to: .statuses) {
            schedule.add(.renewalAppears(key, generation: subscription.generation), at: visibleFrom)
        }
        renewMembers(of: key)
    }

    mutating func handleRenewalAppearance(_ key: SubscriptionKey, generation: UInt64) {
        guard account.subscriptions[key]?.generation == generation else { return }
        sendStatus(of: key)
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

    private mutating func enterBillingRetry(_ key: SubscriptionKey) {
        guard var subscription = account.subscriptions[key] else { return }
        subscription.status = .billingRetry
        subscription.expirationReason = .billingError
        subscription.generation += 1
        // Commitments have no billing grace period.
        let isCommitment = account.rows[subscription.row].commitment != nil
        if behavior.billingGracePeriodIsEnabled, !isCommitment {
            let period = terms(of: subscription.productID).period
            // Apple's documentation: six days for weekly subscriptions, sixteen days for longer periods.
            let isShort = period.unit == .day || (period.unit == .week && period.numberOfUnits <= 1)
            let end = now.addingTimeInterval(behavior.timeRate.interval(days: isShort ? 6 : 16))
            subscription.gracePeriodExpirationDate = end
            schedule.add(.gracePeriodEnds(key, generation: subscription.generation), at: end)
        }
        account.subscriptions[key] = subscription
        device.receipt.write(at: now)
        schedule.add(
            .billingRetries(key, generation: subscription.generation),
            at: now.addingTimeInterval(behavior.timeRate.interval(days: 1)))
        schedule.add(
            .billingRetryEnds(key, generation: subscription.generation),
            at: now.addingTimeInterval(
                behavior.timeRate.interval(days: isCommitment ? Self.commitmentRetryDays : Self.billingRetryDays)))
        sendStatus(of: key)
        retryMembers(of: key)
        show(.billingIssue)
    }

    /// Begins a subscription with the payment of an entry.
    mutating func beginSubscription(
        _ index: Int, terms: SimulatedSubscription, after former: SubscriptionState? = nil,
        ownership: SimulatedOwnership = .purchased
    ) {
        let key = SubscriptionKey(groupID: terms.groupID, ownership: ownership)
        let plan = queue.entries[index].payment.billingPlan ?? .upFront
        let offer = ownership == .purchased ? takeOffer(for: index, terms.billed(plan)) : nil
        // A free trial and an offer that is paid up front are one long period; a pay-as-you-go offer has several
        // periods.
        var times = 1
        var left = 0
        if let offer, offer.terms.paymentMode == .payAsYouGo {
            left = max(0, offer.terms.numberOfPeriods - 1)
        } else if let offer {
            times = offer.terms.numberOfPeriods
        }
        let end = behavior.timeRate.end(of: offer?.terms.period ?? terms.billed(plan).period, times: times, from: now)
        let known = account.subscriptions[key]
        let commitment = commitment(of: queue.entries[index].payment.productID, plan, after: nil, nil, offer, end: end)
        let row = pay(index, original: former?.row ?? known?.row) { row in
            row.group = key.groupID
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
            recentStart: recentStart(after: known))
        subscription.plan = plan
        subscription.renewalPlan = plan
        subscription.seats = queue.entries[index].payment.seats
        subscription.offer = offer
        subscription.offerPeriodsLeft = left
        subscription.generation = (known?.generation ?? 0) + 1
        account.subscriptions[key] = subscription
        schedule.add(.periodEnds(key, generation: subscription.generation), at: end)
        sendStatus(of: key)
        addMembers(of: key)
    }

    /// Returns the `recentSubscriptionStartDate` of a subscription that begins now, by Apple's documentation.
    private func recentStart(after known: SubscriptionState?) -> Date {
        guard let known, let end = account.rows[known.row].expirationDate,
            now.timeIntervalSince(end) <= behavior.timeRate.interval(days: Self.billingRetryDays)
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
                row.group = former.group
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

extension HistoryRow {
    /// The subscription that the row's period belongs to.
    var key: SubscriptionKey? {
        group.map { SubscriptionKey(groupID: $0, ownership: ownership) }
    }

    /// Applies an offer to the row.
    mutating func apply(_ offer: SimulatedTransactionOffer?) {
        if ownership != .purchased { price = 0 }
        guard let offer else { return }
        self.offer = offer
        price = offer.terms.price
        promotionalOfferID = offer.kind == .promotional ? offer.terms.id : nil
        isTrialPeriod = offer.terms.paymentMode == .freeTrial
        isInIntroductoryOfferPeriod = offer.kind == .introductory && offer.terms.paymentMode != .freeTrial
    }
}
