/// A sheet that the system presents for the app.
public enum SimulatedSheet: Sendable, Hashable {
    /// For redeeming an offer code.
    case codeRedemption
    /// For agreeing to a higher price.
    case priceConsent
    /// For changing or cancelling subscriptions of a group, or all.
    case subscriptionManagement(groupID: String?)
    /// For requesting a refund. ``SimulatorBehavior/refundRequestEnding`` decides how the request ends.
    case refundRequest(transactionID: String)
    /// A message of the App Store, by the name of its reason.
    case message(reason: String)
}

/// A message of the App Store to the customer, which StoreKit 2 hands to the app first.
public enum SimulatedMessage: Int, Sendable, Hashable, CaseIterable {
    /// About anything else.
    case generic = 0
    /// A higher price needs the customer's consent.
    case priceIncreaseConsent = 1
    /// The App Store couldn't collect the price of a renewal.
    case billingIssue = 2
    /// A win-back offer is available.
    case winBackOffer = 3
}
