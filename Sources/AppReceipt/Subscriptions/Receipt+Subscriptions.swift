public import Foundation

extension Receipt {
    /// Where the auto-renewable subscription to any of `productIDs` stands: name every product of a group to ask about
    /// the group.
    ///
    /// The subscriptions of one original transaction are evaluated by themselves, and the best counts: access before
    /// billing retry before the newest of those that have ended. Of one subscription the period that ends last decides;
    /// upgraded and revoked ones do not count, but for a given moment before the upgrade. A product among them without
    /// an end, such as a lifetime purchase, gives permanent access. Takes microseconds, whatever the size of the
    /// receipt.
    ///
    /// - Parameters:
    ///   - productIDs: the products; a product the receipt does not know is no error.
    ///   - date: the moment to evaluate for.
    public func subscriptionStatus(of productIDs: Set<String>, at date: ReceiptEvaluationDate) -> ReceiptSubscriptionStatus {
        let evaluator = SubscriptionEvaluator(receipt: self, productIDs: productIDs, date: date)
        return evaluator.autoRenewable()
    }

    /// Where the auto-renewable subscription to `productID` stands.
    public func subscriptionStatus(of productID: String, at date: ReceiptEvaluationDate) -> ReceiptSubscriptionStatus {
        subscriptionStatus(of: [productID], at: date)
    }

    /// Whether the auto-renewable subscription to any of `productIDs` lasts until `date`; a period that begins later
    /// lasts longer still.
    package func subscriptionStatus(of productIDs: Set<String>, lastingUntil date: Date) -> ReceiptSubscriptionStatus {
        SubscriptionEvaluator(receipt: self, productIDs: productIDs, lastingUntil: date).autoRenewable()
    }

    /// Where the subscription in a group stands, without naming its products.
    ///
    /// `nil` when the receipt names no groups at all: a PKCS#7 file does not; `verifyReceipt`'s JSON and signed
    /// transactions do.
    public func subscriptionStatus(ofGroup groupID: String, at date: ReceiptEvaluationDate) -> ReceiptSubscriptionStatus? {
        storage.index.groups.isEmpty
            ? nil : subscriptionStatus(of: Set((storage.index.groups[ByteKey(groupID)] ?? []).map(\.text)), at: date)
    }

    /// Whether the customer has access to `productID`: bought, not revoked, and, where it is an auto-renewable
    /// subscription, not ended.
    ///
    /// A non-renewing subscription counts as owned for good, since receipts do not say how long it lasts: ask
    /// ``subscriptionStatus(ofNonRenewing:duration:at:)``.
    ///
    /// A consumable is never owned, because it is used up: ``quantity(of:)`` has the number that is still to be
    /// delivered. Where the receipt doesn't name the kind of the product, as the JSON of `verifyReceipt` doesn't, any
    /// purchase without an end counts as owned.
    ///
    /// - Parameters:
    ///   - productID: the product; `false` for one that the receipt does not know.
    ///   - date: the moment to evaluate for.
    ///   - includingFamilyShared: whether what a family member bought and shares counts too.
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

    /// Where every subscription in the receipt stands, one answer for each group, those first that give access longest.
    ///
    /// Products belong to one group when the receipt says so, or when a customer has changed between them within one
    /// subscription: then their rows have the same original transaction. Looks at every row.
    public func subscriptionStatuses(at date: ReceiptEvaluationDate) -> [ReceiptSubscriptionStatus] {
        let statuses = SubscriptionGroups(self).groups.map { subscriptionStatus(of: $0, at: date) }
        let keys = statuses.map(StatusOrder.init)
        return Positions.sorted(keys.count) { keys[$0] < keys[$1] }.map { statuses[$0] }
    }

    /// Access first, then what lasts longer; between equals the product's identifier decides.
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

    /// Where a non-renewing subscription to any of `productIDs` stands: each purchase adds `duration` to the end of
    /// those before it, or, where they have ended, begins on its own date.
    ///
    /// Apple's receipts do not say how long a non-renewing subscription lasts. A restored copy of a purchase counts
    /// from the purchase's original date, a purchase of several as that many, a revoked one not at all.
    ///
    /// - Parameters:
    ///   - productIDs: the products, all of the same duration.
    ///   - duration: in seconds.
    ///   - date: the moment to evaluate for.
    public func subscriptionStatus(
        ofNonRenewing productIDs: Set<String>, duration: TimeInterval, at date: ReceiptEvaluationDate
    ) -> ReceiptSubscriptionStatus {
        let evaluator = SubscriptionEvaluator(receipt: self, productIDs: productIDs, date: date)
        return evaluator.nonRenewing(duration: duration)
    }
}

/// The products in a receipt between which customers can change, found without knowing the groups in App Store Connect.
struct SubscriptionGroups {
    private(set) var groups: [Set<String>] = []

    init(_ receipt: Receipt) {
        var groupOfLink: [ByteKey: Int] = [:]
        var groupOfProduct: [ByteKey: Int] = [:]
        var parents: [Int] = []

        func root(_ group: Int) -> Int {
            var group = group
            while parents[group] != group {
                // Halving the path on every walk keeps a receipt made of one long chain from costing time in its
                // square.
                parents[group] = parents[parents[group]]
                group = parents[group]
            }
            return group
        }

        for row in receipt.transactions where row.expirationDate != nil {
            let links = [ByteKey("t" + row.originalTransactionID)] + (row.subscriptionGroupID.map { [ByteKey("g" + $0)] } ?? [])
            let product = ByteKey(row.productID)
            let known = (links.map { groupOfLink[$0] } + [groupOfProduct[product]]).compactMap { $0 }.map(root)
            let group = known.min() ?? parents.count
            if known.isEmpty { parents.append(group) }
            for other in known { parents[other] = group }
            for link in links { groupOfLink[link] = group }
            groupOfProduct[product] = group
        }
        groups = Dictionary(grouping: groupOfProduct.keys) { root(groupOfProduct[$0] ?? 0) }.values.map { Set($0.map(\.text)) }
    }
}
