package import AsyncStoreKit

/// What a view for who owns something shows.
package enum EntitledPhase: Sendable, Hashable {
    /// The customer may use it.
    case content
    /// The customer may not.
    case locked
    /// Nobody knows yet.
    case placeholder

    /// - Parameter productIDs: Any of them gives access. None of them at all gives it to nobody.
    package init(_ entitlements: StoreEntitlements, anyOf productIDs: Set<String>) {
        if entitlements.contains(anyOf: productIDs) {
            self = .content
        } else if entitlements.basis == .unknown {
            // A paywall that flashes by is what customers who have paid complain of.
            self = .placeholder
        } else {
            self = .locked
        }
    }
}
