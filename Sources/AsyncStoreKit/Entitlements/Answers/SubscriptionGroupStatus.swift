public import AppReceipt

/// The status of a subscription group. Of several subscriptions, the best one decides; see
/// ``StoreEntitlements/subscription(inGroup:)``.
///
/// A status has every property of its ``entitlement``, and `nil` for each of them if the customer never had a
/// subscription of the group.
///
/// ```swift
/// let status = await store.entitlements.current.status(inGroup: "club")
/// switch status.state {
/// case .subscribed where status.isTrial: show("Your trial ends on \(status.expirationDate)")
/// case .inGracePeriod, .inBillingRetryPeriod: show("Update your payment method.")
/// case .expired where status.expirationReason == .billingError:
///     show("Your payment failed.")
/// default: break
/// }
/// ```
@dynamicMemberLookup
public struct SubscriptionGroupStatus: Sendable, Hashable {
    /// The group in App Store Connect.
    public let groupID: String
    /// The state.
    public let state: SubscriptionState
    /// The subscription that decided: the one that gives access, or else the one that gave access last. `nil` if
    /// the customer never had one.
    public let entitlement: StoreEntitlement?

    /// - Parameter state: The state without an entitlement.
    init(_ entitlement: StoreEntitlement?, or state: SubscriptionState = .unknown, _ groupID: String) {
        self.groupID = groupID
        self.state = entitlement?.state ?? state
        self.entitlement = entitlement
    }

    /// Returns a property of ``entitlement``, such as `productID` or `accessEndDate`.
    public subscript<Property>(dynamicMember property: KeyPath<StoreEntitlement, Property>) -> Property? {
        entitlement?[keyPath: property]
    }

    /// Returns a property of ``entitlement``, such as `expirationDate`, `renewal` or `offer`.
    public subscript<Property>(dynamicMember property: KeyPath<StoreEntitlement, Property?>) -> Property? {
        entitlement?[keyPath: property]
    }

    /// Whether the customer may use a subscription of the group now.
    public var isEntitled: Bool { entitlement?.isEntitled ?? false }
    /// Whether the customer has access through a free trial.
    public var isTrial: Bool { entitlement?.isTrial ?? false }
}
