import Foundation

extension EngineState {
    /// How long the App Store tries to collect the price of a renewal, in days, by Apple's documentation of billing retry.
    static let billingRetryDays = 60.0
    /// The same within a commitment.
    static let commitmentRetryDays = 90.0

    /// Marks the payment for an auto-renewable subscription as paid, and reports it.
    ///
    /// A higher or equal level of the group begins at once; a lower one at the next renewal, until when the history does not have it.
    /// For StoreKit 2 an equal level with another period waits for the renewal, too, and what is owned already is answered with the
    /// transaction that there is.
    mutating func subscribe(_ index: Int) {
        let payment = queue.entries[index].payment
        let isFromStoreKit2 = queue.entries[index].isFromStoreKit2
        let terms = terms(of: payment.productID)
        let key = SubscriptionKey(groupID: terms.groupID)
        guard var current = account.subscriptions[key], current.status != .expired, !account.rows[current.row].isRevoked else {
            if isFromStoreKit2, behavior.returnsExpiredTransaction, let expired = account.subscriptions[key],
                expired.productID == payment.productID, !account.rows[expired.row].isRevoked
            {
                return settle(index, with: expired.row)
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
        current.autoRenews = true
        current.renewalProductID = payment.productID
        current.renewalPlan = payment.billingPlan ?? (isSame ? current.renewalPlan : .upFront)
        account.subscriptions[key] = current
        tellStatus(of: key)
        if isFromStoreKit2 { return settle(index, with: current.row) }
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

    /// What the catalog says about a subscription; a month in a group of its own if it says nothing.
    func terms(of productID: String) -> SimulatedSubscription {
        product(productID)?.subscription
            ?? SimulatedSubscription(groupID: productID, period: SimulatedPeriod(1, .month))
    }

    /// Does what is due when the paid time of a subscription ends.
    mutating func periodEnds(_ key: SubscriptionKey, generation: UInt64) {
        guard let subscription = account.subscriptions[key], subscription.generation == generation, subscription.status == .active
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

    mutating func gracePeriodEnds(_ key: SubscriptionKey, generation: UInt64) {
        guard let subscription = account.subscriptions[key], subscription.generation == generation,
            subscription.status == .billingRetry
        else { return }
        tellStatus(of: key)
    }

    /// Renews a subscription whose price can be collected again, and otherwise tries again a day later.
    mutating func billingRetries(_ key: SubscriptionKey, generation: UInt64) {
        guard let subscription = account.subscriptions[key], subscription.generation == generation,
            subscription.status == .billingRetry
        else { return }
        if !behavior.shouldEnterBillingRetryOnRenewal { return renew(key) }
        schedule.add(
            .billingRetries(key, generation: generation), at: now.addingTimeInterval(behavior.timeRate.interval(days: 1)))
    }

    mutating func billingRetryEnds(_ key: SubscriptionKey, generation: UInt64) {
        guard let subscription = account.subscriptions[key], subscription.generation == generation,
            subscription.status == .billingRetry
        else { return }
        endSubscription(key, reason: .billingError)
    }

    /// Pays the next period: another row in the history, and another transaction for the app.
    mutating func renew(_ key: SubscriptionKey) {
        guard var subscription = account.subscriptions[key] else { return }
        let former = account.rows[subscription.row]
        let isCommitted = isCommitted(subscription)
        let product = nextProductID(of: subscription)
        let plan = nextPlan(of: subscription)
        let terms = terms(of: product)
        if product != subscription.productID || plan != subscription.plan || subscription.status != .active || now != former.expirationDate
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
        let index = makeEntry(
            for: SimulatedPayment(productID: product, applicationUsername: former.applicationUsername))
        queue.update(index) { $0.phase = .queued }
        let seenFrom = now.addingTimeInterval(subscription.status == .active ? max(0, behavior.renewalVisibilityDelay) : 0)
        subscription.flicker = seenFrom > now ? (subscription.row, seenFrom) : nil
        subscription.row = pay(index, original: former.original) { row in
            row.group = key.groupID
            row.ownership = key.ownership
            row.expirationDate = end
            row.isRenewal = true
            row.listedFrom = seenFrom
            row.billingPlan = plan
            row.commitment = commitment
            row.price = price ?? row.price
            row.mark(offer)
        }
        subscription.productID = product
        subscription.plan = plan
        subscription.status = .active
        subscription.expirationReason = nil
        subscription.gracePeriodExpirationDate = nil
        // Within a commitment, the customer still has to agree to the price of the next one.
        if !isCommitted { subscription.priceIncrease = nil }
        subscription.generation += 1
        account.subscriptions[key] = subscription
        schedule.add(.periodEnds(key, generation: subscription.generation), at: end)
        report([index])
        announce(row: subscription.row)
        tellStatus(of: key)
        if seenFrom > now, isListening(to: .statuses) {
            schedule.add(.flickerEnds(key, generation: subscription.generation), at: seenFrom)
        }
        renewMembers(of: key)
    }

    mutating func flickerEnds(_ key: SubscriptionKey, generation: UInt64) {
        guard account.subscriptions[key]?.generation == generation else { return }
        tellStatus(of: key)
    }

    /// Ends a subscription for good; a payment begins a new one.
    mutating func endSubscription(_ key: SubscriptionKey, reason: SimulatedRenewal.ExpirationReason) {
        account.subscriptions[key]?.status = .expired
        account.subscriptions[key]?.autoRenews = false
        account.subscriptions[key]?.expirationReason = reason
        account.subscriptions[key]?.gracePeriodExpirationDate = nil
        account.subscriptions[key]?.priceIncrease = nil
        account.subscriptions[key]?.flicker = nil
        account.subscriptions[key]?.generation += 1
        device.receipt.write(at: now)
        tellStatus(of: key)
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
        // There is no billing grace period for commitments.
        let isCommitment = account.rows[subscription.row].commitment != nil
        if behavior.billingGracePeriodIsEnabled, !isCommitment {
            let period = terms(of: subscription.productID).period
            // Six days for weekly subscriptions, sixteen for longer ones, by Apple's documentation of the billing grace period.
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
        tellStatus(of: key)
        retryMembers(of: key)
        show(.billingIssue)
    }

    /// Begins a subscription with the payment of an entry.
    mutating func beginSubscription(
        _ index: Int, terms: SimulatedSubscription, after former: SubscriptionState? = nil, ownership: SimulatedOwnership = .purchased
    ) {
        let key = SubscriptionKey(groupID: terms.groupID, ownership: ownership)
        let plan = queue.entries[index].payment.billingPlan ?? .upFront
        let offer = ownership == .purchased ? takeOffer(for: index, terms.billed(plan)) : nil
        // Free time and time paid in advance are one long period; only what is paid as one goes is split.
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
            row.mark(offer)
        }
        let product = account.rows[row].productID
        var subscription = SubscriptionState(
            productID: product, renewalProductID: product, row: row, anchor: now, periodsSinceAnchor: 1,
            recentStart: recentStart(after: known))
        subscription.plan = plan
        subscription.renewalPlan = plan
        subscription.offer = offer
        subscription.offerPeriodsLeft = left
        subscription.generation = (known?.generation ?? 0) + 1
        account.subscriptions[key] = subscription
        schedule.add(.periodEnds(key, generation: subscription.generation), at: end)
        tellStatus(of: key)
        addMembers(of: key)
    }

    /// When a subscription that begins now began, by Apple's documentation of `recentSubscriptionStartDate`.
    private func recentStart(after known: SubscriptionState?) -> Date {
        guard let known, let end = account.rows[known.row].expirationDate,
            now.timeIntervalSince(end) <= behavior.timeRate.interval(days: Self.billingRetryDays)
        else { return now }
        return known.recentStart
    }

    /// Answers a payment for a subscription that is already active: nothing is paid, and its period does not change.
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
    /// The subscription whose period it is.
    var key: SubscriptionKey? {
        group.map { SubscriptionKey(groupID: $0, ownership: ownership) }
    }

    /// Records the offer at whose price the row was paid.
    mutating func mark(_ offer: SimulatedTransactionOffer?) {
        if ownership != .purchased { price = 0 }
        guard let offer else { return }
        self.offer = offer
        price = offer.terms.price
        promotionalOfferID = offer.kind == .promotional ? offer.terms.id : nil
        isTrialPeriod = offer.terms.paymentMode == .freeTrial
        isInIntroductoryOfferPeriod = offer.kind == .introductory && offer.terms.paymentMode != .freeTrial
    }
}
