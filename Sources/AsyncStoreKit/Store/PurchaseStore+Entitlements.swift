package import AppReceipt

extension PurchaseStore {
    /// What the customer may use: now, and each time that it changes.
    ///
    /// ```swift
    /// for await entitlements in store.entitlements { show(entitlements.contains(anyOf: ["pro"])) }
    /// ```
    /// Nothing is taken away without evidence: an empty, failed or flickering read of the device ends no entitlement. What has just been
    /// bought counts at once.
    public var entitlements: EntitlementSequence { EntitlementSequence(keeper: core.entitlements) }

    /// The consumables that the customer has bought, newest first, as far as the App Store keeps them.
    ///
    /// It forgets them when they are finished, unless the app's `Info.plist` has `SKIncludeConsumableInAppPurchaseHistory` (from iOS 18,
    /// macOS 15 on); refunded ones are among them.
    /// - Throws: ``StoreError/Code/unsupported`` over StoreKit 1, whose receipt lists only what is not finished, and why the device could
    ///   not be read.
    public var consumablePurchases: [ConsumablePurchase] {
        get async throws(StoreError) {
            let history = try await core.entitlements.history()
            guard !history.isSignedAsWhole else {
                throw StoreError(.unsupported, "A receipt lists consumables only until they are finished: StoreKit 2 is needed.")
            }
            var seen: Set<String> = []
            return history.transactions.compactMap(ConsumablePurchase.init).filter { seen.insert($0.id).inserted }
                .inOrder { ($0.purchaseDate, $0.id) > ($1.purchaseDate, $1.id) }
        }
    }

    /// The customer's purchase of the app itself, by which an app that was sold once tells those who paid.
    ///
    /// Nothing is asked of the network on purpose; StoreKit 2 may have to on its own account, the first time.
    /// - Throws: ``StoreError/Code/receiptUnavailable`` when the device has none at hand, as on iOS 15 under StoreKit 2, and why the device
    ///   could not be read.
    public var appTransaction: StoreAppTransaction {
        get async throws(StoreError) {
            let history = try await core.entitlements.history()
            if let receipt = history.receipt { return StoreAppTransaction(receipt) }
            guard let text = history.app?.jws, let info = try? SignedPayload.unverified(jws: text).appTransaction else {
                throw StoreError(.receiptUnavailable, "The device has no app transaction at hand.")
            }
            return StoreAppTransaction(info, signedText: text)
        }
    }

    /// Whether the customer may use an introductory offer in a subscription group; `nil` when nobody can tell.
    ///
    /// StoreKit is asked, and contradicted where the customer's own history knows better: it keeps its first answer for as long as the
    /// process runs, and says yes where there is no offer. Among the products that have been asked for, those of the group count.
    public func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? {
        let history = try? await core.entitlements.history()
        let products = core.productRequests.knownValues.filter { $0.subscriptionGroupID == groupID }
        let ids = Set(products.map(\.id))
        let hasUsed = history?.transactions.contains { statement in
            let row = statement.value
            guard row.isTrialPeriod || row.isInIntroductoryOfferPeriod, !row.isFamilyShared else { return false }
            return row.subscriptionGroupID == groupID || ids.contains(row.productID)
        }
        if hasUsed == true || !products.isEmpty && products.allSatisfy({ $0.introductoryOffer == nil }) { return false }
        if let answer = await core.backend.isEligibleForIntroductoryOffer(inGroup: groupID) { return answer }
        return hasUsed != nil && !products.isEmpty ? true : nil
    }
}

extension StoreCore {
    /// What the device knows of the customer's purchases, verified, as a receipt that can be asked.
    /// - Throws: Why the device could not be read.
    package func purchaseReceipt() async throws(StoreError) -> Receipt {
        let history = try await entitlements.history()
        if let receipt = history.receipt { return receipt }
        if let failure = history.failure { throw failure }
        return Receipt(ReceiptContents(transactions: history.transactions.map(\.value), renewals: history.renewals.map(\.value)))
    }
}
