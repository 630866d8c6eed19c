public import AppReceipt
public import Foundation

/// The status of a subscription group. A customer has at most one subscription of a group at a time.
///
/// ```swift
/// let status = await store.entitlements.current.status(inGroup: "club")
/// switch status.state {
/// case .trial: show("Your trial ends on \(status.expirationDate)")
/// case .inGracePeriod, .inBillingRetry: show("Update your payment method.")
/// case .expired where status.expirationReason == .billingError:
///     show("Your payment failed.")
/// default: break
/// }
/// ```
public struct SubscriptionGroupStatus: Sendable, Hashable {
    /// The state of a group.
    ///
    /// The set is open: a state that the App Store adds later gets its own raw value, so a `switch` needs a `default`.
    public struct State: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable word.
        public let rawValue: String

        /// Creates a state from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The stable word.
        public var description: String { rawValue }

        /// The device hasn't been read yet, or a receipt has subscriptions and doesn't name their groups.
        public static let unknown = State(rawValue: "unknown")
        /// The customer has never had a subscription of the group.
        public static let neverSubscribed = State(rawValue: "neverSubscribed")
        /// A free trial is running.
        public static let trial = State(rawValue: "trial")
        /// A paid period is running, also at the price of an offer.
        public static let subscribed = State(rawValue: "subscribed")
        /// The period has ended and the payment failed. Apple asks the app to give access for now.
        public static let inGracePeriod = State(rawValue: "inGracePeriod")
        /// The period has ended and Apple keeps trying to charge the customer. No access.
        public static let inBillingRetry = State(rawValue: "inBillingRetry")
        /// The subscription has ended. ``SubscriptionGroupStatus/expirationReason`` says why.
        public static let expired = State(rawValue: "expired")
        /// The subscription was refunded, or is no longer shared by the family.
        public static let revoked = State(rawValue: "revoked")
    }

    /// The group in App Store Connect.
    public let groupID: String
    /// The state.
    public let state: State
    /// The subscription that decided: the one that gives access, or else the one that gave access last. `nil` if
    /// the customer never had one.
    public let entitlement: StoreEntitlement?

    init(_ state: State, _ groupID: String) {
        self.groupID = groupID
        self.state = state
        entitlement = nil
    }

    init(_ entitlement: StoreEntitlement, _ groupID: String) {
        self.groupID = groupID
        self.entitlement = entitlement
        switch entitlement.state {
        case .active: state = entitlement.isTrial ? .trial : .subscribed
        // The other states have the same words.
        default: state = State(rawValue: entitlement.state.rawValue)
        }
    }

    /// Whether the customer may use a subscription of the group now.
    public var isEntitled: Bool { entitlement?.isEntitled ?? false }
    /// The product of the subscription.
    public var productID: String? { entitlement?.productID }
    /// When the period, or the trial, ends, without a grace period.
    public var expirationDate: Date? { entitlement?.expirationDate }
    /// When access ends, or ended, unless the subscription renews.
    public var accessEndDate: Date? { entitlement?.accessEndDate }
    /// Why the subscription ended; `nil` while the customer has access, and if Apple doesn't say.
    public var expirationReason: ReceiptExpirationReason? { entitlement?.expirationReason }
    /// The offer that the period runs on.
    public var offer: StoreEntitlement.Offer? { entitlement?.offer }
    /// How the subscription continues.
    public var renewal: StoreEntitlement.Renewal? { entitlement?.renewal }
    /// The transaction as Apple signed it, a JSON Web Signature, for a server.
    public var jws: String? { entitlement?.jws }
    /// The renewal information as Apple signed it, a JSON Web Signature, for a server.
    public var renewalJWS: String? { entitlement?.renewalJWS }
}
