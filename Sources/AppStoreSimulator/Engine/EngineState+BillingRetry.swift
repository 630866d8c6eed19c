import Foundation

// Billing retry begins when the payment of a renewal fails. The billing grace period is its beginning.
extension EngineState {
    /// The duration of billing retry in days, by Apple's documentation.
    static let billingRetryDays = 60.0
    /// The duration of billing retry within a commitment, in days.
    static let commitmentRetryDays = 90.0

    mutating func enterBillingRetry(_ key: SubscriptionKey) {
        guard var subscription = account.subscriptions[key] else { return }
        subscription.status = .billingRetry
        subscription.expirationReason = .billingError
        subscription.generation += 1
        // Commitments have no billing grace period.
        let isCommitment = account.rows[subscription.row].commitment != nil
        if behavior.billingGracePeriodIsEnabled, !isCommitment {
            let days = gracePeriodDays(of: terms(of: subscription.productID).period)
            subscription.gracePeriodExpirationDate = date(inDays: days, of: subscription)
        }
        account.subscriptions[key] = subscription
        device.receipt.write(at: now)
        if let end = subscription.gracePeriodExpirationDate { scheduleEvent(.gracePeriodEnds, of: key, at: end) }
        scheduleEvent(.billingRetries, of: key, at: date(inDays: 1, of: subscription))
        scheduleEvent(
            .billingRetryEnds, of: key,
            at: date(inDays: isCommitment ? Self.commitmentRetryDays : Self.billingRetryDays, of: subscription))
        sendStatus(of: key)
        retryMembers(of: key)
        show(.billingIssue)
    }

    private func date(inDays days: Double, of subscription: SubscriptionState) -> Date {
        now.addingTimeInterval(subscription.timeRate.interval(days: days))
    }

    /// Returns the length of the grace period. Apple's documentation: at most six days for a weekly subscription.
    private func gracePeriodDays(of period: SimulatedPeriod) -> Double {
        let days = Double(behavior.billingGracePeriodDuration.rawValue)
        let isWeekly = period.unit == .day || (period.unit == .week && period.numberOfUnits <= 1)
        return isWeekly ? min(days, 6) : days
    }

    func isInGracePeriod(_ subscription: SubscriptionState) -> Bool {
        subscription.status == .billingRetry && (subscription.gracePeriodExpirationDate ?? .distantPast) > now
    }

    /// Returns the start of the period that a renewal pays.
    ///
    /// By Apple's documentation, the days of a grace period are days of paid service, so a payment in the grace period
    /// continues the billing cycle. A later payment, or one without a grace period, begins a new cycle on the day of
    /// the payment.
    func startOfNextPeriod(
        of subscription: SubscriptionState, _ product: String, _ plan: SimulatedBillingPlan, after former: HistoryRow
    ) -> Date {
        guard isInGracePeriod(subscription), let start = former.expirationDate else { return now }
        // A grace period is shorter than the period, except for lengths that the App Store doesn't have.
        let end = subscription.timeRate.end(of: terms(of: product).billed(plan).period, times: 1, from: start)
        return end > now ? start : now
    }

    /// Renews a subscription if payments succeed again, and otherwise retries a day later. A customer who has turned
    /// off renewal isn't charged.
    mutating func retryBilling(of subscription: SubscriptionState, _ key: SubscriptionKey) {
        if isSetToRenew(subscription) {
            if !behavior.shouldEnterBillingRetryOnRenewal { return renew(key) }
        } else if !isInGracePeriod(subscription) {
            return endSubscription(key, reason: .autoRenewDisabled)
        }
        scheduleEvent(.billingRetries, of: key, at: date(inDays: 1, of: subscription))
    }
}
