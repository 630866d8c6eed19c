import AppReceipt
import Foundation

extension StoreEntitlement {
    /// Something that Apple lets the customer do with a purchase.
    ///
    /// The set is open: later versions may add actions.
    public struct Action: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable word.
        public let rawValue: String

        /// Creates an action from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The stable word.
        public var description: String { rawValue }

        /// Request a refund, with ``PurchaseStore/requestRefund(for:in:)-(VerifiedTransaction,_)``.
        public static let requestRefund = Action(rawValue: "requestRefund")
        /// Cancel the subscription, or turn on its renewal, with ``PurchaseStore/manageSubscriptions(inGroup:in:)``.
        public static let manage = Action(rawValue: "manage")
        /// Change to another product of the subscription group, by a purchase or with
        /// ``PurchaseStore/manageSubscriptions(inGroup:in:)``.
        public static let changePlan = Action(rawValue: "changePlan")
    }

    /// The actions that Apple lets the customer take, for a settings screen. Empty over StoreKit 1, which has no sheets
    /// for them, except for ``Action/changePlan``, which is a purchase.
    ///
    /// | Action | Available |
    /// |---|---|
    /// | ``Action/requestRefund`` | for a paid purchase that Apple hasn't revoked, even after it has ended |
    /// | ``Action/manage`` | for a subscription that is active, in its grace period, or in billing retry |
    /// | ``Action/changePlan`` | for a subscription that is active or in its grace period |
    ///
    /// None is available for a product that a family member shares or an organization assigned: only the person who
    /// paid can take these actions. Apple reviews each refund, and may refuse old purchases.
    public var actions: Set<Action> {
        guard !transaction.isPaidByOthers else { return [] }
        var actions: Set<Action> = []
        let isSigned = transaction.isSigned
        let isStanding = revocationDate == nil && state != .revoked
        if isSigned, isStanding, transaction.price.map({ $0 > 0 }) ?? true { actions.insert(.requestRefund) }
        guard kind == .autoRenewable else { return actions }
        if isSigned, isEntitled || state == .inBillingRetryPeriod { actions.insert(.manage) }
        if isEntitled { actions.insert(.changePlan) }
        return actions
    }
}
