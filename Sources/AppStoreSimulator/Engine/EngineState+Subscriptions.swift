import Foundation

extension EngineState {
    /// How long the App Store tries to collect the price of a renewal, in days, by Apple's documentation of billing retry.
    static let billingRetryDays = 60.0

    /// Marks the payment for an auto-renewable subscription as paid, and reports it.
    ///
    /// A higher or equal level of the group begins at once; a lower one at the next renewal, until when the history does not have it.
    mutating func subscribe(_ index: Int) {
        let payment = queue.entries[index].payment
        let terms = terms(of: payment.productID)
        guard var current = account.subscriptions[terms.groupID], current.status != .expired else {
            beginSubscription(index, terms: terms, discount: payment.discount?.offerID)
            return report([index])
        }
        if current.productID == payment.productID, current.status == .active {
            current.autoRenews = true
            current.renewalProductID = payment.productID
            account.subscriptions[terms.groupID] = current
            return repeatSubscription(index, current)
        }
        if terms.groupLevel > self.terms(of: current.productID).groupLevel, current.status == .active {
            current.autoRenews = true
            current.renewalProductID = payment.productID
            account.subscriptions[terms.groupID] = current
            let number = makeNumber()
            let date = now
            queue.update(index) { entry in
                entry.state = .purchased
                entry.number = number
                entry.date = date
            }
            return report([index])
        }
        if current.status == .active {
            account.rows[current.row].isUpgraded = true
            account.rows[current.row].revocationDate = now
        }
        beginSubscription(index, terms: terms, discount: payment.discount?.offerID, after: current)
        report([index])
    }

    /// What the catalog says about a subscription; a month in a group of its own if it says nothing.
    func terms(of productID: String) -> SimulatedSubscription {
        product(productID)?.subscription
            ?? SimulatedSubscription(groupID: productID, period: SimulatedPeriod(1, .month))
    }

    /// Does what is due when the paid time of a subscription ends.
    mutating func periodEnds(group: String, generation: UInt64) {
        guard let subscription = account.subscriptions[group], subscription.generation == generation, subscription.status == .active
        else { return }
        if !subscription.autoRenews || !sells(subscription.renewalProductID) {
            endSubscription(group: group, reason: subscription.autoRenews ? .productUnavailable : .autoRenewDisabled)
        } else if behavior.shouldEnterBillingRetryOnRenewal {
            enterBillingRetry(group: group)
        } else {
            renew(group: group)
        }
    }

    mutating func billingRetryEnds(group: String, generation: UInt64) {
        guard let subscription = account.subscriptions[group], subscription.generation == generation,
            subscription.status == .billingRetry
        else { return }
        endSubscription(group: group, reason: .billingError)
    }

    /// Pays the next period: another row in the history, and another transaction for the app.
    mutating func renew(group: String) {
        guard var subscription = account.subscriptions[group] else { return }
        let former = account.rows[subscription.row]
        let product = subscription.renewalProductID
        let terms = terms(of: product)
        if product != subscription.productID || subscription.status != .active || now != former.expirationDate {
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
            of: offer?.period ?? terms.period, times: subscription.periodsSinceAnchor, from: subscription.anchor)
        let index = queue.makeEntry(
            for: SimulatedPayment(productID: product, applicationUsername: former.applicationUsername))
        queue.update(index) { $0.phase = .queued }
        subscription.row = pay(index, original: former.original) { row in
            row.group = group
            row.expirationDate = end
            row.mark(offer)
        }
        subscription.productID = product
        subscription.status = .active
        subscription.expirationReason = nil
        subscription.gracePeriodExpirationDate = nil
        subscription.generation += 1
        account.subscriptions[group] = subscription
        schedule.add(.periodEnds(group: group, generation: subscription.generation), at: end)
        report([index])
    }

    /// Ends a subscription for good; a payment begins a new one.
    mutating func endSubscription(group: String, reason: SimulatedRenewal.ExpirationReason) {
        account.subscriptions[group]?.status = .expired
        account.subscriptions[group]?.autoRenews = false
        account.subscriptions[group]?.expirationReason = reason
        account.subscriptions[group]?.gracePeriodExpirationDate = nil
        account.subscriptions[group]?.generation += 1
        account.receipt.write(at: now)
    }

    private mutating func enterBillingRetry(group: String) {
        guard var subscription = account.subscriptions[group] else { return }
        subscription.status = .billingRetry
        subscription.expirationReason = .billingError
        subscription.generation += 1
        if behavior.billingGracePeriodIsEnabled {
            let period = terms(of: subscription.productID).period
            // Six days for weekly subscriptions, sixteen for longer ones, by Apple's documentation of the billing grace period.
            let isShort = period.unit == .day || (period.unit == .week && period.numberOfUnits <= 1)
            subscription.gracePeriodExpirationDate = now.addingTimeInterval(behavior.timeRate.interval(days: isShort ? 6 : 16))
        }
        account.subscriptions[group] = subscription
        account.receipt.write(at: now)
        schedule.add(
            .billingRetryEnds(group: group, generation: subscription.generation),
            at: now.addingTimeInterval(behavior.timeRate.interval(days: Self.billingRetryDays)))
    }

    private mutating func beginSubscription(
        _ index: Int, terms: SimulatedSubscription, discount: String?, after former: SubscriptionState? = nil
    ) {
        let group = terms.groupID
        var offer = terms.promotionalOffers.first { $0.id == discount && discount != nil }
        if offer == nil, let introduction = terms.introductoryOffer, account.groupsWithUsedIntroduction.insert(group).inserted {
            offer = introduction
        }
        // Free time and time paid in advance are one long period; only what is paid as one goes is split.
        var times = 1
        var left = 0
        if let offer, offer.paymentMode == .payAsYouGo {
            left = max(0, offer.numberOfPeriods - 1)
        } else if let offer {
            times = offer.numberOfPeriods
        }
        let end = behavior.timeRate.end(of: offer?.period ?? terms.period, times: times, from: now)
        let row = pay(index, original: former?.row ?? account.subscriptions[group]?.row) { row in
            row.group = group
            row.expirationDate = end
            row.mark(offer)
        }
        let product = account.rows[row].productID
        var subscription = SubscriptionState(
            productID: product, renewalProductID: product, row: row, anchor: now, periodsSinceAnchor: 1)
        subscription.offer = offer
        subscription.offerPeriodsLeft = left
        subscription.generation = (account.subscriptions[group]?.generation ?? 0) + 1
        account.subscriptions[group] = subscription
        schedule.add(.periodEnds(group: group, generation: subscription.generation), at: end)
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
            }
            report([index])
        }
    }
}

extension HistoryRow {
    /// Records the offer at whose price the row was paid.
    mutating func mark(_ offer: SimulatedSubscription.Offer?) {
        guard let offer else { return }
        promotionalOfferID = offer.id
        isTrialPeriod = offer.paymentMode == .freeTrial
        isInIntroductoryOfferPeriod = offer.id == nil && offer.paymentMode != .freeTrial
    }
}
