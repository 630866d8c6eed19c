/// How the account owns a purchase. Raw values are those of `inAppOwnershipType` in signed transactions.
public enum SimulatedOwnership: String, Sendable, Hashable, CaseIterable {
    /// The account bought the product.
    case purchased = "PURCHASED"
    /// A family member bought the product and shares the purchase.
    case familyShared = "FAMILY_SHARED"
    /// An organization bought the product and assigned the purchase to the account.
    case assigned = "ASSIGNED"
}

/// The reason for a revocation. Raw values are those of `revocationReason` in signed transactions.
public enum SimulatedRevocationReason: Int, Sendable, Hashable, CaseIterable {
    /// Any other reason.
    case other = 0
    /// An actual or perceived issue of the app.
    case developerIssue = 1
    /// The customer upgraded to a bundle that includes the subscription.
    case upgradedToBundle = 2
}
