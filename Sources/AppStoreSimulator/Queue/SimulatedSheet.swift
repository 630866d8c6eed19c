/// A sheet that the system shows for the app.
public enum SimulatedSheet: Sendable, Hashable, CaseIterable {
    /// For redeeming an offer code.
    case codeRedemption
    /// For agreeing to a higher price.
    case priceConsent
}

/// A message of the App Store to the customer, which StoreKit 2 hands to the app first.
public enum SimulatedMessage: Int, Sendable, Hashable, CaseIterable {
    /// About anything else.
    case generic = 0
    /// A higher price needs the customer's consent.
    case priceIncreaseConsent = 1
    /// The price of a renewal could not be collected.
    case billingIssue = 2
    /// There is an offer to come back.
    case winBackOffer = 3
}
