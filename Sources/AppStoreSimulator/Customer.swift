/// A customer of one product in a typical state of an app's screens.
///
/// Use a customer in previews, snapshots, UI tests and screenshots, and ``allCases`` as the arguments of a test.
///
/// ```swift
/// let appStore = try SimulatedAppStore(
///     .trialEndsToday, of: "club.monthly", in: catalog)
/// ```
public enum Customer: Sendable, Hashable {
    /// Hasn't bought anything.
    case new
    /// Is in the free trial of a subscription, on its second day.
    case trial
    /// Is in the last six hours of a free trial that renews.
    case trialEndsToday
    /// Owns the product, or pays for a subscription that renews.
    case active
    /// Has turned off the renewal of a subscription, in the middle of a paid period.
    case canceled
    /// Is in the grace period, because the payment of a renewal failed.
    case gracePeriod
    /// Is in billing retry without a grace period, because the payment of a renewal failed.
    case billingRetry
    /// Had a subscription until yesterday.
    case expired
    /// Received a refund.
    case refunded
    /// Uses a product that a family member shares.
    case familyMember
    /// Used a product that a family member shared until today.
    case familyEnded
    /// Upgraded from the subscription to a higher level of service.
    case upgraded
    /// Pays for the subscription, and changes to a lower level of service with the next renewal.
    case downgradePending
    /// Is a child whose purchase is waiting for approval.
    case pendingApproval
    /// Pays for a subscription whose price increases, and hasn't consented yet.
    case priceIncrease
    /// Had a subscription until a month ago, and can use its win-back offers.
    case winBack
    /// Owns the product, and has no connection.
    case offline
    /// Owns the product, but the device's lists are empty and statuses can't be read.
    case unknown
    /// Pays monthly for a yearly subscription, and is in this month of the commitment, starting with 1.
    case commitment(month: Int)
    /// Hasn't bought anything, on a device whose history contains purchases of another Apple Account.
    case otherAccount
}

extension Customer: CaseIterable {
    /// Every state, with the seventh month of a commitment.
    public static let allCases: [Customer] = [
        .new, .trial, .trialEndsToday, .active, .canceled, .gracePeriod, .billingRetry, .expired, .refunded,
        .familyMember,
        .familyEnded, .upgraded, .downgradePending, .pendingApproval, .priceIncrease, .winBack, .offline, .unknown,
        .commitment(month: 7), .otherAccount,
    ]
}

extension Customer: CustomStringConvertible {
    /// The name of the state, such as `gracePeriod` and `commitment7`.
    public var description: String {
        switch self {
        case .commitment(let month): "commitment\(month)"
        case .new: "new"
        case .trial: "trial"
        case .trialEndsToday: "trialEndsToday"
        case .active: "active"
        case .canceled: "canceled"
        case .gracePeriod: "gracePeriod"
        case .billingRetry: "billingRetry"
        case .expired: "expired"
        case .refunded: "refunded"
        case .familyMember: "familyMember"
        case .familyEnded: "familyEnded"
        case .upgraded: "upgraded"
        case .downgradePending: "downgradePending"
        case .pendingApproval: "pendingApproval"
        case .priceIncrease: "priceIncrease"
        case .winBack: "winBack"
        case .offline: "offline"
        case .unknown: "unknown"
        case .otherAccount: "otherAccount"
        }
    }

    /// Creates the customer with a name: a ``description`` in upper or lower case, or an unambiguous prefix, such as
    /// `grace`. Returns `nil` for other texts.
    public init?(_ name: String) {
        let name = name.lowercased()
        if name.hasPrefix("commitment"), let month = Int(name.dropFirst("commitment".count)) {
            self = .commitment(month: month)
            return
        }
        let names = Self.allCases.map { (customer: $0, name: $0.description.lowercased()) }
        let matches = names.filter { !name.isEmpty && $0.name.hasPrefix(name) }
        guard let match = names.first(where: { $0.name == name }) ?? (matches.count == 1 ? matches.first : nil) else {
            return nil
        }
        self = match.customer
    }
}
