public import Foundation

// Controls with a product identifier select a purchase: approving, declining and resolving use the oldest waiting
// purchase, refunding uses the latest. Controls with a transaction use the `id` of a `SimulatedHistoryRecord` or
// `SimulatedTransaction`.
extension SimulatedAppStore {
    /// Returns the history of the account: paid, deferred and interrupted transactions.
    public func allTransactions() -> [SimulatedHistoryRecord] {
        read { $0.history }
    }

    /// Returns the transaction with an identifier of the App Store; `nil` for an unknown identifier.
    public func transaction(withID transactionID: String) -> SimulatedHistoryRecord? {
        read { engine in engine.account.row(transactionID: transactionID).map { engine.record(ofRow: $0) } }
    }

    /// Returns the renewal information of every current and former subscription, by group.
    public func allRenewals() -> [SimulatedRenewal] {
        read { $0.renewals }
    }

    /// Sets the outcome of the next purchase, or of the next purchase of one product.
    ///
    /// A second call sets the outcome of the purchase after that. Outcomes for one product take precedence over
    /// outcomes for any product.
    public func setNextPurchaseOutcome(_ outcome: SimulatedOutcome, for productID: String? = nil) {
        mutate { engine in
            if let productID {
                engine.scripted[productID, default: []].append(outcome)
            } else {
                engine.scriptedForAny.append(outcome)
            }
        }
    }

    /// Approves the oldest purchase of a product that is waiting for approval. The purchase is paid in the current
    /// launch.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func approvePurchase(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.answerApproval(try engine.transactionAwaitingApproval(productID), approves: true)
        }
    }

    /// Declines the oldest purchase of a product that is waiting for approval. The purchase fails.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func declinePurchase(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.answerApproval(try engine.transactionAwaitingApproval(productID), approves: false)
        }
    }

    /// Resolves the issue of the oldest interrupted purchase of a product. A second transaction is paid.
    ///
    /// A subscription in billing retry renews, as with ``resolveBillingIssue(of:)``. To simulate a customer who
    /// abandons an interrupted purchase, don't call this function.
    /// - Throws: ``SimulatorError/Code/noIssue``
    public func resolvePurchase(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.resolveIssue(try engine.transactionWithIssue(productID))
        }
    }

    /// Resolves the billing issue of a subscription in billing retry or in its grace period. The subscription renews
    /// now.
    ///
    /// If you turn off ``SimulatorBehavior/shouldEnterBillingRetryOnRenewal`` instead, the subscription renews at the
    /// next retry, within a day.
    /// - Throws: ``SimulatorError/Code/notSubscribed``, ``SimulatorError/Code/noIssue``
    public func resolveBillingIssue(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.resolveBillingIssue(of: productID) }
    }

    /// Reverses the latest refund of a product, as Apple does after a dispute. The customer owns the product again.
    ///
    /// Only StoreKit 2 reports the reversal. Over StoreKit 1, the receipt changes.
    /// - Throws: ``SimulatorError/Code/notOwned`` if no purchase of the product has been refunded.
    public func reverseRefund(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.reverseRefund(of: productID) }
    }

    /// Moves the customer to a new device, on which the next launch runs.
    ///
    /// The device's identifier in signed texts changes. The new device has no files of the app, and no receipt until
    /// the app refreshes the receipt or restores purchases.
    public func moveToNewDevice() {
        mutate { $0.moveToNewDevice() }
    }

    /// Refunds the latest purchase of a product that wasn't refunded before.
    ///
    /// For a subscription, the function refunds one period. The subscription still renews unless
    /// ``SimulatorBehavior/refundEndsSubscription`` is set; ``expireSubscription(productID:reason:)`` ends the
    /// subscription. The refund of the current month ends a commitment immediately.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product.
    ///   - reason: The reason for the refund.
    ///   - percentage: The refunded percentage of the price, above 0 and up to 100; `nil` for a full refund.
    /// - Throws: ``SimulatorError/Code/notOwned``, including for a product that only a family member bought, and
    ///   ``SimulatorError/Code/invalidValue`` for another percentage.
    public func refund(
        _ productID: String, reason: SimulatedRevocationReason = .other, percentage: Decimal? = nil
    ) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.refund(row: try engine.refundableRow(productID), reason: reason, percentage: percentage)
        }
    }

    /// Approves a payment that is waiting for approval.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func approveAskToBuyTransaction(id: SimulatedTransaction.ID) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.answerApproval(id, approves: true) }
    }

    /// Declines a payment that is waiting for approval.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func declineAskToBuyTransaction(id: SimulatedTransaction.ID) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.answerApproval(id, approves: false) }
    }

    /// Resolves the issue of an interrupted payment. For the latest transaction of a subscription in billing retry, the
    /// renewal is paid.
    ///
    /// - Throws: ``SimulatorError/Code/noIssue``
    public func resolveIssueForTransaction(id: SimulatedTransaction.ID) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.resolveIssue(id) }
    }

    /// Refunds a transaction. The account no longer owns the product, and the App Store reports the revocation. A
    /// second refund has no effect.
    ///
    /// - Parameters:
    ///   - id: The identifier of the transaction.
    ///   - reason: The reason for the refund.
    ///   - percentage: The refunded percentage of the price, above 0 and up to 100; `nil` for a full refund.
    /// - Throws: ``SimulatorError/Code/unknownTransaction``, ``SimulatorError/Code/invalidValue``
    public func refundTransaction(
        id: SimulatedTransaction.ID, reason: SimulatedRevocationReason = .other, percentage: Decimal? = nil
    ) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.refund(row: try engine.paidRow(of: id), reason: reason, percentage: percentage)
        }
    }

    /// Turns on the renewal of an active subscription.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func enableAutoRenew(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.setAutoRenews(true, productID: productID) }
    }

    /// Turns off the renewal of an active subscription, as a customer who cancels does. The subscription expires at the
    /// end of its period.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func disableAutoRenew(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.setAutoRenews(false, productID: productID) }
    }

    /// Ends the period of a subscription now and begins the next period.
    ///
    /// While ``SimulatorBehavior/shouldEnterBillingRetryOnRenewal`` is set, the payment fails: billing retry begins,
    /// with a grace period if ``SimulatorBehavior/billingGracePeriodIsEnabled`` is set.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func forceRenewalOfSubscription(productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.forceRenewal(productID) }
    }

    /// Ends a subscription now.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func expireSubscription(
        productID: String, reason: SimulatedRenewal.ExpirationReason = .autoRenewDisabled
    ) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.expire(productID, reason: reason) }
    }

    /// Purchases a product outside the app, as on another device. The transaction arrives unsolicited.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product.
    ///   - quantity: The number of items, from 1 to 10.
    ///   - applicationUsername: The app's name for its user.
    ///   - plan: The billing plan of a subscription.
    ///   - seats: The total number of seats that a subscription has after the purchase.
    /// - Throws: ``SimulatorError/Code/unknownProduct``, ``SimulatorError/Code/invalidValue`` for another quantity,
    ///   ``SimulatorError/Code/unknownOffer`` if the storefront doesn't have the plan, and
    ///   ``SimulatorError/Code/unsuitableProduct`` if the product has no seats, or has this number of seats already.
    public func buyProduct(
        productID: String, quantity: Int = 1, applicationUsername: String? = nil, plan: SimulatedBillingPlan = .upFront,
        seats: Int? = nil
    ) throws(SimulatorError) {
        var payment = SimulatedPayment(
            productID: productID, quantity: quantity, applicationUsername: applicationUsername)
        payment.billingPlan = plan
        payment.seats = seats
        try control { engine throws(SimulatorError) in try engine.purchaseOutsideApp(payment) }
    }

    /// Starts a purchase in the App Store. The App Store asks every observer whether to continue immediately, and
    /// continues if one of them agrees. Without an observer, the App Store asks the first observer that is added, even
    /// in a later launch.
    ///
    /// StoreKit 2 sends a purchase intent to the current or the next listeners, with the win-back offer that the
    /// customer selected, if any. StoreKit 1 doesn't support win-back offers.
    ///
    /// - Throws: ``SimulatorError/Code/unknownProduct``, ``SimulatorError/Code/unknownOffer``, and
    ///   ``SimulatorError/Code/notEligible`` for a win-back offer to a customer whose subscription hasn't expired.
    public func promotePurchase(of productID: String, winBackOfferID: String? = nil) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.beginPromotion(productID, winBackOfferID: winBackOfferID)
        }
    }

    /// Ends the Family Sharing of a product. The account no longer owns the product, and the App Store reports the
    /// revocation.
    ///
    /// - Throws: ``SimulatorError/Code/notOwned``
    public func revokeFamilySharing(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.revokeFamilySharing(productID) }
    }

    /// Adds a product that a family member bought and shares. The transaction arrives unsolicited.
    ///
    /// - Throws: ``SimulatorError/Code/unknownProduct``, and ``SimulatorError/Code/unsuitableProduct`` unless
    ///   ``SimulatedProduct/isFamilyShareable`` is set.
    public func shareInFamily(_ productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.grant(productID, as: .familyShared) }
    }

    /// Deletes the history of the account, the entries of the queue and the receipt.
    public func clearTransactions() {
        mutate { $0.clearTransactions() }
    }

    /// Resets the catalog and the behavior to their initial values, and removes the scripts of
    /// ``setNextPurchaseOutcome(_:for:)``, ``setNextListingFault(_:for:)`` and ``setNextOfferCode(_:for:plan:)``.
    /// Purchases stay.
    public func resetToDefaultState() {
        mutate { $0.resetToDefaultState($0.initialCatalog) }
    }

    /// Finishes a transaction in any state, as another library in the app would. The transaction leaves the queue. A
    /// payment that is being processed is never paid.
    public func finishFromAnotherObserver(_ id: SimulatedTransaction.ID) {
        mutate { $0.finishFromAnotherObserver(id) }
    }

    /// Reports a transaction again. A finished transaction is in the queue again until it's finished again or the
    /// next launch begins.
    public func redeliver(_ id: SimulatedTransaction.ID) {
        mutate { $0.redeliver(id) }
    }

    /// Fails a download with an error.
    public func failDownload(_ id: SimulatedDownload.ID, error: SimulatedError = .notConnectedToInternet) {
        mutate { $0.failDownload(id, error: error) }
    }
}
