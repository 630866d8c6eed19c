// The system's sheets.
extension PurchaseStore {
    /// Sets where purchases are confirmed and sheets are presented, for calls that name no anchor.
    ///
    /// Call it once, when the app launches. The closure is called on the main actor for each purchase and each sheet,
    /// and returns the scene, the window, or the view controller that the customer is using; `nil` lets the system
    /// choose where it can. `View.storeModel(_:loading:)` of `AsyncStoreKitUI` sets the window of its view.
    ///
    /// Without an anchor, StoreKit can't present a purchase over a full-screen modal in iOS 18.2 and later, and may
    /// choose another window of the app on iPad.
    public func setPresentationAnchor(_ anchor: (@MainActor @Sendable () -> PresentationAnchor?)?) {
        core.anchor.set(anchor)
    }

    /// Presents the sheet that requests a refund of a transaction: of an entitlement, of the history, or of
    /// ``consumablePurchases()``.
    ///
    /// StoreKit 2, on iOS, Mac Catalyst, visionOS and macOS. If Apple grants the refund, it arrives on ``revocations``.
    /// - Parameters:
    ///   - transaction: The transaction, such as ``StoreEntitlement/transaction``.
    ///   - anchor: Where the sheet is presented; `nil` means the anchor of the store.
    /// - Throws: ``StoreError/Code/refundDuplicate``; ``StoreError/Code/refundIneligible``, immediately for a
    ///   transaction that a family member or an organization has paid for; ``StoreError/Code/refundFailed``;
    ///   ``StoreError/Code/invalidPresentationContext`` without a usable anchor; and ``StoreError/Code/unsupported`` on
    ///   other systems and over StoreKit 1.
    @discardableResult
    public func requestRefund(
        for transaction: VerifiedTransaction, in anchor: PresentationAnchor? = nil
    ) async throws(StoreError) -> RefundRequestOutcome {
        guard !transaction.isPaidByOthers else {
            throw StoreError(
                .refundIneligible, "Only the person who paid for \"\(transaction.productID)\" can request a refund.")
        }
        return try await requestRefund(for: transaction.id, in: anchor)
    }

    /// Presents the sheet that requests a refund of a transaction, by the App Store's identifier of the transaction,
    /// such as the `id` of a ``StoreTransaction``. See ``requestRefund(for:in:)-(VerifiedTransaction,_)``.
    @discardableResult
    public func requestRefund(
        for transactionID: String, in anchor: PresentationAnchor? = nil
    ) async throws(StoreError) -> RefundRequestOutcome {
        do throws(StoreError) {
            try await present(.refundRequest(transactionID: transactionID), in: anchor)
            return .submitted
        } catch {
            guard error.code == .userCancelled else { throw error }
            return .userCancelled
        }
    }

    /// Presents the sheet in which the customer changes or cancels subscriptions, and returns when it's closed.
    ///
    /// StoreKit 2, on iOS, Mac Catalyst and visionOS. What the customer changes arrives on ``entitlements``.
    /// - Parameters:
    ///   - groupID: The subscription group to show, in iOS 17 and later; `nil` shows all subscriptions.
    ///   - anchor: Where the sheet is presented; `nil` means the anchor of the store.
    /// - Throws: ``StoreError/Code/invalidPresentationContext`` without a usable anchor, and
    ///   ``StoreError/Code/unsupported`` on other systems and over StoreKit 1.
    public func manageSubscriptions(
        inGroup groupID: String? = nil, in anchor: PresentationAnchor? = nil
    ) async throws(StoreError) {
        try await present(.subscriptionManagement(groupID: groupID), in: anchor)
    }

    /// Presents the sheet in which the customer redeems an offer code.
    ///
    /// iOS and visionOS, and over StoreKit 2 also macOS 15, and Mac Catalyst 27. The purchase is delivered once, by the
    /// installed delivery or on ``transactions``, like every purchase that no `purchase` call asked for. Don't unlock
    /// content for the result of this call.
    /// - Parameter anchor: Where the sheet is presented; `nil` means the anchor of the store. StoreKit 1 needs none.
    /// - Throws: ``StoreError/Code/invalidPresentationContext`` without a usable anchor,
    ///   ``StoreError/Code/unverified``, ``StoreError/Code/unsupported`` on other systems, and what StoreKit throws.
    @discardableResult
    public func redeemOfferCode(
        in anchor: PresentationAnchor? = nil
    ) async throws(StoreError) -> OfferCodeOutcome {
        do throws(StoreError) {
            return try await present(.codeRedemption, in: anchor).map { .redeemed($0) } ?? .unknown
        } catch {
            guard error.code == .userCancelled else { throw error }
            return .userCancelled
        }
    }

    /// Shows one of the App Store's messages, from ``messages``.
    ///
    /// StoreKit 2, on iOS, Mac Catalyst and visionOS.
    /// - Parameters:
    ///   - message: The message.
    ///   - anchor: Where the message is shown; `nil` means the anchor of the store.
    /// - Throws: ``StoreError/Code/invalidPresentationContext`` without a usable anchor, and
    ///   ``StoreError/Code/unsupported`` for a message that was shown before, on other systems, and over StoreKit 1.
    public func show(_ message: StoreMessage, in anchor: PresentationAnchor? = nil) async throws(StoreError) {
        try await present(.message(message), in: anchor)
    }

    /// Asks the customer to agree to a price increase that ``PaymentQueuePolicies/shouldShowPriceConsent`` has held, if
    /// there is one. StoreKit 1 only, on iOS and visionOS. Over StoreKit 2, the App Store sends a message; see
    /// ``messages``.
    /// - Throws: ``StoreError/Code/unsupported`` elsewhere.
    public func showPriceConsent() async throws(StoreError) {
        try await present(.priceConsent)
    }

    /// Presents a sheet, and returns when it's closed, or at once if the system doesn't report that. Afterwards, the
    /// store reads the entitlements.
    /// - Returns: The transaction of a redeemed offer code, if the system returns it.
    @discardableResult
    package func present(
        _ sheet: StoreSheet, in anchor: PresentationAnchor? = nil
    ) async throws(StoreError) -> StoreTransaction? {
        if let anchor, anchor.isGone {
            core.log(.warning, "The anchor of a sheet was deallocated. Pass an anchor that is on the screen.")
        }
        guard let sheets = core.backend.sheets else { throw .unsupported(sheet) }
        // Whatever the result is: a customer can cancel a subscription, and then close the sheet.
        defer { core.entitlements.process(.entitlementsMayHaveChanged) }
        return try await sheets.present(sheet, in: await core.anchor.anchor(for: anchor))
    }
}

/// The result of a refund request.
///
/// The set of results is Apple's. A problem that prevents the request is thrown, with its own code.
public enum RefundRequestOutcome: Sendable, Hashable, CaseIterable {
    /// The request was sent to Apple. Whether Apple grants the refund is decided later.
    case submitted
    /// The customer closed the sheet.
    case userCancelled
}

/// The result of the sheet for offer codes.
public enum OfferCodeOutcome: Sendable, Hashable {
    /// The customer redeemed a code. On iOS 27, Mac Catalyst 27, macOS 27 and visionOS 27.
    indirect case redeemed(StoreTransaction)
    /// The customer closed the sheet. On the same systems.
    case userCancelled
    /// Earlier systems and StoreKit 1 don't report what the customer did.
    case unknown
}
