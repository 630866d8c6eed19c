public import Foundation

/// The status of a subscription: its state, and the transaction and dates that determine it.
public struct ReceiptSubscriptionStatus: Sendable {
    /// The state of the subscription.
    public let state: SubscriptionState
    /// The evaluated products.
    public let productIDs: Set<String>
    /// The evaluation date.
    public let date: Date
    /// The end of the deciding period, without a grace period; `nil` without a deciding transaction or expiration date.
    public let expirationDate: Date?
    /// The deciding transaction: the period that ends last, or the revoked transaction; `nil` without a purchase.
    public let transaction: ReceiptTransaction?
    /// The renewal information as of the receipt's request date; `nil` if the receipt doesn't contain it.
    public var renewal: ReceiptRenewal? { storedRenewal }

    @Boxed private var storedRenewal: ReceiptRenewal?
    let receipt: Receipt

    init(
        state: SubscriptionState, productIDs: Set<String>, date: Date, expirationDate: Date?,
        transaction: ReceiptTransaction?,
        renewal: ReceiptRenewal?, receipt: Receipt
    ) {
        self.state = state
        self.productIDs = productIDs
        self.date = date
        self.expirationDate = expirationDate
        self.transaction = transaction
        storedRenewal = renewal
        self.receipt = receipt
    }

    /// Whether the customer should have access: the subscription is active or in its grace period.
    public var isEntitled: Bool { state.isEntitled }

    /// When access ends: the end of the grace period or of the subscription period.
    public var accessEndDate: Date? {
        state == .inGracePeriod ? renewal?.gracePeriodExpirationDate ?? expirationDate : expirationDate
    }

    /// The offer for the deciding period.
    public var offer: TransactionOffer? { transaction?.offer }

    /// Whether another payment follows the deciding period; `nil` if the receipt doesn't say. See
    /// ``RenewalFacts/willRenew(after:)``.
    public var willAutoRenew: Bool? {
        transaction.flatMap { renewal?.facts.willRenew(after: $0.facts) }
    }

    /// Whether a family member bought and shares the deciding period.
    public var isFamilyShared: Bool { transaction?.isFamilyShared ?? false }

    /// All transactions of the evaluated products, newest first. Computed at each access.
    public var transactions: [ReceiptTransaction] { receipt.transactions(of: productIDs) }
}

extension ReceiptSubscriptionStatus: Hashable {
    /// Returns whether both statuses, their receipts and their evaluated products are equal.
    public static func == (lhs: ReceiptSubscriptionStatus, rhs: ReceiptSubscriptionStatus) -> Bool {
        lhs.state == rhs.state && lhs.productIDs == rhs.productIDs && lhs.date == rhs.date
            && lhs.expirationDate == rhs.expirationDate
            && lhs.transaction == rhs.transaction && lhs.renewal == rhs.renewal && lhs.receipt == rhs.receipt
    }

    /// Hashes the status without its receipt.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(productIDs)
        hasher.combine(date)
        hasher.combine(transaction)
    }
}
