import AppReceipt
public import Foundation

/// The customer's entitlements, and how certain they are.
///
/// The elements are one ``StoreEntitlement`` for each product that the customer has or had, in the order of the product
/// identifiers, except consumables. They include products that the customer may no longer use: ask
/// ``contains(_:)-(String)`` or ``StoreEntitlement/isEntitled`` about access, and ``basis`` before you treat an empty
/// collection as "owns nothing".
///
/// ```swift
/// let entitlements = await store.entitlements.current
/// if entitlements.contains("pro") { unlock() }
/// let trial = entitlements.first { $0.isTrial }
/// ```
/// Copying the value copies a reference. Two values are equal if they say the same.
public struct StoreEntitlements: Sendable {
    /// The source of the entitlements.
    public enum Basis: Sendable, Hashable {
        /// There is no answer yet, or the device contradicts itself: the customer may own more than the value contains.
        /// For a product that it lacks, show neither the content nor the paywall.
        case unknown
        /// A read of the device, in this run of the app.
        case confirmed
        /// The ``EntitlementCache``: signed by Apple, and last confirmed at this date, by a read of the device or by a
        /// signature. If it has no purchase, a read at this date confirmed that the customer owns nothing.
        case cached(asOf: Date)
    }

    /// A reason why the entitlements may be incomplete or out of date. An issue never removes access.
    public enum Issue: Sendable, Hashable {
        /// The cache, or a part of it, isn't accepted. The text is the reason, in a sentence.
        case cacheRefused(String)
        /// The device's clock is behind a date that Apple has signed. Periods are measured by the later of the two.
        case deviceClockBehind
        /// The device has transactions of these products whose signature isn't valid. They're ignored.
        case unverified(productIDs: Set<String>)
        /// The device lists no purchase, or fewer than its subscription statuses, its history, or earlier reads name.
        /// Access continues, and the store reads again.
        case emptyHistory
        /// The last read failed or was incomplete. Access continues, and the store reads again.
        case incomplete(StoreError.Code)
    }

    /// A product that the customer has because of an earlier purchase of the app, by
    /// ``StoreConfiguration/paidAppUpgrade``.
    public struct PaidAppGrant: Sendable, Hashable {
        /// The product.
        public let productID: String
        /// The fact that shows that the customer paid for the app.
        public let basis: PaidAppUpgrade.Basis
    }

    private struct Content: Sendable {
        let all: [StoreEntitlement]
        let positions: [String: Int]
        let basis: Basis
        let issues: Set<Issue>
        let nextChange: Date?
        var grant: PaidAppGrant?
    }

    private let shared: Shared<Content>

    package init(_ all: [StoreEntitlement], basis: Basis, issues: Set<Issue> = [], nextChange: Date? = nil) {
        let positions = Dictionary(all.indices.map { (all[$0].productID, $0) }, uniquingKeysWith: { first, _ in first })
        shared = Shared(
            Content(all: all, positions: positions, basis: basis, issues: issues, nextChange: nextChange, grant: nil))
    }

    private init(_ content: Content) { shared = Shared(content) }

    /// Returns the entitlements with a product that the customer has because of an earlier purchase of the app.
    func granting(_ grant: PaidAppGrant) -> StoreEntitlements {
        var content = shared.value
        content.grant = grant
        return StoreEntitlements(content)
    }

    /// The value before the first read.
    public static let unknown = StoreEntitlements([], basis: .unknown)

    /// One entitlement for each product that the customer has or had, except consumables, sorted by product.
    public var all: [StoreEntitlement] { shared.value.all }
    /// The source of the entitlements.
    public var basis: Basis { shared.value.basis }
    /// Why the entitlements may be incomplete or out of date.
    public var issues: Set<Issue> { shared.value.issues }
    /// When the first of the periods ends that give access; `nil` if none ends. The store reads the device then.
    public var nextChange: Date? { shared.value.nextChange }

    /// The product that the customer has because of an earlier purchase of the app; `nil` without such a purchase.
    ///
    /// ``productIDs`` and ``contains(_:)-(String)`` count the product. The elements of the collection don't, because it
    /// has no transaction.
    public var paidAppUpgrade: PaidAppGrant? { shared.value.grant }

    /// The purchases that the customer may use now.
    public var active: [StoreEntitlement] { all.filter(\.isEntitled) }
    /// The products that the customer may use now.
    public var productIDs: Set<String> {
        Set(active.map(\.productID)).union(paidAppUpgrade.map { [$0.productID] } ?? [])
    }

    /// The entitlement to a product; `nil` if the customer never had it.
    public subscript(productID: String) -> StoreEntitlement? {
        shared.value.positions[productID].map { all[$0] }
    }

    /// Returns whether the customer may use a product now. If the result is `false`, look at the ``basis`` before you
    /// show a paywall.
    public func contains(_ productID: String) -> Bool {
        self[productID]?.isEntitled == true || paidAppUpgrade?.productID == productID
    }

    /// Returns whether the customer has a level of access now: one of its products, or a subscription of its groups. If
    /// the result is `false`, look at the ``basis`` before you show a paywall.
    public func contains(_ level: AccessLevel) -> Bool {
        level.productIDs.contains { contains($0) }
            || level.groupIDs.contains { subscription(inGroup: $0)?.isEntitled == true }
    }

    /// The best subscription in a group: one that gives access, or the one that gave access last. `nil` if there never
    /// was one, and over StoreKit 1 if the product hasn't been loaded.
    ///
    /// If the customer has access through several subscriptions, such as an own one and one that a family member
    /// shares, the higher level of service is used if the products have been loaded, then the customer's own, then the
    /// one that ends last. All of them are elements of the collection.
    public func subscription(inGroup groupID: String) -> StoreEntitlement? {
        StoreEntitlement.best(ofGroup: all.filter { $0.transaction.facts.subscriptionGroupID == groupID })
    }

    /// Returns the status of a subscription group: subscribed, in a free trial, in the grace period, in billing retry,
    /// or ended and why.
    public func status(inGroup groupID: String) -> SubscriptionGroupStatus {
        // A subscription in a receipt whose product hasn't been loaded may be of this group.
        let isUnknown =
            basis == .unknown || all.contains { $0.productKind == .autoRenewable && $0.subscriptionGroupID == nil }
        return SubscriptionGroupStatus(
            subscription(inGroup: groupID), or: isUnknown ? .unknown : .neverSubscribed, groupID)
    }
}

extension StoreEntitlements: RandomAccessCollection {
    /// The position of the first entitlement.
    public var startIndex: Int { all.startIndex }
    /// The position after the last entitlement.
    public var endIndex: Int { all.endIndex }
    /// The entitlement at a position.
    public subscript(position: Int) -> StoreEntitlement { all[position] }
}

extension StoreEntitlements: Hashable {
    /// Returns whether both have the same content.
    public static func == (left: StoreEntitlements, right: StoreEntitlements) -> Bool {
        left.shared === right.shared
            || left.basis == right.basis && left.issues == right.issues && left.nextChange == right.nextChange
                && left.paidAppUpgrade == right.paidAppUpgrade && left.all == right.all
    }

    /// Hashes the basis and the entitlements.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(basis)
        hasher.combine(all)
    }
}

extension StoreEntitlements: CustomStringConvertible {
    /// Every entitlement, the basis of the answer, and the issues, on one line.
    public var description: String {
        let basis =
            switch basis {
            case .unknown: "unknown"
            case .confirmed: "confirmed"
            case .cached(let date): "cached \(date.formatted(.iso8601))"
            }
        let entitlements = all.isEmpty ? "nothing" : all.map(\.description).joined(separator: "; ")
        let grant = paidAppUpgrade.map { "; \($0.productID): paid with the app" } ?? ""
        let issues = issues.map { "\($0)" }.sorted().joined(separator: ", ")
        return "\(basis): \(entitlements)\(grant)" + (issues.isEmpty ? "" : " [\(issues)]")
    }
}

// The one order of entitlements: of several purchases of a product, and of several subscriptions of a group.

extension StoreEntitlement {
    /// Returns whether this entitlement comes before another one: access first, then the level of service, then a
    /// purchase of the customer's own, then the later end, then the newer transaction. Without access, billing retry
    /// comes first, and the level and the payer are ignored.
    /// - Parameter comparesLevels: Whether the levels of all candidates are known. With some unknown levels, the order
    ///   would depend on the order of the comparisons.
    private func precedes(_ other: StoreEntitlement, comparesLevels: Bool) -> Bool {
        if isEntitled != other.isEntitled { return isEntitled }
        if isEntitled {
            if comparesLevels, let level, let otherLevel = other.level, level != otherLevel {
                return level < otherLevel
            }
            let (isShared, otherIsShared) = (transaction.facts.isPaidByOthers, other.transaction.facts.isPaidByOthers)
            if isShared != otherIsShared { return otherIsShared }
        } else {
            let (isRetried, otherIsRetried) = (state == .inBillingRetryPeriod, other.state == .inBillingRetryPeriod)
            if isRetried != otherIsRetried { return isRetried }
        }
        if end != other.end { return end > other.end }
        return transaction.facts.isNewer(than: other.transaction.facts)
    }

    /// When access ends, or ended.
    private var end: Date {
        let end = accessEndDate ?? .distantFuture
        return isEntitled ? end : min(end, revocationDate ?? .distantFuture)
    }

    /// Returns the best entitlement to each product, in the order of the products.
    static func best(_ entitlements: some Sequence<StoreEntitlement>) -> [StoreEntitlement] {
        // The levels of one product are the same.
        Dictionary(entitlements.map { ($0.transaction.facts.productID, $0) }) {
            $1.precedes($0, comparesLevels: false) ? $1 : $0
        }
        .inOrder { $0.key < $1.key }.map(\.value)
    }

    /// Returns the best subscription of a group. A customer can have several: one that the customer pays, and others
    /// that family members share.
    static func best(ofGroup entitlements: [StoreEntitlement]) -> StoreEntitlement? {
        let comparesLevels = entitlements.allSatisfy { $0.level != nil }
        return entitlements.min { $0.precedes($1, comparesLevels: comparesLevels) }
    }
}

extension PurchaseFacts {
    /// Whether the transaction is of a later purchase or period than another one.
    func isNewer(than other: PurchaseFacts) -> Bool {
        if purchaseDate != other.purchaseDate { return purchaseDate > other.purchaseDate }
        let (end, otherEnd) = (expirationDate ?? .distantPast, other.expirationDate ?? .distantPast)
        if end != otherEnd { return end > otherEnd }
        // Identifiers are increasing numbers, so the longer one is newer.
        return (transactionID.utf8.count, transactionID) > (other.transactionID.utf8.count, other.transactionID)
    }
}
