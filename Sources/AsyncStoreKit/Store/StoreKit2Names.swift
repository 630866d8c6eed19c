public import AppReceipt
public import Foundation

// Names of StoreKit 2 that differ here. They're unavailable, and the compiler's message names the replacement.

extension PurchaseStore {
    /// Use ``transactions``.
    @available(*, unavailable, renamed: "transactions")
    public var updates: AsyncStream<StorePurchase> { transactions }
    /// Use ``unfinishedTransactions``.
    @available(*, unavailable, message: "Use unfinishedTransactions, an array. transactions begins with them, too.")
    public var unfinished: AsyncStream<StorePurchase> { transactions }
    /// Use ``entitlements``.
    @available(*, unavailable, renamed: "entitlements")
    public var currentEntitlements: EntitlementSequence { entitlements }
    /// Use ``transactionHistory()``.
    @available(*, unavailable, message: "Use transactionHistory(), an array.")
    public var all: AsyncStream<VerifiedTransaction> { AsyncStream { $0.finish() } }
    /// Use ``latestTransaction(for:)``.
    @available(*, unavailable, renamed: "latestTransaction(for:)")
    public func latest(for productID: String) async throws(StoreError) -> VerifiedTransaction? {
        try await latestTransaction(for: productID)
    }
    /// Use ``entitlements``.
    @available(*, unavailable, message: "Use entitlements.current[productID].")
    public func currentEntitlement(for productID: String) async -> StoreEntitlement? {
        await entitlements.current[productID]
    }
    /// Use ``subscriptionStatus(inGroup:)``.
    @available(*, unavailable, renamed: "subscriptionStatus(inGroup:)")
    public func subscriptionStatus(group groupID: String) async -> SubscriptionGroupStatus {
        await subscriptionStatus(inGroup: groupID)
    }
    /// Use ``isEligibleForIntroductoryOffer(inGroup:)``.
    @available(*, unavailable, renamed: "isEligibleForIntroductoryOffer(inGroup:)")
    public func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        await isEligibleForIntroductoryOffer(inGroup: groupID) ?? false
    }
    /// Use ``subscriptionStatus(inGroup:)``.
    @available(*, unavailable, renamed: "subscriptionStatus(inGroup:)")
    public func status(for groupID: String) async -> SubscriptionGroupStatus {
        await subscriptionStatus(inGroup: groupID)
    }
    /// Use ``restore(account:)``.
    @available(*, unavailable, renamed: "restore()")
    public func sync() async throws(StoreError) { _ = try await restore() }
    /// Use ``purchaseIntents``.
    @available(*, unavailable, renamed: "purchaseIntents")
    public var intents: AsyncStream<StorePurchaseIntent> { purchaseIntents }
    /// Use ``storefrontChanges``.
    @available(*, unavailable, renamed: "storefrontChanges")
    public var storefrontUpdates: AsyncStream<AppStorefront> { storefrontChanges }
    /// Use ``requestRefund(for:in:)-(String,_)``.
    @available(*, unavailable, renamed: "requestRefund(for:in:)")
    public func beginRefundRequest(
        for transactionID: String, in anchor: PresentationAnchor? = nil
    ) async throws(StoreError) -> RefundRequestOutcome {
        try await requestRefund(for: transactionID, in: anchor)
    }
    /// Use ``manageSubscriptions(inGroup:in:)``.
    @available(*, unavailable, renamed: "manageSubscriptions(inGroup:in:)")
    public func showManageSubscriptions(in anchor: PresentationAnchor? = nil) async throws(StoreError) {
        try await manageSubscriptions(in: anchor)
    }
    /// Use ``redeemOfferCode(in:)``.
    @available(*, unavailable, renamed: "redeemOfferCode(in:)")
    public func presentOfferCodeRedeemSheet(in anchor: PresentationAnchor? = nil) async throws(StoreError) {
        _ = try await redeemOfferCode(in: anchor)
    }
}

extension StoreProduct {
    /// Use ``kind-swift.property``.
    @available(*, unavailable, renamed: "kind")
    public var type: Kind { kind ?? .unknown }
    /// Use ``currency``.
    @available(*, unavailable, renamed: "currency")
    public var currencyCode: String? { currency }
    /// Use ``subscriptionPeriod``, ``introductoryOffer``, ``subscriptionGroupID`` and the properties beside them.
    @available(*, unavailable, message: "Use subscriptionPeriod, introductoryOffer and the like of the product.")
    public var subscription: StoreProduct? { self }
    /// Use ``PurchaseStore/purchase(_:options:)-(StoreProduct,_)``.
    @available(*, unavailable, message: "Use purchase(_:options:) of the PurchaseStore.")
    public func purchase(options: PurchaseOptions = []) async throws(StoreError) -> PurchaseOutcome {
        throw StoreError.storeClosed
    }
    /// Use ``PurchaseStore/isEligibleForIntroductoryOffer(inGroup:)``.
    @available(*, unavailable, message: "Use isEligibleForIntroductoryOffer(inGroup:) of the PurchaseStore.")
    public var isEligibleForIntroOffer: Bool { get async { false } }
    /// Use ``billingPlans``.
    @available(*, unavailable, renamed: "billingPlans")
    public var pricingTerms: [BillingPlanTerms] { billingPlans }
    /// Use ``PurchaseStore/latestTransaction(for:)``.
    @available(*, unavailable, message: "Use latestTransaction(for:) of the PurchaseStore.")
    public var latestTransaction: VerifiedTransaction? { get async { nil } }
    /// Use ``PurchaseStore/entitlements``.
    @available(*, unavailable, message: "Use entitlements.current[productID] of the PurchaseStore.")
    public var currentEntitlement: StoreEntitlement? { get async { nil } }
}

/// Use ``PurchaseOptions``.
@available(*, unavailable, message: "Use PurchaseOptions, which takes an array of options.")
extension PurchaseOption: Hashable {
    /// Options can't be compared.
    public static func == (left: PurchaseOption, right: PurchaseOption) -> Bool { false }

    /// Options have no hash value.
    public func hash(into hasher: inout Hasher) {}
}

extension StoreEntitlements {
    /// Use ``contains(_:)-(AccessLevel)``.
    @available(*, unavailable, message: "Use contains(_:) with an AccessLevel.")
    public func contains(anyOf productIDs: [String]) -> Bool { false }
    /// Use ``status(inGroup:)``.
    @available(*, unavailable, message: "Use status(inGroup:).")
    public var subscriptionStatus: SubscriptionGroupStatus? { nil }
}

extension SubscriptionGroupStatus {
    /// Use ``StoreEntitlement/renewal-swift.property``.
    @available(*, unavailable, message: "Use renewal.")
    public var renewalInfo: StoreEntitlement.Renewal? { entitlement?.renewal }
    /// Use ``StoreEntitlement/Renewal/willRenew``.
    @available(*, unavailable, message: "Use renewal?.willRenew.")
    public var willAutoRenew: Bool? { entitlement?.renewal?.willRenew }
}

extension StoreError {
    /// Use ``Code/networkError``.
    @available(*, unavailable, message: "Use StoreError.Code.networkError.")
    public static var networkError: Code { .networkError }
    /// Use ``Code/userCancelled``.
    @available(
        *, unavailable, message: "Use StoreError.Code.userCancelled, or the outcome userCancelled of a purchase."
    )
    public static var userCancelled: Code { .userCancelled }
    /// Use ``Code/systemError``.
    @available(*, unavailable, message: "Use StoreError.Code.systemError.")
    public static var systemError: Code { .systemError }
    /// Use ``Code/productUnavailable``.
    @available(*, unavailable, message: "Use StoreError.Code.productUnavailable.")
    public static var productUnavailable: Code { .productUnavailable }
    /// Use ``Code/purchaseNotAllowed``.
    @available(*, unavailable, message: "Use StoreError.Code.purchaseNotAllowed.")
    public static var purchaseNotAllowed: Code { .purchaseNotAllowed }
}

extension StoreError.Code {
    /// Use ``purchaseNotAllowed``.
    @available(*, unavailable, renamed: "purchaseNotAllowed")
    public static var paymentNotAllowed: Self { .purchaseNotAllowed }
}

extension StoreEntitlement {
    /// Use ``productKind``.
    @available(*, unavailable, renamed: "productKind")
    public var type: ProductKind { productKind }
    /// Use ``productKind``.
    @available(*, unavailable, renamed: "productKind")
    public var kind: ProductKind { productKind }
    /// Use ``renewal-swift.property``.
    @available(*, unavailable, renamed: "renewal")
    public var renewalInfo: Renewal? { renewal }
    /// Use ``Renewal/willRenew``.
    @available(*, unavailable, message: "Use renewal?.willRenew.")
    public var willAutoRenew: Bool? { renewal?.willRenew }
}

extension StoreEntitlement.Renewal {
    /// Use ``StoreEntitlement/id``.
    @available(*, unavailable, message: "Use productID of the entitlement. productID here is the next period's.")
    public var currentProductID: String? { nil }
    /// Use ``willRenew``.
    @available(*, unavailable, renamed: "willRenew")
    public var willAutoRenew: Bool? { willRenew }
    /// Use ``currency``.
    @available(*, unavailable, renamed: "currency")
    public var currencyCode: String? { currency }
    /// Use ``isPriceIncreasePending``.
    @available(*, unavailable, renamed: "isPriceIncreasePending")
    public var priceIncrease: Bool { isPriceIncreasePending }
}

extension StoreTransaction {
    /// Use ``signedInfo``.
    @available(*, unavailable, message: "Use signedInfo?.facts.productKind, or the kind of the product.")
    public var productType: ProductKind? { signedInfo?.facts.productKind }
    /// Use ``PurchaseStore/finish(_:)``.
    @available(*, unavailable, message: "Use finish(_:) of the PurchaseStore, or finish() of the StorePurchase.")
    public func finish() async {}
    /// Use ``jws``.
    @available(*, unavailable, renamed: "jws")
    public var jwsRepresentation: String? { jws }
    /// Use ``signedInfo``.
    @available(*, unavailable, message: "Use signedInfo?.expirationDate, or the entitlement of the product.")
    public var expirationDate: Date? { signedInfo?.expirationDate }
    /// Use ``signedInfo``.
    @available(*, unavailable, message: "Use signedInfo?.revocationDate, or PurchaseRevocation.date.")
    public var revocationDate: Date? { signedInfo?.revocationDate }
    /// Use ``signedInfo``.
    @available(*, unavailable, message: "Use signedInfo?.price, or the entitlement of the product.")
    public var price: Decimal? { signedInfo?.price }
    /// Use ``signedInfo``.
    @available(*, unavailable, message: "Use signedInfo?.offer, or the entitlement of the product.")
    public var offer: TransactionOffer? { signedInfo?.offer }
}

extension StorePurchase {
    /// Use ``quantity``.
    @available(*, unavailable, renamed: "quantity")
    public var purchasedQuantity: Int { quantity }
    /// Use ``jws``.
    @available(*, unavailable, renamed: "jws")
    public var jwsRepresentation: String? { jws }
    /// Use ``transactionID``.
    @available(*, unavailable, renamed: "transactionID")
    public var id: String? { transactionID }
    /// Use ``originalTransactionID``.
    @available(*, unavailable, renamed: "originalTransactionID")
    public var originalID: String? { originalTransactionID }
    /// Use `productKind`.
    @available(*, unavailable, message: "Use productKind.")
    public var productType: ProductKind? { transaction.signedInfo?.facts.productKind }
}

extension VerifiedTransaction {
    /// Use ``jws``.
    @available(*, unavailable, renamed: "jws")
    public var jwsRepresentation: String? { jws }
    /// Use `productKind`.
    @available(*, unavailable, renamed: "facts.productKind")
    public var type: ProductKind? { facts.productKind }
}

extension PurchaseRevocation {
    /// Use ``productIDs``.
    @available(*, unavailable, renamed: "productIDs")
    public var productID: String? { productIDs.first }
    /// Use ``date``.
    @available(*, unavailable, renamed: "date")
    public var revocationDate: Date? { date }
    /// Use ``reason``.
    @available(*, unavailable, renamed: "reason")
    public var revocationReason: RevocationReason? { reason }
}

extension PurchaseOption {
    /// Use ``simulatesAskToBuy``.
    @available(*, unavailable, renamed: "simulatesAskToBuy")
    public static func simulatesAskToBuyInSandbox(_ simulates: Bool) -> PurchaseOption { simulatesAskToBuy }
    /// Use ``offer(_:)``.
    @available(*, unavailable, message: "Use .offer(.promotional(id:keyID:nonce:signature:timestamp:)).")
    public static func promotionalOffer(
        offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> PurchaseOption {
        offer(.promotional(id: offerID, keyID: keyID, nonce: nonce, signature: signature, timestamp: timestamp))
    }
    /// Use ``offer(_:)``.
    @available(*, unavailable, message: "Use .offer(.promotional(id:jws:)).")
    public static func promotionalOffer(_ offerID: String, compactJWS: String) -> PurchaseOption {
        offer(.promotional(id: offerID, jws: compactJWS))
    }
    /// Use ``offer(_:)``.
    @available(*, unavailable, message: "Use .offer(.winBack(offer)).")
    public static func winBackOffer(_ offer: StoreOffer) -> PurchaseOption { .offer(.winBack(offer)) }
    /// Use ``introductoryOfferEligibility(jws:)``.
    @available(*, unavailable, renamed: "introductoryOfferEligibility(jws:)")
    public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
        introductoryOfferEligibility(jws: compactJWS)
    }
    /// Use ``billingPlan(_:)``.
    @available(*, unavailable, renamed: "billingPlan(_:)")
    public static func billingPlanType(_ plan: BillingPlan) -> PurchaseOption { billingPlan(plan) }
}

extension StoreOffer {
    /// Use ``kind-swift.property``.
    @available(*, unavailable, renamed: "kind")
    public var type: Kind { kind }
}

extension StoreMessage {
    /// Use ``PurchaseStore/show(_:in:)``.
    @available(*, unavailable, message: "Use PurchaseStore.show(_:in:).")
    public func display(in anchor: PresentationAnchor?) throws(StoreError) {}
}
