import AppReceipt

// Transactions identify the customer by `appTransactionId`, the identifier of the customer's download of the app.
//
// Apple doesn't say whether a family-shared transaction has the identifier of the member who paid. A family-shared
// transaction never identifies the customer, and never counts as another customer's. The same holds for a transaction
// that an organization has assigned to the customer.

extension ReceiptTransaction {
    /// Whether the transaction belongs to another customer; `false` for a transaction without an `appTransactionId`.
    func isAnotherCustomers(than customerID: String?) -> Bool {
        guard let customerID, let appTransactionID, !isPaidByOthers else { return false }
        return appTransactionID != customerID
    }

    /// Whether a family member or an organization has paid.
    var isPaidByOthers: Bool { isFamilyShared || isAssigned }
}

extension Sequence<SignedStatement<ReceiptTransaction>> {
    /// The customers that these transactions name.
    private var customerIDs: Set<String> {
        Set(lazy.map(\.value).filter { !$0.isPaidByOthers }.compactMap(\.appTransactionID))
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
        if let customerID { return filter { !$0.value.isAnotherCustomers(than: customerID) } }
        return haveSeveralCustomers ? filter { $0.value.appTransactionID == nil } : Array(self)
    }
}
