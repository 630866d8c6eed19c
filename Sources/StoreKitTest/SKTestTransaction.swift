import AppStoreSimulator
public import Foundation
public import StoreKit

/// A transaction in the test environment, as it was when the session returned it.
// @unchecked because: the contents never change, but a subclass could add properties that do.
open class SKTestTransaction: NSObject, @unchecked Sendable {
    private let record: SimulatedHistoryRecord
    /// The renewal information of a subscription whose latest transaction this is.
    private let renewal: SimulatedRenewal?

    init(_ record: SimulatedHistoryRecord, _ renewal: SimulatedRenewal?) {
        self.record = record
        self.renewal = renewal
    }

    /// Whether this is the latest transaction of a subscription that renews.
    open var autoRenewingEnabled: Bool { record.willAutoRenew }

    /// The date of the refund; `nil` without one. An upgrade isn't a refund, not even one to a bundle.
    open var cancelDate: Date? {
        [nil, .upgradedToBundle].contains(record.revocationReason) ? nil : record.revocationDate
    }

    /// The end of a subscription's paid period.
    open var expirationDate: Date? { record.expirationDate }

    /// Whether the purchase was interrupted, or the payment of the next renewal failed. See
    /// ``SKTestSession/resolveIssueForTransaction(identifier:)``.
    open var hasPurchaseIssue: Bool { record.state == .interrupted || renewal?.isInBillingRetry == true }

    /// The identifier, which is also that of the `Transaction` in the app. A purchase that waits for approval or for
    /// the end of an interruption has it, and keeps it when it's paid.
    open var identifier: UInt { record.transactionID.flatMap { UInt($0) } ?? 0 }

    /// The identifier of the first transaction of the purchase or subscription.
    open var originalTransactionIdentifier: UInt { record.originalTransactionID.flatMap { UInt($0) } ?? 0 }

    /// Whether the purchase waits for approval.
    open var pendingAskToBuyConfirmation: Bool { record.state == .deferred }

    /// The identifier of the product.
    open var productIdentifier: String { record.productID }

    /// The date of the payment, or of its request if it waits for the customer.
    open var purchaseDate: Date { record.purchaseDate ?? .distantPast }

    /// The state of the transaction: purchased, deferred, or failed if the purchase was interrupted.
    open var state: SKPaymentTransactionState {
        switch record.state {
        case .purchased: .purchased
        case .deferred: .deferred
        case .interrupted: .failed
        }
    }

    /// Whether the subscriber has to consent to a higher price.
    open var isPendingPriceIncreaseConsent: Bool {
        renewal.map { $0.priceIncrease == .pending && $0.willAutoRenew } ?? false
    }

    /// The product, the identifier and the state.
    open override var description: String {
        let issue = hasPurchaseIssue ? ", has an issue" : ""
        return "\(productIdentifier) \(identifier): \(record.state)\(issue)"
    }
}
