extension Receipt {
    /// Returns the latest transaction of `productID` that is neither revoked nor upgraded; `nil` if no
    /// transaction qualifies.
    ///
    /// The last period of a subscription stays valid after it expires. To check access, use
    /// ``owns(_:at:includingFamilyShared:)``.
    public func latestValidTransaction(of productID: String) -> ReceiptTransaction? {
        row(storage.index.products[ByteKey(productID)]?.rows.first { row($0)?.isValid ?? false })
    }

    /// Returns all transactions of `productID`, including revoked and upgraded ones, newest first.
    public func transactions(of productID: String) -> [ReceiptTransaction] {
        transactions(of: [productID])
    }

    /// Returns all transactions of `productIDs`, including revoked and upgraded ones, newest first.
    public func transactions(of productIDs: Set<String>) -> [ReceiptTransaction] {
        positions(of: productIDs).compactMap { row($0) }
    }

    /// Returns the transactions of a subscription, or of a purchase and its restored copies, by the identifier of the
    /// first transaction; newest first.
    public func transactions(originalTransactionID: String) -> [ReceiptTransaction] {
        transactions.filter { $0.originalTransactionID.hasSameBytes(as: originalTransactionID) }
    }

    /// Returns the transaction with an identifier; `nil` if the receipt is older than the transaction.
    public func transaction(id transactionID: String) -> ReceiptTransaction? {
        transactions.first { $0.transactionID.hasSameBytes(as: transactionID) }
    }

    /// The products with at least one transaction, including revoked ones.
    public var distinctProductIDs: Set<String> { Set(storage.index.products.keys.map(\.text)) }

    /// The auto-renewable subscriptions: the products with at least one transaction that has an expiration date.
    public var subscriptionProductIDs: Set<String> {
        distinctProductIDs.filter { productID in
            storage.index.products[ByteKey(productID)]?.rows.contains { row($0)?.expirationDate != nil } ?? false
        }
    }

    /// The products of each subscription group. PKCS#7 files don't name groups.
    public var subscriptionGroups: [String: Set<String>] {
        var groups: [String: Set<String>] = [:]
        for (group, products) in storage.index.groups { groups[group.text] = Set(products.map(\.text)) }
        return groups
    }

    /// Returns the total quantity of the valid transactions of `productID`.
    ///
    /// A finished consumable disappears from the receipt with the next purchase, so the result includes consumables
    /// that aren't delivered yet, not all consumables that were bought. A total above `Int.max` is `Int.max`.
    public func quantity(of productID: String) -> Int {
        transactions(of: productID).filter(\.isValid).reduce(0) { sum, row in
            let (total, overflow) = sum.addingReportingOverflow(row.quantity)
            return overflow ? Int.max : total
        }
    }

    /// Returns whether the customer used a free trial or an introductory price for any of `productIDs`. A customer gets
    /// one introductory offer for each subscription group.
    public func hasUsedIntroductoryOffer(among productIDs: Set<String>) -> Bool {
        transactions(of: productIDs).contains { $0.isTrialPeriod || $0.isInIntroductoryOfferPeriod }
    }

    private func row(_ position: Int32?) -> ReceiptTransaction? {
        guard let position, storage.contents.transactions.indices.contains(Int(position)) else { return nil }
        return storage.contents.transactions[Int(position)]
    }

    private func positions(of productIDs: Set<String>) -> [Int32] {
        let lists = productIDs.compactMap { storage.index.products[ByteKey($0)]?.rows }
        // The receipt lists the transactions of all products newest first.
        return lists.count == 1 ? lists[0] : lists.flatMap { $0 }.inOrder(by: <)
    }
}
