import AppReceipt
import Foundation

/// Decides which products a purchase history entitles the customer to, from any source: StoreKit 1's receipt, StoreKit
/// 2's signed texts, the simulator, or the cache.
struct EntitlementEvaluator: Sendable {
    private let receipt: Receipt
    private let durations: [String: TimeInterval]
    private let kinds: [String: StoreProduct.Kind]
    private let productIDs: [String]

    /// Identifies a row.
    struct Key: Hashable, Sendable {
        let transactionID: String
        let productID: String

        init(_ row: ReceiptTransaction) {
            transactionID = row.transactionID
            productID = row.productID
        }

        init(_ entitlement: StoreEntitlement) {
            transactionID = entitlement.transactionID
            productID = entitlement.productID
        }
    }

    /// Returns the statement of each transaction that Apple signed last.
    static func newest(
        _ statements: [SignedStatement<ReceiptTransaction>]
    ) -> [Key: SignedStatement<ReceiptTransaction>] {
        Dictionary(statements.map { (Key($0.value), $0) }) { $1.value.isSignedLater(than: $0.value) ? $1 : $0 }
    }

    /// - Parameter durations: How long non-renewing subscriptions last, in seconds, by product.
    init(_ rows: [ReceiptTransaction], _ renewals: [ReceiptRenewal], durations: [String: TimeInterval]) {
        self.durations = durations
        kinds = Self.kinds(rows)
        productIDs = kinds.keys.inOrder(by: <)
        receipt = Receipt(ReceiptContents(transactions: rows, renewals: renewals))
    }

    /// Returns the entitlements to all products except consumables, by product. The caller adds the signed texts.
    func entitlements(at date: Date) -> [StoreEntitlement] {
        var receipt = receipt
        receipt.clock = { date }
        return productIDs.compactMap { entitlement(to: $0, receipt) }
    }

    /// Returns the entitlement to one product; `nil` for a consumable, and for an unknown product.
    func entitlement(to productID: String, at date: Date) -> StoreEntitlement? {
        var receipt = receipt
        receipt.clock = { date }
        return entitlement(to: productID, receipt)
    }

    private func entitlement(to productID: String, _ receipt: Receipt) -> StoreEntitlement? {
        guard let kind = kinds[productID] else { return nil }
        if kind == .autoRenewable {
            let status = receipt.subscriptionStatus(of: productID, at: .now)
            return entitlement(status, kind, end: status.accessEndDate)
        }
        if let duration = durations[productID] {
            // A free trial that is bought once is each customer's own.
            let own = kind == .nonConsumable ? receipt.withoutFamilyShared(productID) : receipt
            let status = own.subscriptionStatus(ofNonRenewing: [productID], duration: duration, at: .now)
            return entitlement(status, kind == .nonConsumable ? kind : .nonRenewable, end: status.expirationDate)
        }
        guard let newest = receipt.transactions(of: productID).first else { return nil }
        let valid = receipt.latestValidTransaction(of: productID)
        let state: StoreEntitlement.State = valid != nil ? .active : newest.isUpgraded ? .upgraded : .revoked
        return entitlement(valid ?? newest, kind, state, end: nil, renewal: nil)
    }

    /// Returns the kinds of the products except consumables, from the rows with the most details.
    private static func kinds(_ rows: [ReceiptTransaction]) -> [String: StoreProduct.Kind] {
        var kinds = [String: ReceiptProductKind?]()
        for row in rows {
            let kind = row.expirationDate != nil ? ReceiptProductKind.autoRenewableSubscription : row.productKind
            guard let known = kinds[row.productID] else {
                kinds[row.productID] = .some(kind)
                continue
            }
            if known == nil || kind == .autoRenewableSubscription { kinds[row.productID] = .some(kind) }
        }
        return kinds.compactMapValues { kind in
            switch kind {
            case .nonConsumable?: .nonConsumable
            case .consumable?: nil
            case .nonRenewingSubscription?: .nonRenewable
            case .autoRenewableSubscription?: .autoRenewable
            default: .unknown
            }
        }
    }

    private func entitlement(_ status: ReceiptSubscriptionStatus, _ kind: StoreProduct.Kind, end: Date?)
        -> StoreEntitlement?
    {
        guard let row = status.transaction else { return nil }
        return entitlement(row, kind, StoreEntitlement.State(status.state), end: end, renewal: status.renewal)
    }

    private func entitlement(
        _ row: ReceiptTransaction, _ kind: StoreProduct.Kind, _ state: StoreEntitlement.State, end: Date?,
        renewal: ReceiptRenewal?
    ) -> StoreEntitlement {
        StoreEntitlement(row, kind: kind, state: state, accessEndDate: end, renewal: renewal)
    }
}

extension Receipt {
    /// Returns the receipt without the transactions of a product that a family member shares.
    fileprivate func withoutFamilyShared(_ productID: String) -> Receipt {
        var own = Receipt(ReceiptContents(transactions: transactions(of: productID).filter { !$0.isFamilyShared }))
        own.clock = clock
        return own
    }
}

extension ReceiptTransaction {
    /// Whether Apple signed this statement later than the other one.
    func isSignedLater(than other: ReceiptTransaction) -> Bool {
        (signedDate ?? .distantPast) > (other.signedDate ?? .distantPast)
    }

    /// Whether this statement counts rather than the other one about the same transaction: Apple signed it later, or,
    /// of two that were signed at the same time, it doesn't take back a refund.
    func replaces(_ other: ReceiptTransaction) -> Bool {
        isSignedLater(than: other) || !other.isSignedLater(than: self) && (other.isValid || !isValid)
    }
}

extension StoreEntitlement.State {
    fileprivate init(_ state: ReceiptSubscriptionState) {
        switch state {
        case .subscribed: self = .active
        case .inBillingRetryPeriod: self = .inBillingRetry
        // The other states have the same word. An unknown state keeps its own.
        default: self.init(rawValue: state.rawValue)
        }
    }
}

extension StoreEntitlement.Renewal {
    init(_ renewal: ReceiptRenewal, after period: ReceiptTransaction) {
        self.init(
            willRenew: renewal.willRenew(after: period), productID: renewal.autoRenewPreference,
            date: renewal.terms?.date,
            price: renewal.terms?.price, currencyCode: renewal.terms?.currencyCode,
            offer: renewal.appliedOffer.map(StoreEntitlement.Offer.init), expirationReason: renewal.expirationReason,
            isPriceIncreasePending: renewal.priceIncreaseStatus == .pending,
            eligibleWinBackOfferIDs: renewal.terms?.eligibleWinBackOfferIDs ?? [],
            billingPlan: renewal.terms?.billingPlan,
            commitment: renewal.terms?.commitment, changeDate: renewal.changeDate(after: period),
            willUnbundle: renewal.terms?.willUnbundle ?? false)
    }
}
