extension Receipt {
    /// The latest valid row of `productID`: neither taken back nor upgraded away. `nil` when there is none.
    ///
    /// The last period of a subscription counts as bought after it has expired; ask for a subscription's status instead.
    public func purchase(of productID: String) -> ReceiptPurchase? {
        row(storage.index.products[productID]?.newestValid.first)
    }

    /// Whether `productID` was bought and the purchase stands. Says nothing about whether a subscription is still running.
    ///
    /// - Parameter includingFamilyShared: whether what a family member bought and shares counts too.
    public func hasPurchased(_ productID: String, includingFamilyShared: Bool = true) -> Bool {
        guard !includingFamilyShared else { return purchase(of: productID) != nil }
        return purchases(of: [productID]).contains { $0.isValid && !$0.isFamilyShared }
    }

    /// Every row of `productID`, newest first, taken-back and upgraded ones included.
    public func purchases(of productID: String) -> [ReceiptPurchase] {
        purchases(of: [productID])
    }

    /// Every row of `productIDs`, newest first, taken-back and upgraded ones included.
    public func purchases(of productIDs: Set<String>) -> [ReceiptPurchase] {
        positions(of: productIDs).compactMap { row($0) }
    }

    /// The rows of the subscription, or of the purchase and its restored copies, that began with `originalTransactionID`; newest first.
    public func purchases(originalTransactionID: String) -> [ReceiptPurchase] {
        purchases.filter { $0.originalTransactionID == originalTransactionID }
    }

    /// The row of a transaction; `nil` when the receipt lags behind it.
    public func purchase(transactionID: String) -> ReceiptPurchase? {
        purchases.first { $0.transactionID == transactionID }
    }

    /// The products with at least one row, taken-back ones included.
    public var distinctProductIDs: Set<String> { Set(storage.index.products.keys) }

    /// The products with at least one row that has an end: the auto-renewable subscriptions.
    public var subscriptionProductIDs: Set<String> {
        distinctProductIDs.filter { productID in
            storage.index.products[productID]?.rows.contains { row($0)?.expirationDate != nil } ?? false
        }
    }

    /// The products of each subscription group; only `verifyReceipt`'s JSON names groups.
    public var subscriptionGroups: [String: Set<String>] { storage.index.groups }

    /// How many of `productID` were bought and stand: the sum of the quantities of its valid rows.
    ///
    /// A finished consumable disappears from the receipt with the next purchase, so this counts what is still to be delivered, not
    /// what was ever bought. A sum beyond `Int.max` is `Int.max`.
    public func quantity(of productID: String) -> Int {
        purchases(of: productID).filter(\.isValid).reduce(0) { sum, row in
            let (total, overflow) = sum.addingReportingOverflow(row.quantity)
            return overflow ? Int.max : total
        }
    }

    /// Whether a free trial or an introductory price was used for any of `productIDs`; within a group a customer is offered it once.
    public func hasUsedIntroductoryOffer(among productIDs: Set<String>) -> Bool {
        purchases(of: productIDs).contains { $0.isTrialPeriod || $0.isInIntroductoryOfferPeriod }
    }

    func row(_ position: Int32?) -> ReceiptPurchase? {
        guard let position, storage.contents.purchases.indices.contains(Int(position)) else { return nil }
        return storage.contents.purchases[Int(position)]
    }

    private func positions(of productIDs: Set<String>) -> [Int32] {
        let lists = productIDs.compactMap { storage.index.products[$0]?.rows }
        // The receipt's own order is newest first, whatever the product.
        return lists.count == 1 ? lists[0] : lists.flatMap { $0 }.sorted()
    }
}
