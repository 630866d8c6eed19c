package import AsyncStoreKit

/// The state of a ``StoreModel``, and its changes. No function of this type is asynchronous.
package struct StoreModelState: Sendable, Hashable {
    package var products = LoadedProducts()
    package var alerts = StoreAlerts()
    package private(set) var isRestoring = false
    /// The places of the buttons whose system's sheets are open.
    package private(set) var openSheets: Set<ConfirmationPlace> = []
    package var entitlements = StoreEntitlements.unknown
    /// Whether the customer may use an introductory offer in each group. A group whose eligibility is unknown is
    /// missing.
    package var introductoryEligibility: [String: Bool] = [:]
    /// The purchases that wait for approval, as the store lists them.
    package private(set) var pendingPurchases: [PendingPurchase] = []
    /// How many calls purchase each product.
    private var purchasing: [String: Int] = [:]
    private var pending: Set<String> = []
    private var awaitingDelivery: Set<String> = []
    /// The products that customers have been told to wait for.
    private var announced: Set<String> = []

    package init() {}
}

// Offers.
extension StoreModelState {
    package func offers(for product: StoreProduct) -> EligibleOffers {
        let groupID = product.subscriptionGroupID
        return EligibleOffers(
            of: product, introductory: groupID.flatMap { introductoryEligibility[$0] },
            groupID.map { entitlements.status(inGroup: $0) })
    }
}

// Purchases.
extension StoreModelState {
    package mutating func beginPurchase(of productID: String) {
        purchasing[productID, default: 0] += 1
    }

    /// A call has ended. Its outcome or error belongs to its caller; what every view may show is kept.
    /// - Parameter place: The place that shows an alert.
    /// - Returns: What a screen reader announces: that the customer has to wait, or an error without an alert.
    @discardableResult
    package mutating func endPurchase(
        of productID: String, _ result: Result<PurchaseOutcome, StoreError>, alertAt place: ConfirmationPlace? = nil
    ) -> String? {
        let others = (purchasing[productID] ?? 1) - 1
        purchasing[productID] = others > 0 ? others : nil
        switch result {
        case .success(.pending):
            pending.insert(productID)
            announced.insert(productID)
            return announcement(of: productID, .statusPending)
        case .success(.success), .success(.userCancelled): break
        case .failure(let error) where error.code == .deliveryPending:
            awaitingDelivery.insert(productID)
            announced.insert(productID)
            return announcement(of: productID, .statusAwaitingDelivery)
        case .failure(let error): return alerts.show(StoreAlert(error, during: .purchase), at: place)
        }
        return nil
    }

    private func announcement(of productID: String, _ status: CustomerText) -> String {
        [products[productID]?.displayName, CustomerTexts.current.text(status)].compactMap(\.self)
            .joined(separator: ", ")
    }

    /// The purchases that wait for approval have changed.
    package mutating func pendingChanged(to purchases: some Collection<PendingPurchase>) {
        pendingPurchases = Array(purchases)
        pending = Set(purchases.map(\.productID))
    }

    /// The delivery of a purchase has ended, or the purchase no longer waits for one.
    /// - Returns: What a screen reader announces, if the customer was told to wait.
    @discardableResult
    package mutating func deliveryEnded(_ end: DeliveryEnd) -> String? {
        awaitingDelivery.remove(end.productID)
        let status = end.isDelivered ? CustomerText.statusOwned : .statusFailed
        return announced.remove(end.productID).map { announcement(of: $0, status) }
    }

    package func progress(of productID: String) -> PurchaseProgress {
        if purchasing[productID] != nil { return .purchasing }
        if pending.contains(productID) { return .pending }
        return awaitingDelivery.contains(productID) ? .awaitingDelivery : .idle
    }

    /// Returns the message about a purchase that waits for approval, with the product's name if the product is loaded.
    package func approvalMessage(for pending: PendingPurchase) -> String {
        let name = products[pending.productID]?.displayName
        return name.map { CustomerTexts.current.text(.approvalMessage, [.product: $0]) }
            ?? CustomerTexts.current.text(.hintPending)
    }

    /// Returns what a button shows that buys a product.
    /// - Parameters:
    ///   - productID: The product.
    ///   - options: The options of the purchase.
    ///   - failure: The error of the last purchase that the button started.
    package func button(for productID: String, options: PurchaseOptions = [], failure: StoreError? = nil)
        -> PurchaseButtonState
    {
        let product = products[productID]
        return PurchaseButtonState(
            product: product,
            terms: product.flatMap { PurchaseTerms($0, options: options, eligible: offers(for: $0)) },
            absence: product == nil ? products.absence(of: productID) : nil, shared: progress(of: productID),
            failure: failure,
            entitlement: entitlements[productID])
    }
}

// Restoring, and the system's sheets.
extension StoreModelState {
    /// Returns `false` while another restore is running.
    package mutating func beginRestore() -> Bool {
        guard !isRestoring else { return false }
        isRestoring = true
        return true
    }

    /// - Parameter place: The place that shows an alert.
    /// - Returns: What a screen reader announces.
    package mutating func endRestore(
        _ result: Result<RestoreOutcome, StoreError>, alertAt place: ConfirmationPlace? = nil
    ) -> String? {
        isRestoring = false
        switch result {
        case .success(let outcome): return alerts.show(StoreAlert(outcome), at: place)
        case .failure(let error): return alerts.show(StoreAlert(error, during: .restore), at: place)
        }
    }

    package mutating func beginSheet(at place: ConfirmationPlace) {
        openSheets.insert(place)
    }

    /// - Returns: What a screen reader announces.
    package mutating func endSheet(
        at place: ConfirmationPlace, _ alert: StoreAlert? = nil, alertAt alertPlace: ConfirmationPlace? = nil
    ) -> String? {
        openSheets.remove(place)
        return alerts.show(alert, at: alertPlace)
    }

    package func canRequestRefund(of productID: String) -> Bool {
        entitlements[productID]?.actions.contains(.requestRefund) == true
    }
}
