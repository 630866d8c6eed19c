public import Foundation

// Controls that name a product act on the purchase that one means: approving, declining and resolving on the oldest that waits for
// it, refunding on the latest. Controls that name a transaction take the `id` of a `SimulatedHistoryRecord` or `SimulatedTransaction`.
extension SimulatedAppStore {
    /// The history of the account: everything that was paid, and payments that wait for an approval or were interrupted.
    public func allTransactions() -> [SimulatedHistoryRecord] {
        withEngine { $0.history }
    }

    /// The transaction to which the App Store has given this identifier.
    public func transaction(withID transactionID: String) -> SimulatedHistoryRecord? {
        withEngine { engine in engine.account.row(transactionID: transactionID).map { engine.record(ofRow: $0) } }
    }

    /// How every subscription that the account has or had continues, by group.
    public func allRenewals() -> [SimulatedRenewal] {
        withEngine { $0.renewals }
    }

    /// Sets the outcome of the next purchase, or of the next purchase of one product.
    ///
    /// A second call sets the outcome of the purchase after it. Outcomes for one product take precedence over outcomes for any.
    public func setNextPurchaseOutcome(_ outcome: SimulatedOutcome, for productID: String? = nil) {
        mutate { engine in
            if let productID {
                engine.scripted[productID, default: FIFO()].append(outcome)
            } else {
                engine.scriptedForAny.append(outcome)
            }
        }
    }

    /// Approves the oldest purchase of a product that waits for it: it is paid, in whatever launch is current.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func approvePurchase(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in
            try engine.answerApproval(try engine.awaitingApproval(productID), approves: true)
        }
    }

    /// Declines the oldest purchase of a product that waits for an approval: it fails.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func declinePurchase(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in
            try engine.answerApproval(try engine.awaitingApproval(productID), approves: false)
        }
    }

    /// Resolves what interrupted the oldest interrupted purchase of a product: a second transaction is paid.
    ///
    /// A subscription in billing retry renews, as with ``resolveBillingIssue(of:)``. To have the customer abandon an
    /// interrupted purchase, don't call the function.
    /// - Throws: ``SimulatorError/Code/noIssue``
    public func resolvePurchase(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.resolveIssue(try engine.withIssue(productID)) }
    }

    /// Resolves the billing issue of a subscription that is in billing retry or in its grace period: the subscription
    /// renews now.
    ///
    /// If ``SimulatorBehavior/shouldEnterBillingRetryOnRenewal`` is turned off instead, the subscription renews when the
    /// App Store tries again, within a day.
    /// - Throws: ``SimulatorError/Code/notSubscribed``, ``SimulatorError/Code/noIssue``
    public func resolveBillingIssue(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.resolveBillingIssue(of: productID) }
    }

    /// Reverses the latest refund of a product, as Apple does when a dispute ends: the customer owns the product again.
    ///
    /// Only StoreKit 2 reports it; for StoreKit 1 the receipt changes.
    /// - Throws: ``SimulatorError/Code/notOwned`` if no purchase of the product has been refunded.
    public func reverseRefund(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.reverseRefund(of: productID) }
    }

    /// Moves the customer to a new device, on which the next launch runs.
    ///
    /// The device's identifier in signed texts changes. The new device has no receipt until the app refreshes it or
    /// restores, and no files of the app.
    public func moveToNewDevice() {
        mutate { $0.moveToNewDevice() }
    }

    /// Refunds the latest purchase of a product that was not refunded yet.
    ///
    /// Of a subscription that is one period: it renews all the same, unless ``SimulatorBehavior/refundEndsSubscription`` is set;
    /// ``expireSubscription(productID:reason:)`` ends it. Of a commitment, the refund of the current month ends it at
    /// once.
    ///
    /// - Parameters:
    ///   - productID: The product.
    ///   - reason: Why the price is refunded.
    ///   - percentage: The percentage of the price that is refunded; `nil` for the whole price.
    /// - Throws: ``SimulatorError/Code/notOwned``
    public func refund(
        _ productID: String, reason: SimulatedRevocationReason = .other, percentage: Decimal? = nil
    ) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in
            try engine.refund(row: try engine.refundable(productID), reason: reason, percentage: percentage)
        }
    }

    /// Approves a payment that waits for it.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func approveAskToBuyTransaction(id: SimulatedTransaction.ID) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.answerApproval(id, approves: true) }
    }

    /// Declines a payment that waits for an approval.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func declineAskToBuyTransaction(id: SimulatedTransaction.ID) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.answerApproval(id, approves: false) }
    }

    /// Resolves what interrupted a payment. For the latest transaction of a subscription in billing retry, its renewal is paid.
    ///
    /// - Throws: ``SimulatorError/Code/noIssue``
    public func resolveIssueForTransaction(id: SimulatedTransaction.ID) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.resolveIssue(id) }
    }

    /// Refunds a transaction: the account no longer owns what it bought, and observers are told so. A second refund does nothing.
    ///
    /// - Parameters:
    ///   - id: The transaction.
    ///   - reason: Why the price is refunded.
    ///   - percentage: The percentage of the price that is refunded; `nil` for the whole price.
    /// - Throws: ``SimulatorError/Code/unknownTransaction``
    public func refundTransaction(
        id: SimulatedTransaction.ID, reason: SimulatedRevocationReason = .other, percentage: Decimal? = nil
    ) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in
            try engine.refund(row: try engine.paidRow(of: id), reason: reason, percentage: percentage)
        }
    }

    /// Turns on the renewal of an active subscription.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func enableAutoRenew(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.setAutoRenews(true, productID: productID) }
    }

    /// Turns off the renewal of an active subscription, as a customer who cancels it does: it expires at the end of its period.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func disableAutoRenew(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.setAutoRenews(false, productID: productID) }
    }

    /// Ends the period of a subscription now, and begins the next.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func forceRenewalOfSubscription(productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.forceRenewal(productID) }
    }

    /// Ends a subscription now.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func expireSubscription(
        productID: String, reason: SimulatedRenewal.ExpirationReason = .autoRenewDisabled
    ) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.expire(productID, reason: reason) }
    }

    /// Buys on another device of the account: the transaction arrives without having been asked for.
    ///
    /// - Parameters:
    ///   - productID: The product.
    ///   - quantity: How many.
    ///   - applicationUsername: The app's name for its user.
    ///   - plan: How a subscription is billed.
    /// - Throws: ``SimulatorError/Code/unknownProduct``, and ``SimulatorError/Code/unknownOffer`` if the storefront
    ///   doesn't have the plan.
    public func buyProduct(
        productID: String, quantity: Int = 1, applicationUsername: String? = nil, plan: SimulatedBillingPlan = .upFront
    ) throws(SimulatorError) {
        var payment = SimulatedPayment(productID: productID, quantity: quantity, applicationUsername: applicationUsername)
        payment.billingPlan = plan
        try mutate { engine throws(SimulatorError) in try engine.buyElsewhere(payment) }
    }

    /// Starts a purchase in the App Store. Every observer is asked whether it continues at once; one yes is enough. Without an
    /// observer the first one that is added is asked, in a later launch if need be.
    ///
    /// StoreKit 2 tells it as a purchase intent, to whoever listens, or will; with the win-back offer that the customer wants, if there
    /// is one, which StoreKit 1 does not know.
    ///
    /// - Throws: ``SimulatorError/Code/unknownProduct``, ``SimulatorError/Code/unknownOffer``
    public func promotePurchase(of productID: String, winBackOfferID: String? = nil) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.beginPromotion(productID, winBackOfferID: winBackOfferID) }
    }

    /// Ends the sharing of a product in the family: the account no longer owns it, and the observers are told so.
    ///
    /// - Throws: ``SimulatorError/Code/notOwned``
    public func revokeFamilySharing(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.revokeFamilySharing(productID) }
    }

    /// Has a member of the family buy a product and share it: its transaction arrives without having been asked for.
    ///
    /// - Throws: ``SimulatorError/Code/unknownProduct``
    public func shareInFamily(_ productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.grant(productID, as: .familyShared) }
    }

    /// Deletes the history of the account, empties the queue, and deletes the receipt.
    public func clearTransactions() {
        mutate { $0.clearTransactions() }
    }

    /// Brings the catalog and the behavior back to how they were at first, and forgets what ``setNextPurchaseOutcome(_:for:)``,
    /// ``setNextListingFault(_:for:)`` and ``setNextOfferCode(_:for:plan:)`` have determined.
    /// What was bought stays.
    public func resetToDefaultState() {
        mutate { $0.resetToDefaultState() }
    }

    /// Finishes a transaction as another library in the app would: it leaves the queue, whatever its state. A payment that was being
    /// processed is never paid.
    public func finishFromAnotherObserver(_ id: SimulatedTransaction.ID) {
        mutate { $0.finishFromAnotherObserver(id) }
    }

    /// Has the queue report a transaction once more. One that was finished is in the queue again until it is finished again, or until
    /// the next launch.
    public func redeliver(_ id: SimulatedTransaction.ID) {
        mutate { $0.redeliver(id) }
    }

    /// Makes a download fail.
    public func failDownload(_ id: SimulatedDownload.ID, error: SimulatedError = .notConnectedToInternet) {
        mutate { $0.failDownload(id, error: error) }
    }
}
