/// A sheet that the system shows for the app.
public enum StoreSheet: Sendable, Hashable, CaseIterable {
    /// For redeeming an offer code.
    case codeRedemption
    /// For agreeing to a higher price, if there is one to agree to.
    case priceConsent
}
