import Foundation

extension EngineState {
    /// Returns the current StoreKit 2 state of a subscription.
    func state(of subscription: SubscriptionState) -> SimulatedSubscriptionStatus.State {
        if isRenewalHidden(subscription) { return .expired }
        if account.rows[subscription.row].isRevoked { return .revoked }
        switch subscription.status {
        case .active: return .subscribed
        case .expired: return .expired
        case .billingRetry: return isInGracePeriod(subscription) ? .inGracePeriod : .inBillingRetry
        }
    }

    private func isRenewalHidden(_ subscription: SubscriptionState) -> Bool {
        subscription.delayedRenewal.map { now < $0.end } ?? false
    }

    func renewal(of subscription: SubscriptionState, _ key: SubscriptionKey) -> SimulatedRenewal {
        let row = account.rows[subscription.row]
        var renewal = SimulatedRenewal(
            groupID: key.groupID, productID: subscription.productID,
            autoRenewPreference: nextProductID(of: subscription),
            originalTransactionID: String(account.rows[row.original].number),
            willAutoRenew: isSetToRenew(subscription), isInBillingRetry: subscription.status == .billingRetry,
            gracePeriodExpirationDate: subscription.gracePeriodExpirationDate,
            expirationReason: subscription.expirationReason)
        renewal.latestTransactionID = String(row.number)
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
        renewal.seats = subscription.seats
        let next = isCommitted(subscription) ? nil : subscription.nextOffer
        let offer = next ?? (subscription.offerPeriodsLeft > 0 ? subscription.offer : nil)
        renewal.renewalDate = row.expirationDate
        renewal.renewalPrice = offer?.terms.price ?? nextPrice(of: subscription)
        renewal.offer = offer
        return renewal
    }

    func status(of key: SubscriptionKey) -> SimulatedSubscriptionStatus? {
        guard let subscription = account.subscriptions[key] else { return nil }
        return SimulatedSubscriptionStatus(
            state: state(of: subscription), transaction: record(ofRow: visibleRow(of: subscription)),
            renewal: visibleRenewal(of: subscription, key))
    }

    private func visibleRow(of subscription: SubscriptionState) -> Int {
        isRenewalHidden(subscription) ? subscription.delayedRenewal?.row ?? subscription.row : subscription.row
    }

    private func visibleRenewal(of subscription: SubscriptionState, _ key: SubscriptionKey) -> SimulatedRenewal {
        guard isRenewalHidden(subscription) else { return renewal(of: subscription, key) }
        var seen = subscription
        seen.autoRenews = false
        return renewal(of: seen, key)
    }

    mutating func signedStatus(of key: SubscriptionKey) -> SimulatedSignedStatus? {
        guard let subscription = account.subscriptions[key] else { return nil }
        let transaction = signed(visibleRow(of: subscription))
        let renewal = visibleRenewal(of: subscription, key)
        let textKey = SignedTextKey(
            number: transaction.originalNumber, revision: 0, subject: .renewal(renewal),
            date: signatureDate(of: renewal, key))
        return SimulatedSignedStatus(
            state: state(of: subscription), transaction: transaction, renewal: renewal,
            renewalText: signedText(textKey, .renewal(renewal)))
    }

    /// Returns the date of a signature of renewal information, which is later than every signature with other contents.
    private mutating func signatureDate(of renewal: SimulatedRenewal, _ key: SubscriptionKey) -> Date {
        let known = account.signedRenewals[key]
        if let known, known.renewal == renewal { return max(now, known.from) }
        let date = known.map { max(now, $0.from).nextMillisecond } ?? now
        account.signedRenewals[key] = (renewal, date)
        return date
    }

    /// Returns the statuses of a group's subscriptions: the account's own subscription, then that of the family.
    mutating func signedStatuses(ofGroup groupID: String) -> [SimulatedSignedStatus] {
        SimulatedOwnership.allCases.compactMap { signedStatus(of: SubscriptionKey(groupID: groupID, ownership: $0)) }
    }

    /// Returns the status of the subscription that a transaction belongs to.
    mutating func signedStatus(ofTransaction number: UInt64) -> SimulatedSignedStatus? {
        guard let row = account.row(number: number), let key = account.rows[row].key else { return nil }
        return signedStatus(of: key)
    }

    /// The groups in which the account has or had a subscription, in order.
    var subscribedGroups: [String] {
        Set(account.subscriptions.keys.map(\.groupID)).sorted()
    }
}
