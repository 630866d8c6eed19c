package import AsyncStoreKit

/// The phase of an `EntitledView`.
package enum EntitledPhase: Sendable, Hashable {
    /// The customer has access.
    case content
    /// The customer doesn't have access.
    case locked
    /// It isn't known yet.
    case placeholder

    /// - Parameters:
    ///   - entitlements: The customer's entitlements.
    ///   - productIDs: Any of these products gives access. An empty set gives access to no one.
    package init(_ entitlements: StoreEntitlements, anyOf productIDs: Set<String>) {
        if entitlements.contains(anyOf: productIDs) {
            self = .content
        } else {
            // A paying customer must never see the paywall for a moment.
            self = entitlements.basis == .unknown ? .placeholder : .locked
        }
    }

    /// - Parameters:
    ///   - entitlements: The customer's entitlements.
    ///   - groupID: A subscription of this group gives access.
    ///   - products: The products that the model has loaded. A receipt of StoreKit 1 names no groups: the products do.
    package init(_ entitlements: StoreEntitlements, group groupID: String, products: [StoreProduct]) {
        let members = Set(products.filter { $0.subscriptionGroupID == groupID }.map(\.id))
        if entitlements.contains(group: groupID) || entitlements.contains(anyOf: members) {
            self = .content
        } else if entitlements.status(inGroup: groupID).state == .unknown {
            // A subscription whose group isn't known may belong to this group, until the products of the group are
            // known.
            self = entitlements.basis == .unknown || members.isEmpty ? .placeholder : .locked
        } else {
            self = .locked
        }
    }
}
