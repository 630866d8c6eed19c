/// A customer of one product, in a state that apps have a screen for.
///
/// Use a customer in previews, snapshots, UI tests and screenshots, and ``allCases`` as the arguments of a test.
///
/// ```swift
/// let appStore = try SimulatedAppStore(.trialEndsToday, of: "club.monthly", in: catalog)
/// ```
public enum Customer: Sendable, Hashable {
    /// Has bought nothing.
    case new
    /// Is in the free trial of a subscription, on its second day.
    case trial
    /// Is in the last six hours of a free trial that renews.
    case trialEndsToday
    /// Owns the product, or pays for a subscription that renews.
    case active
    /// Has turned off the renewal of a subscription, in the middle of a paid period.
    case canceled
    /// Couldn't be charged for a renewal, and is in the grace period.
    case gracePeriod
    /// Couldn't be charged for a renewal, and has no grace period.
    case billingRetry
    /// Had a subscription until yesterday.
    case expired
    /// Got the money back.
    case refunded
    /// Uses a product that a family member shares.
    case familyMember
    /// Used a product that a family member shared until today.
    case familyEnded
    /// Has left the subscription for one of a higher level of service.
    case upgraded
    /// Pays for the subscription, and changes to a lower level of service with the next renewal.
    case downgradePending
    /// Is a child whose purchase waits for an approval.
    case pendingApproval
    /// Pays for a subscription whose price increases, and hasn't consented yet.
    case priceIncrease
    /// Had a subscription until a month ago, and can use its win-back offers.
    case winBack
    /// Owns the product, and has no connection.
    case offline
    /// Owns the product, and the device hasn't said so yet: its lists are empty, and statuses can't be read.
    case unknown
    /// Pays for a yearly subscription month by month, and is in this month of the commitment, 1 for the first.
    case commitment(month: Int)
    /// Has bought nothing, on a device whose history lists purchases of another Apple Account.
    case otherAccount
}

extension Customer: CaseIterable {
    /// Every state, with the seventh month of a commitment.
    public static let allCases: [Customer] = [
        .new, .trial, .trialEndsToday, .active, .canceled, .gracePeriod, .billingRetry, .expired, .refunded, .familyMember,
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

    /// Creates the customer with a name: its ``description``, in upper or lower case, or the beginning of one name only,
    /// such as `grace`. Returns `nil` for every other text.
    public init?(_ name: String) {
        let name = name.lowercased()
        if name.hasPrefix("commitment"), let month = Int(name.dropFirst("commitment".count)) {
            self = .commitment(month: month)
            return
        }
        let names = Self.allCases.map { (customer: $0, name: $0.description.lowercased()) }
        let matches = names.filter { !name.isEmpty && $0.name.hasPrefix(name) }
        guard let match = names.first(where: { $0.name == name }) ?? (matches.count == 1 ? matches.first : nil) else { return nil }
        self = match.customer
    }
}
