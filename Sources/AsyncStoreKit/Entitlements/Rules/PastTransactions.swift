import AppReceipt
import Foundation

/// Transactions of the full history, and those that a complete read no longer lists. They never give access.
///
/// Of the periods of a subscription that weren't revoked, only the newest is kept: it says why access ended.
struct PastTransactions: Sendable {
    /// A subscription or purchase of one product.
    private struct PurchaseKey: Hashable, Sendable {
        let originalID: String
        let productID: String
    }

    private(set) var all = [TransactionKey: VerifiedTransaction]()
    private var newest = [PurchaseKey: TransactionKey]()
    /// The transactions of the full history of the last read.
    var history: Set<TransactionKey> = []
    /// The purchases that ended because nothing confirmed them, while the device listed nothing.
    var lapsed: Set<TransactionKey> = []

    /// Adds transactions that say why access ended.
    mutating func add(_ signedTransactions: [VerifiedTransaction]) {
        for signedTransaction in signedTransactions where signedTransaction.facts.productKind != .consumable {
            let row = signedTransaction.facts
            let key = TransactionKey(row)
            if let known = all[key], !row.replaces(known.facts) { continue }
            all[key] = signedTransaction
            // Revocations are all kept: each ends the access of its own transaction.
            guard row.isValid else { continue }
            let purchase = PurchaseKey(originalID: row.originalTransactionID, productID: row.productID)
            guard let known = newest[purchase], known != key, let other = all[known]?.facts, other.isValid else {
                newest[purchase] = key
                continue
            }
            let isNewer =
                (row.expirationDate ?? .distantPast, row.purchaseDate)
                > (other.expirationDate ?? .distantPast, other.purchaseDate)
            all[isNewer ? known : key] = nil
            if isNewer { newest[purchase] = key }
        }
    }

    /// Returns the transactions of the customer that aren't among the entries. A family-shared transaction needs this
    /// customer's `appTransactionId`, or none: the history may be another account's.
    func belonging(
        to customerID: String?, without entries: [TransactionKey: EntitlementRecords.Record]
    ) -> [VerifiedTransaction] {
        let others = all.compactMap { entries[$0.key] == nil ? $0.value : nil }
        return others.belonging(to: customerID).filter { signedTransaction in
            customerID == nil || signedTransaction.facts.appTransactionID.map { $0 == customerID } ?? true
        }
    }
}
