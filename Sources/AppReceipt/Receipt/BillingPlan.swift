/// How a subscription is billed: `billingPlanType`.
///
/// An open set: `rawValue` keeps values that Apple adds later.
public struct BillingPlan: RawRepresentable, Hashable, Sendable, Codable {
    /// The value in the payload.
    public let rawValue: String

    /// Creates a plan from its raw value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Billed monthly, with a commitment for the subscription period.
    public static let monthly = BillingPlan(rawValue: "MONTHLY")
    /// Billed once for the subscription period.
    public static let upFront = BillingPlan(rawValue: "BILLED_UPFRONT")
}

extension BillingPlan: CustomStringConvertible {
    /// The name of the plan, or the raw value of an unknown plan.
    public var description: String {
        switch self {
        case .monthly: "monthly"
        case .upFront: "upFront"
        default: rawValue
        }
    }
}
