import Foundation

extension EngineState {
    /// How a subscription stands, as StoreKit 2 sees it now.
    func state(of subscription: SubscriptionState) -> SimulatedSubscriptionStatus.State {
        if isFlickering(subscription) { return .expired }
        if account.rows[subscription.row].isRevoked { return .revoked }
        switch subscription.status {
        case .active: return .subscribed
        case .expired: return .expired
        case .billingRetry: return (subscription.gracePeriodExpirationDate ?? .distantPast) > now ? .inGracePeriod : .inBillingRetry
        }
    }

    private func isFlickering(_ subscription: SubscriptionState) -> Bool {
        subscription.flicker.map { now < $0.end } ?? false
    }

    /// How a subscription continues.
    func renewal(of subscription: SubscriptionState, _ key: SubscriptionKey) -> SimulatedRenewal {
        let row = account.rows[subscription.row]
        var renewal = SimulatedRenewal(
            groupID: key.groupID, productID: subscription.productID, autoRenewPreference: nextProductID(of: subscription),
            originalTransactionID: String(account.rows[row.original].number),
            willAutoRenew: isSetToRenew(subscription), isInBillingRetry: subscription.status == .billingRetry,
            gracePeriodExpirationDate: subscription.gracePeriodExpirationDate, expirationReason: subscription.expirationReason)
        renewal.ownership = key.ownership
        renewal.currencyCode = currencyCode
        renewal.priceIncrease = subscription.priceIncrease
        renewal.eligibleWinBackOfferIDs = eligibleWinBackOffers(for: subscription, key)
        renewal.recentSubscriptionStartDate = subscription.recentStart
        renewal.applicationUsername = row.applicationUsername
        renewal.bundle = membership(of: subscription)
        renewal.willUnbundle = subscription.willUnbundle
        guard subscription.status != .expired else { return renewal }
        renewal.commitment = renewalCommitment(of: subscription)
        guard renewal.willAutoRenew else { return renewal }
        renewal.billingPlan = nextPlan(of: subscription)
        let offer = subscription.offerPeriodsLeft > 0 ? subscription.offer : nil
        renewal.renewalDate = row.expirationDate
        renewal.renewalPrice = offer?.terms.price ?? nextPrice(of: subscription)
        renewal.offer = offer
        return renewal
    }

    /// How a subscription stands.
    func status(of key: SubscriptionKey) -> SimulatedSubscriptionStatus? {
        guard let subscription = account.subscriptions[key] else { return nil }
        return SimulatedSubscriptionStatus(
            state: state(of: subscription), transaction: record(ofRow: seenRow(of: subscription)),
            renewal: seenRenewal(of: subscription, key))
    }

    private func seenRow(of subscription: SubscriptionState) -> Int {
        isFlickering(subscription) ? subscription.flicker?.row ?? subscription.row : subscription.row
    }

    private func seenRenewal(of subscription: SubscriptionState, _ key: SubscriptionKey) -> SimulatedRenewal {
        guard isFlickering(subscription) else { return renewal(of: subscription, key) }
        var seen = subscription
        seen.autoRenews = false
        return renewal(of: seen, key)
    }

    /// How a subscription stands, as StoreKit 2 gets it.
    mutating func signedStatus(of key: SubscriptionKey) -> SimulatedSignedStatus? {
        guard let subscription = account.subscriptions[key] else { return nil }
        let transaction = signed(seenRow(of: subscription))
        let renewal = seenRenewal(of: subscription, key)
        let text = signedText(
            SignedTextKey(
                number: transaction.originalNumber, revision: 0, renewal: renewal, date: now,
                isVerified: !behavior.transactionsAreUnverified, signs: behavior.signsReceipts),
            .renewal(renewal))
        return SimulatedSignedStatus(
            state: state(of: subscription), transaction: transaction, renewal: renewal, originalNumber: transaction.originalNumber,
            renewalText: text)
    }

    /// How the subscriptions of a group stand: the account's own, then the family's.
    mutating func signedStatuses(ofGroup groupID: String) -> [SimulatedSignedStatus] {
        SimulatedOwnership.allCases.compactMap { signedStatus(of: SubscriptionKey(groupID: groupID, ownership: $0)) }
    }

    /// How the subscription stands that a transaction belongs to.
    mutating func signedStatus(ofTransaction number: UInt64) -> SimulatedSignedStatus? {
        guard let row = account.row(number: number), let key = account.rows[row].key else { return nil }
        return signedStatus(of: key)
    }

    /// The groups in which the account has or had a subscription, in order.
    var subscribedGroups: [String] {
        Set(account.subscriptions.keys.map(\.groupID)).sorted()
    }
}
