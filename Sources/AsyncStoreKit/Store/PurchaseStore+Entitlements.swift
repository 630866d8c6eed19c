package import AppReceipt

extension PurchaseStore {
    /// The customer's entitlements, now and after every change.
    ///
    /// ```swift
    /// for await entitlements in store.entitlements {
    ///     show(entitlements.contains("pro"))
    /// }
    /// ```
    /// A temporary error or an empty result never removes access. A new purchase gives access immediately.
    public var entitlements: EntitlementSequence { EntitlementSequence(monitor: core.entitlements) }

    /// Returns the consumables that the customer has bought and that the App Store still lists, newest first.
    ///
    /// Each call reads the customer's complete purchase history, which can take a moment. Purchases that another
    /// Apple Account made on this device are left out where the signed transactions tell the two apart.
    ///
    /// The App Store keeps finished consumables only if your app's `Info.plist` has
    /// `SKIncludeConsumableInAppPurchaseHistory` (in iOS 18, macOS 15 and later). Refunded purchases are included.
    /// - Throws: ``StoreError/Code/unsupported`` over StoreKit 1, whose receipt lists only unfinished consumables, or
    ///   what ``transactionHistory()`` throws.
    public func consumablePurchases() async throws(StoreError) -> [VerifiedTransaction] {
        let history = try await core.entitlements.history()
        guard !history.isSignedAsWhole else {
            throw StoreError(
                .unsupported, "A receipt lists consumables only until they are finished: StoreKit 2 is needed.")
        }
        return history.customersTransactions.filter { $0.productKind == .consumable }
    }

    /// Returns the customer's purchase of the app itself. It says which version of the app the customer got first.
    ///
    /// With StoreKit 2, the system may contact the App Store and ask the customer to sign in to the Apple Account.
    /// Call this function when the app needs the answer, and not at launch. Nothing else in the store reads the app
    /// transaction.
    ///
    /// Concurrent calls share one request. When the caller's task is canceled, the call throws
    /// ``StoreError/Code/taskCancelled``, and the request continues. Its verified result answers every later call of
    /// this process. After a failure, the next call asks again.
    /// - Throws: ``StoreError/Code/receiptUnavailable`` when the device has none, as on iOS 15;
    ///   ``StoreError/Code/unverified`` when the signature doesn't verify; and the reason why the App Store couldn't
    ///   be asked.
    public func appTransaction() async throws(StoreError) -> StoreAppTransaction {
        if let text = try await core.backend.appTransaction() {
            guard let info = try? SignedPayload.unverified(jws: text).appTransaction else {
                throw StoreError(.receiptUnavailable, "The app transaction can't be read.")
            }
            return StoreAppTransaction(info, signedText: text)
        }
        guard let receipt = try await core.entitlements.history().receipt else {
            throw StoreError(.receiptUnavailable, "The device has no app transaction.")
        }
        return StoreAppTransaction(receipt)
    }

    /// Reads the customer's purchase of the app, and decides whether the customer paid before the app was free.
    ///
    /// If the customer paid, ``entitlements`` then contain the product of ``StoreConfiguration/paidAppUpgrade``, even
    /// in later launches without a network. Call the function at a moment when the customer expects a question, such as
    /// a tap on "I bought the app before": the system may ask the customer to sign in to the Apple Account. See
    /// <doc:MovingFromPaidToFree>.
    ///
    /// Concurrent calls share one request. A later call asks again only if an earlier one failed.
    /// - Throws: What ``appTransaction()`` throws, and ``StoreError/Code/unsupported`` if the configuration has no
    ///   `paidAppUpgrade`.
    @discardableResult
    public func checkPaidAppUpgrade() async throws(StoreError) -> PaidAppUpgrade.Decision {
        guard core.configuration.paidAppUpgrade != nil,
            let decision = core.entitlements.appTransactionReported(try await appTransaction())
        else {
            throw StoreError(.unsupported, "The store's configuration names no upgrade of a paid app.")
        }
        return decision
    }

    /// Returns the offers of a product that this customer may use now, the best first: introductory, promotional, and
    /// win-back offers.
    ///
    /// ```swift
    /// let offers = await store.offers(for: product)
    /// if let trial = offers.first(where: { $0.paymentMode == .freeTrial }) {
    ///     show(trial)
    /// }
    /// ```
    /// Offers with unknown eligibility are in ``EligibleOffers/unknown``: over StoreKit 1, which names no
    /// groups and no eligibility, that's often the case. Offer codes aren't part of a product.
    public func offers(for product: StoreProduct) async -> EligibleOffers {
        guard let groupID = product.subscriptionGroupID else {
            return EligibleOffers(of: product, introductory: nil, nil)
        }
        let isEligible = await isEligibleForIntroductoryOffer(inGroup: groupID)
        return EligibleOffers(of: product, introductory: isEligible, await subscriptionStatus(inGroup: groupID))
    }

    /// Whether the customer is eligible for an introductory offer in a subscription group; `nil` if eligibility is
    /// unknown. If no product of the group has been loaded, the result is `false` or `nil`, never `true`.
    ///
    /// StoreKit's answer is checked against the purchase history and the loaded products of the group, because StoreKit
    /// repeats its first answer until the process ends, and answers `true` for groups without an offer. The complete
    /// history is read only if StoreKit doesn't answer `false`.
    public func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? {
        let products = core.productRequests.knownValues.filter { $0.subscriptionGroupID == groupID }
        if !products.isEmpty, products.allSatisfy({ $0.introductoryOffer == nil }) { return false }
        let answer = await core.backend.isEligibleForIntroductoryOffer(inGroup: groupID)
        if answer == false { return false }
        let history = try? await core.entitlements.history()
        let ids = Set(products.map(\.id))
        let hasUsed = history?.customersTransactions.contains { transaction in
            let row = transaction.facts
            guard row.offer?.kind == .introductory, !row.isPaidByOthers else { return false }
            return row.subscriptionGroupID == groupID || ids.contains(row.productID)
        }
        if hasUsed == true { return false }
        // Without a loaded product, it isn't known whether the group has an offer.
        if products.isEmpty { return nil }
        return answer ?? (hasUsed != nil ? true : nil)
    }
}

extension StoreCore {
    /// Returns the customer's verified purchases as a receipt.
    ///
    /// Over StoreKit 2, a purchase is treated as owned only when the device lists it as an entitlement, or the app
    /// hasn't finished it.
    /// - Throws: The error of the read.
    package func purchaseReceipt() async throws(StoreError) -> Receipt {
        let history = try await entitlements.history()
        if let failure = history.failure { throw failure }
        return history.receipt(at: clock.now)
    }
}
