import AppStoreSimulator
public import Foundation

// Billing plans, bundles and partial refunds.
extension Transaction {
    /// The commitment that a transaction of a monthly billing plan belongs to.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The number of the billing period, starting with 1.
        public let billingPeriodNumber: UInt64
        /// The number of billing periods in the commitment.
        public let totalBillingPeriods: UInt64
        /// When the commitment ends or renews.
        public let expirationDate: Date
        /// The price of the whole commitment.
        public let price: Decimal
    }

    /// The billing plan of the subscription.
    public var billingPlanType: SubscriptionInfo.BillingPlanType? {
        record.billingPlan.map { SubscriptionInfo.BillingPlanType(rawValue: $0.rawValue) }
    }

    /// The commitment that the transaction belongs to; `nil` outside a commitment.
    public var commitmentInfo: Transaction.CommitmentInfo? {
        record.commitment.map { commitment in
            CommitmentInfo(
                billingPeriodNumber: UInt64(commitment.billingPeriodNumber),
                totalBillingPeriods: UInt64(commitment.totalBillingPeriods), expirationDate: commitment.expirationDate,
                price: commitment.price)
        }
    }

    /// The extent of the revocation.
    public var revocationType: Transaction.RevocationType? {
        record.revocationType.map { RevocationType(rawValue: $0) }
    }

    /// The extent of the revocation.
    @available(iOS, deprecated: 26.4)
    public var revocationTypeStringRepresentation: String? { record.revocationType }

    /// The refunded percentage of the price, from 0 to 100.
    public var revocationPercentage: Decimal? { record.refundedPercentage }

    /// The product identifier of the bundle that includes the subscription.
    public var bundleProductID: String? { record.bundle?.productID }

    /// The subscription group of the bundle.
    public var bundleSubscriptionGroupID: String? { record.bundle?.groupID }

    /// The transaction of the bundle that pays for the period.
    public var bundleTransactionID: String? { record.bundle?.transactionID }

    /// The first transaction of the bundle.
    public var bundleOriginalTransactionID: String? { record.bundle?.originalTransactionID }

    /// The first transaction of the subscription that this subscription continues.
    public var previousOriginalTransactionID: UInt64? { record.previousOriginalTransactionID.flatMap(UInt64.init) }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The renewal information of a commitment.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The product that the commitment renews with.
        public let autoRenewPreference: String
        /// The billing plan after the commitment.
        public let renewalBillingPlanType: SubscriptionInfo.BillingPlanType
        /// When the commitment ends or renews.
        public let renewalDate: Date
        /// The price after the commitment.
        public let renewalPrice: Decimal
        /// Whether the commitment renews.
        public let willAutoRenew: Bool
    }

    /// The renewal information of the commitment; `nil` outside a commitment.
    public var commitmentInfo: Product.SubscriptionInfo.RenewalInfo.CommitmentInfo? {
        renewal.commitment.map { commitment in
            CommitmentInfo(
                autoRenewPreference: commitment.autoRenewPreference,
                renewalBillingPlanType: SubscriptionInfo.BillingPlanType(
                    rawValue: commitment.renewalBillingPlan.rawValue),
                renewalDate: commitment.renewalDate, renewalPrice: commitment.renewalPrice,
                willAutoRenew: commitment.willAutoRenew)
        }
    }

    /// The billing plan of the next period; `nil` without a next period.
    public var renewalBillingPlanType: SubscriptionInfo.BillingPlanType? {
        renewal.billingPlan.map { SubscriptionInfo.BillingPlanType(rawValue: $0.rawValue) }
    }

    /// The product identifier of the bundle that includes the subscription.
    public var bundleProductID: String? { renewal.bundle?.productID }

    /// The subscription group of the bundle.
    public var bundleSubscriptionGroupID: String? { renewal.bundle?.groupID }

    /// The first transaction of the bundle.
    public var bundleOriginalTransactionID: String? { renewal.bundle?.originalTransactionID }

    /// Whether the subscription leaves its bundle at the next renewal.
    public var willUnbundle: Bool { renewal.willUnbundle }
}
