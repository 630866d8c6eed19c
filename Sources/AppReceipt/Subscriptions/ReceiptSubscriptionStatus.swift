public import Foundation

/// The answer to a question about a subscription: the state, and what it was concluded from.
public struct ReceiptSubscriptionStatus: Sendable {
    /// Where the subscription stands.
    public let state: ReceiptSubscriptionState
    /// The products asked about.
    public let productIDs: Set<String>
    /// The moment judged by.
    public let date: Date
    /// When the deciding period ends, or ended; without a grace period. `nil` when there is no such row, or it has no
    /// end.
    public let expirationDate: Date?
    /// The row that decided: the period that ends last, or the row taken back. `nil` when never bought.
    public let transaction: ReceiptTransaction?
    /// What Apple plans for the next renewal, as of the receipt's request date; `nil` where the receipt does not say.
    public var renewal: ReceiptRenewal? { keptRenewal }

    @Boxed private var keptRenewal: ReceiptRenewal?
    let receipt: Receipt

    init(
        state: ReceiptSubscriptionState, productIDs: Set<String>, date: Date, expirationDate: Date?, transaction: ReceiptTransaction?,
        renewal: ReceiptRenewal?, receipt: Receipt
    ) {
        self.state = state
        self.productIDs = productIDs
        self.date = date
        self.expirationDate = expirationDate
        self.transaction = transaction
        keptRenewal = renewal
        self.receipt = receipt
    }

    /// Whether the customer should have access: active, or in the grace period.
    public var isEntitled: Bool { state == .subscribed || state == .inGracePeriod }

    /// When access ends, or ended: the end of the grace period when there is one, otherwise that of the period.
    public var accessEndDate: Date? {
        state == .inGracePeriod ? renewal?.gracePeriodExpirationDate ?? expirationDate : expirationDate
    }

    /// The offer under which the deciding period was bought.
    public var appliedOffer: SignedTransactionOffer? { transaction?.appliedOffer }

    /// Whether another payment follows the deciding period; `nil` if the receipt doesn't say. See
    /// ``ReceiptRenewal/willRenew(after:)``.
    public var willAutoRenew: Bool? {
        transaction.flatMap { renewal?.willRenew(after: $0) }
    }

    /// Whether a family member bought the deciding period and shares it.
    public var isFamilyShared: Bool { transaction?.isFamilyShared ?? false }

    /// Every row of the products asked about, newest first. Put together anew at each access.
    public var transactions: [ReceiptTransaction] { receipt.transactions(of: productIDs) }
}

extension ReceiptSubscriptionStatus: Hashable {
    /// Whether both answers are the same, for the same question to the same receipt.
    public static func == (lhs: ReceiptSubscriptionStatus, rhs: ReceiptSubscriptionStatus) -> Bool {
        lhs.state == rhs.state && lhs.productIDs == rhs.productIDs && lhs.date == rhs.date && lhs.expirationDate == rhs.expirationDate
            && lhs.transaction == rhs.transaction && lhs.renewal == rhs.renewal && lhs.receipt == rhs.receipt
    }

    /// Hashes the answer; the receipt is left to `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(productIDs)
        hasher.combine(date)
        hasher.combine(transaction)
    }
}
