import AppReceipt
import Foundation

// Transactions identify the customer by `appTransactionId`, the identifier of the customer's download of the app.
//
// Apple doesn't say whether a family-shared transaction has the identifier of the member who paid. A family-shared
// transaction never identifies the customer, and is never another customer's. The same holds for a transaction
// that an organization has assigned to the customer.

extension PurchaseFacts {
    /// Whether the transaction belongs to another customer; `false` for a transaction without an `appTransactionId`.
    func isAnotherCustomers(than customerID: String?) -> Bool {
        guard let customerID, let appTransactionID, !isPaidByOthers else { return false }
        return appTransactionID != customerID
    }

    /// Whether Apple signed this transaction later than the other one.
    func isSignedLater(than other: PurchaseFacts) -> Bool {
        (signedDate ?? .distantPast) > (other.signedDate ?? .distantPast)
    }

    /// Whether this copy of a transaction replaces the other one: Apple signed it later, or, of two that
    /// were signed at the same time, it doesn't undo a refund.
    func replaces(_ other: PurchaseFacts) -> Bool {
        isSignedLater(than: other) || !other.isSignedLater(than: self) && (other.isValid || !isValid)
    }
}

/// Identifies a transaction. A row of a receipt may share its identifier with a row of another product.
struct TransactionKey: Hashable, Sendable {
    let transactionID: String
    let productID: String

    init(_ row: PurchaseFacts) {
        transactionID = row.transactionID
        productID = row.productID
    }
}

extension Sequence<VerifiedTransaction> {
    /// The customers that these transactions name.
    private var customerIDs: Set<String> {
        Set(lazy.map(\.facts).filter { !$0.isPaidByOthers }.compactMap(\.appTransactionID))
    }

    /// The customer, when the transactions name exactly one.
    var customerID: String? {
        let ids = customerIDs
        return ids.count == 1 ? ids.first : nil
    }

    /// Whether the transactions are of more than one customer.
    var haveSeveralCustomers: Bool { customerIDs.count > 1 }

    /// Returns the transactions that may belong to the customer. While the customer is unknown and the transactions
    /// name several, returns those without an `appTransactionId`.
    func belonging(to customerID: String?) -> [Element] {
        if let customerID { return filter { !$0.facts.isAnotherCustomers(than: customerID) } }
        return haveSeveralCustomers ? filter { $0.facts.appTransactionID == nil } : Array(self)
    }
}

extension PurchaseListing {
    /// Creates a listing with the customer and the latest signed date, which follow from the transactions.
    package init(completing listing: PurchaseListing) {
        self = listing
        customerID = (transactions + subscriptions).customerID
        for list in [transactions, subscriptions, unfinished, past, latest] {
            for signedTransaction in list { addSignedDate(signedTransaction.facts.signedDate) }
        }
        for renewal in renewals { addSignedDate(renewal.facts.signedDate) }
    }

    /// Every transaction of the customer, each as Apple signed it last, newest first.
    var customersTransactions: [VerifiedTransaction] {
        let own = ofOneCustomer(customerID)
        let others = (unfinished + past + latest).belonging(to: own.customerID ?? unfinished.customerID)
        let copies = (own.transactions + own.subscriptions + others).map { (TransactionKey($0.facts), $0) }
        let newest = Dictionary(copies) { $1.facts.isSignedLater(than: $0.facts) ? $1 : $0 }
        return newest.values.inOrder { $0.facts.isNewer(than: $1.facts) }
    }

    /// Returns the history of one customer. If the device lists purchases of several, as it may while the account
    /// changes, those of the others are left out, and the listing is incomplete.
    /// - Parameter known: The customer of earlier reads. If the device lists nothing of this customer, the
    ///   listing has the purchases of the customer whose transaction Apple signed last.
    func ofOneCustomer(_ known: String?) -> PurchaseListing {
        let listed = transactions + subscriptions
        guard listed.haveSeveralCustomers else { return self }
        let own = listed.map(\.facts).filter { !$0.isPaidByOthers && $0.appTransactionID != nil }
        let listsCustomer = own.contains { $0.appTransactionID == known }
        let latest = own.max {
            ($0.signedDate ?? .distantPast, $0.transactionID) < ($1.signedDate ?? .distantPast, $1.transactionID)
        }
        var history = self
        history.customerID = listsCustomer ? known : latest?.appTransactionID
        history.transactions = transactions.belonging(to: history.customerID)
        history.subscriptions = subscriptions.belonging(to: history.customerID)
        let originals = Set((history.transactions + history.subscriptions).map(\.facts.originalTransactionID))
        history.statuses = statuses.filter { originals.contains($0.originalTransactionID) }
        history.failure = failure ?? StoreError(.unknown, "The device lists purchases of several customers.")
        return history
    }
}
