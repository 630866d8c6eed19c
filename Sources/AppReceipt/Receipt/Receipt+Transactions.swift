extension Receipt {
    /// The latest valid transaction of `productID`: neither revoked nor upgraded. `nil` when there is none.
    ///
    /// The last period of a subscription is valid after it has expired, too; ask ``owns(_:at:includingFamilyShared:)``
    /// about access.
    public func latestValidTransaction(of productID: String) -> ReceiptTransaction? {
        row(storage.index.products[ByteKey(productID)]?.rows.first { row($0)?.isValid ?? false })
    }

    /// Every transaction of `productID`, newest first, revoked and upgraded ones included.
    public func transactions(of productID: String) -> [ReceiptTransaction] {
        transactions(of: [productID])
    }

    /// Every transaction of `productIDs`, newest first, revoked and upgraded ones included.
    public func transactions(of productIDs: Set<String>) -> [ReceiptTransaction] {
        positions(of: productIDs).compactMap { row($0) }
    }

    /// The transactions of the subscription, or of the purchase and its restored copies, that began with
    /// `originalTransactionID`; newest first.
    public func transactions(originalTransactionID: String) -> [ReceiptTransaction] {
        transactions.filter { $0.originalTransactionID.hasSameBytes(as: originalTransactionID) }
    }

    /// The transaction with this identifier; `nil` when the receipt lags behind it.
    public func transaction(id transactionID: String) -> ReceiptTransaction? {
        transactions.first { $0.transactionID.hasSameBytes(as: transactionID) }
    }

    /// The products with at least one transaction, revoked ones included.
    public var distinctProductIDs: Set<String> { Set(storage.index.products.keys.map(\.text)) }

    /// The products with at least one transaction that has an end: the auto-renewable subscriptions.
    public var subscriptionProductIDs: Set<String> {
        distinctProductIDs.filter { productID in
            storage.index.products[ByteKey(productID)]?.rows.contains { row($0)?.expirationDate != nil } ?? false
        }
    }

    /// The products of each subscription group; a PKCS#7 file names no groups.
    public var subscriptionGroups: [String: Set<String>] {
        var groups: [String: Set<String>] = [:]
        for (group, products) in storage.index.groups { groups[group.text] = Set(products.map(\.text)) }
        return groups
    }

    /// How many of `productID` were bought and not revoked: the sum of the quantities of its valid transactions.
    ///
    /// A finished consumable disappears from the receipt with the next purchase, so this counts consumables that are
    /// still to be delivered, not all that were bought. A sum beyond `Int.max` is `Int.max`.
    public func quantity(of productID: String) -> Int {
        transactions(of: productID).filter(\.isValid).reduce(0) { sum, row in
            let (total, overflow) = sum.addingReportingOverflow(row.quantity)
            return overflow ? Int.max : total
        }
    }

    /// Whether a free trial or an introductory price was used for any of `productIDs`; within a group a customer is
    /// offered it once.
    public func hasUsedIntroductoryOffer(among productIDs: Set<String>) -> Bool {
        transactions(of: productIDs).contains { $0.isTrialPeriod || $0.isInIntroductoryOfferPeriod }
    }

    private func row(_ position: Int32?) -> ReceiptTransaction? {
        guard let position, storage.contents.transactions.indices.contains(Int(position)) else { return nil }
        return storage.contents.transactions[Int(position)]
    }

    private func positions(of productIDs: Set<String>) -> [Int32] {
        let lists = productIDs.compactMap { storage.index.products[ByteKey($0)]?.rows }
        // The receipt's own order is newest first, whatever the product.
        return lists.count == 1 ? lists[0] : lists.flatMap { $0 }.inOrder(by: <)
    }
}
