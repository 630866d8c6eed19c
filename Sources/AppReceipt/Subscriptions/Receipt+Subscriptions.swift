public import Foundation

extension Receipt {
    /// Where the auto-renewable subscription to any of `productIDs` stands: name every product of a group to ask about the group.
    ///
    /// The period that ends last decides; upgraded and taken-back ones do not count. Takes microseconds, whatever the size of the receipt.
    ///
    /// - Parameters:
    ///   - productIDs: the products; a product the receipt does not know is no error.
    ///   - date: the moment to judge by.
    public func subscriptionStatus(of productIDs: Set<String>, at date: ReceiptJudgingDate) -> ReceiptSubscriptionStatus {
        let judge = SubscriptionJudge(receipt: self, productIDs: productIDs, date: date)
        return judge.autoRenewable()
    }

    /// Where the auto-renewable subscription to `productID` stands.
    public func subscriptionStatus(of productID: String, at date: ReceiptJudgingDate) -> ReceiptSubscriptionStatus {
        subscriptionStatus(of: [productID], at: date)
    }

    /// Whether the auto-renewable subscription to any of `productIDs` lasts until `date`; a period that begins later lasts longer still.
    package func subscriptionStatus(of productIDs: Set<String>, lastingUntil date: Date) -> ReceiptSubscriptionStatus {
        SubscriptionJudge(receipt: self, productIDs: productIDs, lastingUntil: date).autoRenewable()
    }

    /// Where the subscription in a group stands, without naming its products.
    ///
    /// Only `verifyReceipt`'s JSON names groups; for a PKCS#7 receipt the answer is ``ReceiptSubscriptionState/neverBought``.
    public func subscriptionStatus(ofGroup groupID: String, at date: ReceiptJudgingDate) -> ReceiptSubscriptionStatus {
        subscriptionStatus(of: storage.index.groups[groupID] ?? [], at: date)
    }

    /// Where every subscription in the receipt stands, one answer for each group, those first that give access longest.
    ///
    /// Products belong to one group when the receipt says so, or when a customer has changed between them within one subscription: then their
    /// rows have the same original transaction. Looks at every row.
    public func subscriptionStatuses(at date: ReceiptJudgingDate) -> [ReceiptSubscriptionStatus] {
        SubscriptionGroups(self).groups
            .map { subscriptionStatus(of: $0, at: date) }
            .sorted { left, right in
                let (leftEnd, rightEnd) = (left.accessEndDate ?? .distantPast, right.accessEndDate ?? .distantPast)
                if left.isEntitled != right.isEntitled { return left.isEntitled }
                return leftEnd != rightEnd ? leftEnd > rightEnd : left.productIDs.min() ?? "" < right.productIDs.min() ?? ""
            }
    }

    /// Where a non-renewing subscription to any of `productIDs` stands: each purchase gives access for `duration`, from its purchase date.
    ///
    /// Apple's receipts do not say how long a non-renewing subscription lasts. Purchases that overlap do not add up; the one made last decides.
    ///
    /// - Parameters:
    ///   - productIDs: the products, all of the same duration.
    ///   - duration: in seconds.
    ///   - date: the moment to judge by.
    public func subscriptionStatus(
        ofNonRenewing productIDs: Set<String>, duration: TimeInterval, at date: ReceiptJudgingDate
    ) -> ReceiptSubscriptionStatus {
        let judge = SubscriptionJudge(receipt: self, productIDs: productIDs, date: date)
        return judge.nonRenewing(duration: duration)
    }
}
