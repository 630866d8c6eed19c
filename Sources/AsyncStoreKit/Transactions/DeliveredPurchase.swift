import AppReceipt
package import Foundation

/// A purchase that was delivered successfully, as a delivery ledger remembers it.
package struct DeliveredPurchase: Sendable, Hashable {
    package let key: String
    /// When the customer paid, by the App Store; `nil` if the queue didn't say.
    package let purchaseDate: Date?
    /// When the purchase was delivered, by the clock of the store.
    package var deliveryDate: Date
}

extension DeliveredPurchase {
    /// `nil` for a transaction without an identifier: nothing proves that a later transaction is the same purchase.
    init?(_ transaction: StoreTransaction) {
        guard transaction.holdsContent, transaction.id != nil else { return nil }
        self.init(
            key: transaction.deliveryKey, purchaseDate: transaction.originalPurchaseDateOfDelivery,
            deliveryDate: .distantPast)
    }

    /// Whether a transaction with the same delivery key is this purchase.
    ///
    /// The App Store never uses an identifier again. Xcode does when its transactions are deleted, so there the date of
    /// the purchase has to be the same, too.
    func isSamePurchase(as transaction: StoreTransaction) -> Bool {
        guard transaction.id != nil, key == transaction.deliveryKey else { return false }
        guard let purchaseDate, let other = transaction.originalPurchaseDateOfDelivery,
            abs(purchaseDate.timeIntervalSince(other)) >= 1
        else { return true }
        return transaction.signedInfo?.environment != .xcode
    }
}

extension StoreTransaction {
    /// When the purchase that the delivery key names was paid.
    fileprivate var originalPurchaseDateOfDelivery: Date? {
        state == .restored && signedText == nil ? originalPurchaseDate : purchaseDate
    }

    /// Whether the App Store says that the product is consumed. StoreKit 1 doesn't say what a product is, and never
    /// restores a consumable.
    var isConsumable: Bool { signedInfo?.productKind == .consumable }
}

/// The purchases that earlier launches delivered.
struct EarlierDeliveries: Sendable {
    /// By their keys; `nil` without a delivery ledger.
    private var purchases: [String: DeliveredPurchase]?
    /// The purchases that the app's earlier code has delivered, by transaction identifier or delivery key.
    var deliveredElsewhere: Set<String> = []
    /// The date before which the app's earlier code has delivered every purchase.
    var deliveredBefore: Date?

    /// Adds what the delivery ledger contains.
    mutating func add(_ recorded: [String: DeliveredPurchase]) {
        purchases = recorded
    }

    func contains(_ transaction: StoreTransaction) -> Bool {
        guard let purchases, transaction.holdsContent else { return false }
        if !deliveredElsewhere.isEmpty,
            transaction.id.map(deliveredElsewhere.contains) == true
                || deliveredElsewhere.contains(transaction.deliveryKey)
        {
            return true
        }
        if let deliveredBefore, let date = transaction.originalPurchaseDateOfDelivery, date < deliveredBefore {
            return true
        }
        return purchases[transaction.deliveryKey]?.isSamePurchase(as: transaction) ?? false
    }

    /// Returns what the delivery ledger has to record about a delivered purchase; `nil` without a ledger, and if it
    /// contains the purchase.
    func newDelivery(of transaction: StoreTransaction) -> DeliveredPurchase? {
        purchases == nil || contains(transaction) ? nil : DeliveredPurchase(transaction)
    }
}
