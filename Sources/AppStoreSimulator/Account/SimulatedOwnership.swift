/// How the account came by a purchase. Raw values are those of `inAppOwnershipType` in signed transactions.
public enum SimulatedOwnership: String, Sendable, Hashable, CaseIterable {
    /// Bought by the account.
    case purchased = "PURCHASED"
    /// Bought by a member of the family, who shares it.
    case familyShared = "FAMILY_SHARED"
    /// Bought by an organization, which has assigned it to the account.
    case assigned = "ASSIGNED"
}

/// Why a purchase was taken back. Raw values are those of `revocationReason` in signed transactions.
public enum SimulatedRevocationReason: Int, Sendable, Hashable, CaseIterable {
    /// Any other reason.
    case other = 0
    /// An actual or perceived issue of the app.
    case developerIssue = 1
    /// The customer has moved on to a bundle that includes the subscription.
    case upgradedToBundle = 2
}
