import AppReceipt

// The customer's transactions.
extension PurchaseStore {
    /// Returns every transaction of the customer that StoreKit still has, newest first.
    ///
    /// | Engine | What the history contains |
    /// |---|---|
    /// | StoreKit 2 | Each purchase and each renewal, refunded and upgraded ones too, each with its signature in ``VerifiedTransaction/jws``. Finished consumables only if the app's `Info.plist` has `SKIncludeConsumableInAppPurchaseHistory`, in iOS 18, macOS 15 and later. |
    /// | StoreKit 1 | What the receipt on the device lists, without separate signatures. Consumables only until they're finished. |
    ///
    /// Each call reads the complete history, which can take a moment. Transactions that another Apple Account made on
    /// this device are left out where the signed transactions tell the two apart, and transactions whose signature
    /// isn't valid are left out.
    ///
    /// Canceling the task only ends the wait.
    /// - Throws: ``StoreError/Code/receiptUnavailable`` over StoreKit 1 if there's no receipt,
    ///   ``StoreError/Code/timedOut`` if StoreKit doesn't return the history within a minute,
    ///   ``StoreError/Code/taskCancelled``, and the reason why the device couldn't be read.
    public func transactionHistory() async throws(StoreError) -> [VerifiedTransaction] {
        try await core.entitlements.history().customersTransactions
    }

    /// Returns the transactions of one product, newest first. See ``transactionHistory()``.
    /// - Throws: What ``transactionHistory()`` throws.
    public func transactionHistory(for productID: String) async throws(StoreError) -> [VerifiedTransaction] {
        try await transactionHistory(for: [productID])
    }

    /// Returns the transactions of several products, newest first. See ``transactionHistory()``.
    /// - Throws: What ``transactionHistory()`` throws.
    public func transactionHistory(
        for productIDs: some Collection<String>
    ) async throws(StoreError) -> [VerifiedTransaction] {
        let productIDs = Set(productIDs)
        return try await transactionHistory().filter { productIDs.contains($0.productID) }
    }

    /// Returns the newest transaction of a product, whether or not it still gives access; `nil` if the customer has
    /// never had the product. See ``transactionHistory()``. To check access, use ``entitlements``.
    /// - Throws: What ``transactionHistory()`` throws.
    public func latestTransaction(for productID: String) async throws(StoreError) -> VerifiedTransaction? {
        try await transactionHistory(for: productID).first
    }

    /// Reads the device, and returns the status of a subscription group, even if none of its products was loaded.
    ///
    /// | Engine | What the status says |
    /// |---|---|
    /// | StoreKit 2 | The state, the offer, the renewal, and why the subscription ended, with the signed texts in ``VerifiedTransaction/jws`` and ``StoreEntitlement/renewalJWS``. |
    /// | StoreKit 1 | `SubscriptionState.unknown` if the receipt has a subscription: receipts name no groups. |
    ///
    /// Of several subscriptions, such as the customer's own and one that a family member shares, the best one is used.
    /// The rules of ``entitlements`` apply: a failed read never takes access away.
    public func subscriptionStatus(inGroup groupID: String) async -> SubscriptionGroupStatus {
        await core.entitlements.refresh(readingGroup: groupID).status(inGroup: groupID)
    }
}
