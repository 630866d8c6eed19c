public import Foundation

// Controls of StoreKit 2.
extension SimulatedAppStore {
    /// The number of sign-in dialogs for reads of the app transaction, in all launches. The App Store counts while
    /// ``SimulatorBehavior/appTransactionAsksToSignIn`` is set.
    public var appTransactionSignInCount: Int { read { $0.appTransactionSignInCount } }

    /// The identifier of the current device in signed texts.
    package var deviceVerificationID: UUID { read { $0.device.id } }

    /// The customer's purchase of the app itself. In a new App Store, the customer got version 1.0 on an iPhone.
    /// ``SimulatorBehavior/environment`` is the environment of the purchase.
    public var appTransaction: SimulatedAppTransaction {
        get { read { $0.appTransaction } }
        set { withEngine { $0.appTransaction = newValue } }
    }

    /// Returns the current status of each subscription, as StoreKit 2 reports it: by group, the account's own before
    /// the family's.
    public func allSubscriptionStatuses() -> [SimulatedSubscriptionStatus] {
        withEngine { engine in
            engine.account.subscriptions.keys.sorted { $0.isBefore($1) }.compactMap { engine.status(of: $0) }
        }
    }

    /// Redeems an offer code in the App Store. The transaction arrives on `updates`. For the app's own sheet, see
    /// ``setNextOfferCode(_:for:plan:)``.
    ///
    /// - Parameters:
    ///   - offerID: The identifier of the offer.
    ///   - productID: The identifier of the offer's product.
    ///   - plan: The billing plan of the offer.
    /// - Throws: ``SimulatorError/Code/unknownProduct``, ``SimulatorError/Code/unknownOffer``
    public func redeemOfferCode(
        _ offerID: String, for productID: String, plan: SimulatedBillingPlan = .upFront
    ) throws(SimulatorError) {
        var payment = SimulatedPayment(productID: productID)
        payment.billingPlan = plan
        try control { engine throws(SimulatorError) in try engine.purchaseOutsideApp(payment, offerCode: offerID) }
    }

    /// Purchases a product in one of Apple's views, such as `ProductView`. The view finishes the transaction.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product.
    ///   - sendsUpdate: Whether the transaction also arrives on `Transaction.updates`. On iOS, the update may be
    ///     missing.
    /// - Throws: ``SimulatorError/Code/unknownProduct``
    public func purchaseInProductView(_ productID: String, sendsUpdate: Bool = false) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.purchaseInProductView(productID, sendsUpdate: sendsUpdate)
        }
    }

    /// Raises the price of a subscription. Subscribers pay the new price from their next renewal.
    ///
    /// If consent is needed, a message asks for it. Without consent, the subscription expires at that renewal.
    ///
    /// - Throws: ``SimulatorError/Code/unknownProduct``, ``SimulatorError/Code/unsuitableProduct`` for other products,
    ///   and ``SimulatorError/Code/invalidValue`` for a price that isn't higher.
    public func raisePrice(of productID: String, to price: Decimal, needsConsent: Bool = true) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.raisePrice(of: productID, to: price, needsConsent: needsConsent)
        }
    }

    /// Consents to the price increase of a subscription, as the customer would.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``, ``SimulatorError/Code/noIssue`` if no price increase is
    ///   pending.
    public func consentToPriceIncrease(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.answerPriceIncrease(of: productID, consents: true)
        }
    }

    /// Declines the price increase of a subscription, as the customer would. The subscription doesn't renew.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``, ``SimulatorError/Code/noIssue`` if no price increase is
    ///   pending.
    public func declinePriceIncrease(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            try engine.answerPriceIncrease(of: productID, consents: false)
        }
    }

    /// Sets whether the signature of a transaction is valid from now on. See also ``SimulatedOutcome/unverified``.
    ///
    /// - Throws: ``SimulatorError/Code/unknownTransaction``
    public func setSignatureIsValid(_ isValid: Bool, forTransactionID transactionID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in
            guard let row = engine.account.row(transactionID: transactionID) else {
                throw SimulatorError(.unknownTransaction, "The account has paid no transaction \(transactionID).")
            }
            engine.account.change(row, at: engine.now) { $0.isVerified = isValid }
        }
    }

    /// Sets the fault of the next read of a list of transactions. A second call sets the fault of the read after it.
    ///
    /// The fault takes precedence over ``SimulatorBehavior/unfinishedListing`` and the switches of the other lists.
    public func setNextListingFault(_ fault: SimulatedListingFault, for listing: SimulatedListing) {
        mutate { $0.scriptedListings[listing, default: []].append(fault) }
    }

    /// Delivers every late list to its reader; see ``SimulatedListingFault/late(events:)``.
    ///
    /// - Returns: The number of waiting readers.
    @discardableResult
    public func releaseListings() -> Int {
        let late = withEngine { engine in
            defer { engine.device.lateListings = [] }
            return engine.device.lateListings
        }
        late.forEach { $0.deliver() }
        return late.count
    }

    /// Sends an App Store message for the customer to the current listeners, or to the first listener.
    public func showMessage(_ message: SimulatedMessage) {
        mutate { $0.show(message) }
    }
}
