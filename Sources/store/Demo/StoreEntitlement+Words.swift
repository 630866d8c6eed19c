import AsyncStoreKit
import Foundation

extension StoreEntitlement {
    /// The state of the entitlement in words, such as `active until 2026-02-01, renews`.
    var words: String {
        let end = accessEndDate.map { " until \($0.dayText)" } ?? ""
        switch state {
        case .subscribed:
            guard productKind == .autoRenewable, let renews = renewal?.willRenew else { return "active\(end)" }
            return "active\(end), \(renews ? "renews" : "doesn't renew")"
        case .inGracePeriod: return "grace period\(end)"
        case .inBillingRetryPeriod: return "in billing retry, no access"
        case .expired: return "expired"
        case .revoked: return "refunded"
        default: return state.rawValue
        }
    }
}

extension Date {
    /// The day in UTC, such as `2026-02-01`.
    var dayText: String { formatted(.iso8601.year().month().day()) }
}
