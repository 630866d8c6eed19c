import Foundation

// A commitment: a subscription of a year that is paid monthly. Each month is a period of its own; what the customer
// changes takes effect when the commitment ends.
extension EngineState {
    /// The number of billing periods in a commitment.
    static let commitmentPeriods = 12

    /// Whether more payments of a commitment follow the paid period.
    func isCommitted(_ subscription: SubscriptionState) -> Bool {
        guard subscription.status != .expired, let commitment = account.rows[subscription.row].commitment else {
            return false
        }
        return !commitment.isLastBillingPeriod
    }

    /// The product of the next period.
    func nextProductID(of subscription: SubscriptionState) -> String {
        isCommitted(subscription) ? subscription.productID : subscription.renewalProductID
    }

    /// The billing plan of the next period.
    func nextPlan(of subscription: SubscriptionState) -> SimulatedBillingPlan {
        isCommitted(subscription) ? subscription.plan : planAfterCommitment(of: subscription)
    }

    /// The billing plan that follows the commitment: monthly only if the product has the plan.
    private func planAfterCommitment(of subscription: SubscriptionState) -> SimulatedBillingPlan {
        terms(of: subscription.renewalProductID).monthlyPlan == nil ? .upFront : subscription.renewalPlan
    }

    /// The price of the next payment, without an offer.
    func nextPrice(of subscription: SubscriptionState) -> Decimal {
        committedPrice(of: subscription) ?? price(of: subscription.renewalProductID)
    }

    /// The monthly price of the next payment; `nil` if the next period is paid up front.
    func committedPrice(of subscription: SubscriptionState) -> Decimal? {
        guard nextPlan(of: subscription) == .monthly else { return nil }
        return terms(of: nextProductID(of: subscription)).monthlyPlan?.price
    }

    /// Whether another payment is set to follow. Within a commitment it always is; in the last billing period of a
    /// commitment that doesn't renew, ``SimulatorBehavior/canceledCommitmentAutoRenewsInLastPeriod`` decides.
    func isSetToRenew(_ subscription: SubscriptionState) -> Bool {
        guard subscription.status != .expired, let commitment = account.rows[subscription.row].commitment else {
            return subscription.autoRenews
        }
        return !commitment.isLastBillingPeriod || subscription.autoRenews
            || behavior.canceledCommitmentAutoRenewsInLastPeriod
    }

    /// How the commitment continues; `nil` outside a commitment.
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

    /// The commitment of a period that begins now; `nil` for a period that is paid up front.
    ///
    /// The end of the commitment is counted from the anchor of the periods, so that a payment that is collected late
    /// moves it.
    /// - Parameters:
    ///   - former: The commitment of the period before.
    ///   - subscription: The subscription that renews; `nil` for one that begins.
    ///   - offer: The offer at whose price the period is paid.
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
        if offer == nil {
            commitment.expirationDate = behavior.timeRate.end(
                of: month, times: (subscription?.periodsSinceAnchor ?? 1) + left, from: subscription?.anchor ?? now)
        } else {
            commitment.expirationDate = left == 0 ? end : behavior.timeRate.end(of: month, times: left, from: end)
        }
        return commitment
    }

    /// Checks that the storefront has the monthly plan of a product.
    func checkMonthlyPlan(of productID: String) throws(SimulatorError) {
        guard terms(of: productID).monthlyPlan(in: catalog.storefront) == nil else { return }
        throw SimulatorError(.unknownOffer, "The storefront has no monthly plan of \"\(productID)\".")
    }

    /// Sets how a subscription is billed when it renews, or when its commitment renews.
    mutating func setBillingPlan(_ plan: SimulatedBillingPlan, productID: String) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        if plan == .monthly { try checkMonthlyPlan(of: productID) }
        account.subscriptions[key]?.renewalPlan = plan
        account.subscriptions[key]?.autoRenews = true
        tellStatus(of: key)
    }
}
