package import AsyncStoreKit

package enum EntitledPhase: Sendable, Hashable {
    /// The customer has access.
    case content
    /// The customer doesn't have access.
    case locked
    /// It isn't known yet.
    case placeholder

    /// - Parameters:
    ///   - entitlements: The customer's entitlements.
    ///   - level: The level of access. A level without products and groups gives no access.
    ///   - products: The products that the model has loaded. A receipt of StoreKit 1 names no groups: the products do.
    package init(_ entitlements: StoreEntitlements, _ level: AccessLevel, products: some Collection<StoreProduct> = [])
    {
        let members = Dictionary(grouping: products) { $0.subscriptionGroupID ?? "" }
        let known = level.groupIDs.flatMap { members[$0] ?? [] }
        let hasUnknownGroup = level.groupIDs.contains { groupID in
            members[groupID] == nil && entitlements.status(inGroup: groupID).state == .unknown
        }
        if entitlements.contains(level) || known.contains(where: { entitlements.contains($0.id) }) {
            self = .content
        } else {
            // A paying customer must never see the paywall for a moment. A subscription whose group isn't known may
            // belong to the level, until the products of the group are known.
            self = entitlements.basis == .unknown || hasUnknownGroup ? .placeholder : .locked
        }
    }
}
