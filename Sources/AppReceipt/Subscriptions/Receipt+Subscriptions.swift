public import Foundation

extension Receipt {
    /// Returns the status of the auto-renewable subscription to any of `productIDs`. Pass all products of a group to
    /// get the status of the group.
    ///
    /// The transactions of each original transaction are evaluated separately, and the best result is returned: access,
    /// then billing retry, then the newest expired subscription. Within a subscription, the period that ends last is
    /// used. Upgraded and revoked periods are ignored, except for a date before the upgrade. A product without an
    /// expiration date, such as a lifetime purchase, gives permanent access. The evaluation takes microseconds for
    /// receipts of any size.
    ///
    /// - Parameters:
    ///   - productIDs: the products. Products that aren't in the receipt are ignored.
    ///   - date: the evaluation date.
    public func subscriptionStatus(of productIDs: Set<String>, at date: ReceiptEvaluationDate)
        -> ReceiptSubscriptionStatus
    {
        let evaluator = SubscriptionEvaluator(receipt: self, productIDs: productIDs, date: date)
        return evaluator.autoRenewable()
    }

    /// Returns the status of the auto-renewable subscription to `productID`.
    public func subscriptionStatus(of productID: String, at date: ReceiptEvaluationDate) -> ReceiptSubscriptionStatus {
        subscriptionStatus(of: [productID], at: date)
    }

    /// Returns whether the auto-renewable subscription to any of `productIDs` lasts until `date`. A period that starts
    /// later is included.
    package func subscriptionStatus(of productIDs: Set<String>, lastingUntil date: Date) -> ReceiptSubscriptionStatus {
        SubscriptionEvaluator(receipt: self, productIDs: productIDs, lastingUntil: date).autoRenewable()
    }

    /// Returns the status of the subscription in a group.
    ///
    /// Returns `nil` if the receipt doesn't contain groups. The JSON of `verifyReceipt` and signed transactions contain
    /// groups, PKCS#7 files don't.
    public func subscriptionStatus(ofGroup groupID: String, at date: ReceiptEvaluationDate)
        -> ReceiptSubscriptionStatus?
    {
        storage.index.groups.isEmpty
            ? nil : subscriptionStatus(of: Set((storage.index.groups[ByteKey(groupID)] ?? []).map(\.text)), at: date)
    }

    /// Returns whether the customer has access to `productID`: a purchase that isn't revoked, or an active
    /// auto-renewable subscription.
    ///
    /// Receipts don't contain the duration of a non-renewing subscription, so this function treats it as owned
    /// permanently. For non-renewing subscriptions, use ``subscriptionStatus(ofNonRenewing:duration:at:)``.
    ///
    /// A consumable is never owned. Use ``quantity(of:)`` for the quantity that isn't delivered yet. If the receipt
    /// doesn't contain the kind of the product, as in the JSON of `verifyReceipt`, any purchase without an expiration
    /// date is treated as owned.
    ///
    /// - Parameters:
    ///   - productID: the product.
    ///   - date: the evaluation date.
    ///   - includingFamilyShared: whether shared purchases of family members are included.
    public func owns(_ productID: String, at date: ReceiptEvaluationDate, includingFamilyShared: Bool = true) -> Bool {
        guard includingFamilyShared else {
            var contents = contents
            contents.transactions = transactions(of: productID).filter { !$0.isFamilyShared }
            return Receipt(contents).owns(productID, at: date)
        }
        let rows = transactions(of: productID)
        guard !rows.contains(where: { $0.productKind == .consumable }) else { return false }
        if subscriptionStatus(of: productID, at: date).isEntitled { return true }
        let horizon = date.horizon(for: self)
        return rows.contains { $0.isValid && $0.expirationDate == nil && $0.purchaseDate <= horizon }
    }

    /// Returns the status of each subscription group in the receipt. Groups with access come first, then those that end
    /// later.
    ///
    /// Products are in the same group if the receipt says so, or if they share an original transaction because the
    /// customer changed between them. This function visits all transactions.
    public func subscriptionStatuses(at date: ReceiptEvaluationDate) -> [ReceiptSubscriptionStatus] {
        let statuses = SubscriptionGroups(self).groups.map { subscriptionStatus(of: $0, at: date) }
        let keys = statuses.map(StatusOrder.init)
        return Positions.sorted(keys.count) { keys[$0] < keys[$1] }.map { statuses[$0] }
    }

    /// The order of statuses: access first, then the later end, then the product identifier.
    private struct StatusOrder {
        let isEntitled: Bool
        let end: Date
        let product: ByteKey

        init(_ status: ReceiptSubscriptionStatus) {
            isEntitled = status.isEntitled
            end = status.accessEndDate ?? .distantPast
            product = status.productIDs.map(ByteKey.init).min() ?? ByteKey("")
        }

        static func < (left: StatusOrder, right: StatusOrder) -> Bool {
            if left.isEntitled != right.isEntitled { return left.isEntitled }
            return left.end != right.end ? left.end > right.end : left.product < right.product
        }
    }

    /// Returns the status of a non-renewing subscription to any of `productIDs`. Each purchase extends an active
    /// subscription by `duration`, or starts a new one on its date.
    ///
    /// Apple's receipts don't contain the duration of a non-renewing subscription. A restored purchase starts on its
    /// original date, each unit of a quantity adds the duration, and revoked purchases are ignored.
    ///
    /// - Parameters:
    ///   - productIDs: the products with this duration.
    ///   - duration: the duration in seconds.
    ///   - date: the evaluation date.
    public func subscriptionStatus(
        ofNonRenewing productIDs: Set<String>, duration: TimeInterval, at date: ReceiptEvaluationDate
    ) -> ReceiptSubscriptionStatus {
        let evaluator = SubscriptionEvaluator(receipt: self, productIDs: productIDs, date: date)
        return evaluator.nonRenewing(duration: duration)
    }
}

/// The groups of products in a receipt, derived without the groups in App Store Connect.
struct SubscriptionGroups {
    private(set) var groups: [Set<String>] = []

    init(_ receipt: Receipt) {
        var groupOfLink: [ByteKey: Int] = [:]
        var groupOfProduct: [ByteKey: Int] = [:]
        var parents: [Int] = []

        func root(_ group: Int) -> Int {
            var group = group
            while parents[group] != group {
                // Path halving avoids quadratic time for a receipt with one long chain.
                parents[group] = parents[parents[group]]
                group = parents[group]
            }
            return group
        }

        for row in receipt.transactions where row.expirationDate != nil {
            let links =
                [ByteKey("t" + row.originalTransactionID)] + (row.subscriptionGroupID.map { [ByteKey("g" + $0)] } ?? [])
            let product = ByteKey(row.productID)
            let known = (links.map { groupOfLink[$0] } + [groupOfProduct[product]]).compactMap { $0 }.map(root)
            let group = known.min() ?? parents.count
            if known.isEmpty { parents.append(group) }
            for other in known { parents[other] = group }
            for link in links { groupOfLink[link] = group }
            groupOfProduct[product] = group
        }
        groups = Dictionary(grouping: groupOfProduct.keys) { root(groupOfProduct[$0] ?? 0) }.values.map {
            Set($0.map(\.text))
        }
    }
}
