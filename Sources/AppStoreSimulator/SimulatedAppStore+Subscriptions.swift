// Controls for billing plans, bundles and seats.
//
// A commitment is canceled with `disableAutoRenew(of:)`, goes into billing retry while
// `shouldEnterBillingRetryOnRenewal` is set, recovers with `resolvePurchase(of:)`, and is refunded with
// `refund(_:reason:percentage:)`.
extension SimulatedAppStore {
    /// Changes how a subscription is billed, as a customer does in the system's sheet. The change takes effect when the
    /// subscription renews, or when its commitment renews.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``, and ``SimulatorError/Code/unknownOffer`` if the storefront
    ///   doesn't have the plan.
    public func changeBillingPlan(of productID: String, to plan: SimulatedBillingPlan) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.setBillingPlan(plan, productID: productID) }
    }

    /// Has a subscription leave its bundle when the bundle renews or ends.
    ///
    /// - Parameters:
    ///   - productID: The subscription.
    ///   - continues: Whether the subscription renews singly then. If it doesn't, it expires with
    ///     ``SimulatedRenewal/ExpirationReason/unbundled``.
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func leaveBundle(_ productID: String, continues: Bool = true) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.leaveBundle(productID, continues: continues) }
    }

    /// Assigns a product to the account that an organization has bought. Its transaction arrives on `updates`.
    ///
    /// - Throws: ``SimulatorError/Code/unknownProduct``
    public func assignSeat(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.grant(productID, as: .assigned) }
    }

    /// Takes a product from the account that an organization has assigned to it.
    ///
    /// - Throws: ``SimulatorError/Code/notOwned``
    public func unassignSeat(of productID: String) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in try engine.unassignSeat(of: productID) }
    }

    /// Sets the code that the customer redeems in the next sheet for offer codes. A second call sets the code of the
    /// sheet after it. Without a code, the customer closes the sheet.
    ///
    /// ``SimulatorBehavior/offerCodeSheetReturnsTransaction`` decides whether the sheet returns the transaction.
    /// - Parameters:
    ///   - offerID: The offer.
    ///   - productID: The product of the offer.
    ///   - plan: The billing plan of the offer.
    /// - Throws: ``SimulatorError/Code/unknownProduct``, ``SimulatorError/Code/unknownOffer``
    public func setNextOfferCode(
        _ offerID: String, for productID: String, plan: SimulatedBillingPlan = .upFront
    ) throws(SimulatorError) {
        var payment = SimulatedPayment(productID: productID)
        payment.billingPlan = plan
        try mutate { engine throws(SimulatorError) in try engine.setNextCode(offerID, payment) }
    }
}
