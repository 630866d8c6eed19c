import Foundation

// A commitment is a yearly subscription with monthly payments. Each month is a separate period. Changes by the customer
// take effect when the commitment ends.
extension EngineState {
    /// The number of billing periods in a commitment.
    static let commitmentPeriods = 12

    /// Returns whether further payments of a commitment follow the paid period.
    func isCommitted(_ subscription: SubscriptionState) -> Bool {
        guard subscription.status != .expired, let commitment = account.rows[subscription.row].commitment else {
            return false
        }
        return !commitment.isLastBillingPeriod
    }

    func nextProductID(of subscription: SubscriptionState) -> String {
        isCommitted(subscription) ? subscription.productID : subscription.renewalProductID
    }

    func nextPlan(of subscription: SubscriptionState) -> SimulatedBillingPlan {
        isCommitted(subscription) ? subscription.plan : planAfterCommitment(of: subscription)
    }

    /// Returns the billing plan after the commitment: monthly only if the product has a monthly plan.
    private func planAfterCommitment(of subscription: SubscriptionState) -> SimulatedBillingPlan {
        terms(of: subscription.renewalProductID).monthlyPlan == nil ? .upFront : subscription.renewalPlan
    }

    /// Returns the price of the next payment, without an offer.
    func nextPrice(of subscription: SubscriptionState) -> Decimal {
        committedPrice(of: subscription) ?? price(of: subscription.renewalProductID)
    }

    /// Returns the monthly price of the next payment; `nil` if the next period is paid up front.
    func committedPrice(of subscription: SubscriptionState) -> Decimal? {
        guard nextPlan(of: subscription) == .monthly else { return nil }
        return terms(of: nextProductID(of: subscription)).monthlyPlan?.price
    }

    /// Returns whether another payment is set to follow. This is always the case within a commitment. In the last
    /// billing period of a canceled commitment, ``SimulatorBehavior/canceledCommitmentAutoRenewsInLastPeriod`` decides.
    func isSetToRenew(_ subscription: SubscriptionState) -> Bool {
        guard subscription.status != .expired, let commitment = account.rows[subscription.row].commitment else {
            return subscription.autoRenews
        }
        return !commitment.isLastBillingPeriod || subscription.autoRenews
            || behavior.canceledCommitmentAutoRenewsInLastPeriod
    }

    /// Returns the renewal information of the commitment; `nil` outside a commitment.
    func renewalCommitment(of subscription: SubscriptionState) -> SimulatedRenewalCommitment? {
        guard let commitment = account.rows[subscription.row].commitment else { return nil }
        let (product, plan) = (subscription.renewalProductID, planAfterCommitment(of: subscription))
        let commitmentPrice = terms(of: product).monthlyPlan?.commitmentPrice
        return SimulatedRenewalCommitment(
            autoRenewPreference: product, willAutoRenew: subscription.autoRenews,
            renewalDate: commitment.expirationDate,
            renewalPrice: plan == .monthly ? commitmentPrice ?? price(of: product) : price(of: product),
            renewalBillingPlan: plan)
    }

    /// Returns the commitment of a period that begins now; `nil` for a period that is paid up front.
    ///
    /// The end of the commitment is counted from the anchor of the periods, so that a late payment moves the end.
    /// - Parameters:
    ///   - former: The commitment of the previous period.
    ///   - subscription: The renewing subscription; `nil` for a new subscription.
    ///   - offer: The offer that is applied to the period.
    ///   - end: The end of the period.
    func commitment(
        of productID: String, _ plan: SimulatedBillingPlan, after former: SimulatedCommitment?,
        _ subscription: SubscriptionState?,
        _ offer: SimulatedTransactionOffer?, end: Date
    ) -> SimulatedCommitment? {
        guard plan == .monthly, let monthlyPlan = terms(of: productID).monthlyPlan else { return nil }
        let continued = former.flatMap { $0.isLastBillingPeriod ? nil : $0 }
        var commitment =
            continued
            ?? SimulatedCommitment(
                billingPeriodNumber: 0, totalBillingPeriods: Self.commitmentPeriods, expirationDate: end,
                price: monthlyPlan.commitmentPrice)
        commitment.billingPeriodNumber += 1
        let left = commitment.totalBillingPeriods - commitment.billingPeriodNumber
        let month = SimulatedSubscription.billingPeriod
        let rate = subscription?.timeRate ?? behavior.timeRate
        if offer == nil {
            commitment.expirationDate = rate.end(
                of: month, times: (subscription?.periodsSinceAnchor ?? 1) + left, from: subscription?.anchor ?? now)
        } else {
            commitment.expirationDate = left == 0 ? end : rate.end(of: month, times: left, from: end)
        }
        return commitment
    }

    func checkMonthlyPlan(of productID: String) throws(SimulatorError) {
        guard terms(of: productID).monthlyPlan(in: catalog.storefront) == nil else { return }
        throw SimulatorError(
            .unknownOffer,
            "The storefront \(catalog.storefront.countryCode) has no monthly plan of \"\(productID)\".")
    }

    /// Sets the billing plan after the next renewal of a subscription or its commitment.
    mutating func setBillingPlan(_ plan: SimulatedBillingPlan, productID: String) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        if plan == .monthly { try checkMonthlyPlan(of: productID) }
        account.subscriptions[key]?.renewalPlan = plan
        account.subscriptions[key]?.autoRenews = true
        sendStatus(of: key)
    }
}
