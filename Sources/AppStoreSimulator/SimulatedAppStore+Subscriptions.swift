// Controls for billing plans, bundles and seats.
//
// Controls for commitments: `disableAutoRenew(of:)` cancels, `shouldEnterBillingRetryOnRenewal` starts billing retry,
// `resolvePurchase(of:)` resolves the billing issue, and `refund(_:reason:percentage:)` refunds a month.
extension SimulatedAppStore {
    /// Changes the billing plan of a subscription, as a customer does in the system's sheet. The change takes effect at
    /// the next renewal of the subscription or its commitment.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``, and ``SimulatorError/Code/unknownOffer`` if the storefront
    ///   doesn't have the plan.
    public func changeBillingPlan(of productID: String, to plan: SimulatedBillingPlan) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.setBillingPlan(plan, productID: productID) }
    }

    /// Removes a subscription from its bundle when the bundle renews or ends.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the subscription.
    ///   - continues: Whether the subscription then renews as a single subscription. Otherwise the subscription expires
    ///     with ``SimulatedRenewal/ExpirationReason/unbundled``.
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func leaveBundle(_ productID: String, continues: Bool = true) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.leaveBundle(productID, continues: continues) }
    }

    /// Assigns a product that an organization bought to the account. The transaction arrives on `updates`.
    ///
    /// - Throws: ``SimulatorError/Code/unknownProduct``, and ``SimulatorError/Code/unsuitableProduct`` unless
    ///   ``SimulatedProduct/supportsMultiSeatPurchase`` is set.
    public func assignSeat(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.grant(productID, as: .assigned) }
    }

    /// Revokes a product that an organization assigned to the account.
    ///
    /// - Throws: ``SimulatorError/Code/notOwned``
    public func unassignSeat(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.unassignSeat(of: productID) }
    }

    /// Sets the code that the customer redeems in the next sheet for offer codes. A second call sets the code of the
    /// sheet after that. Without a code, the customer closes the sheet.
    ///
    /// ``SimulatorBehavior/offerCodeSheetReturnsTransaction`` decides whether the sheet returns the transaction.
    /// - Parameters:
    ///   - offerID: The identifier of the offer.
    ///   - productID: The identifier of the offer's product.
    ///   - plan: The billing plan of the offer.
    /// - Throws: ``SimulatorError/Code/unknownProduct``, ``SimulatorError/Code/unknownOffer``
    public func setNextOfferCode(
        _ offerID: String, for productID: String, plan: SimulatedBillingPlan = .upFront
    ) throws(SimulatorError) {
        var payment = SimulatedPayment(productID: productID)
        payment.billingPlan = plan
        try control { engine throws(SimulatorError) in try engine.setNextCode(offerID, payment) }
    }
}
