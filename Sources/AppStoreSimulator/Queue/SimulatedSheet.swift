/// A sheet that the system shows for the app.
public enum SimulatedSheet: Sendable, Hashable, CaseIterable {
    /// For redeeming an offer code.
    case codeRedemption
    /// For agreeing to a higher price.
    case priceConsent
}
