/// A sheet that the system presents for the app.
public enum SimulatedSheet: Sendable, Hashable {
    /// The sheet for redeeming an offer code.
    case codeRedemption
    /// The sheet for the consent to a price increase.
    case priceConsent
    /// The sheet for managing the subscriptions of a group, or all subscriptions.
    case subscriptionManagement(groupID: String?)
    /// The sheet for requesting a refund. ``SimulatorBehavior/refundRequestEnding`` selects the result.
    case refundRequest(transactionID: String)
    /// An App Store message, with the name of its reason.
    case message(reason: String)
}

/// An App Store message for the customer, which StoreKit 2 sends to the app first.
public enum SimulatedMessage: Int, Sendable, Hashable, CaseIterable {
    /// Another reason.
    case generic = 0
    /// A higher price needs the customer's consent.
    case priceIncreaseConsent = 1
    /// The payment of a renewal failed.
    case billingIssue = 2
    /// The customer is eligible for a win-back offer.
    case winBackOffer = 3
}
