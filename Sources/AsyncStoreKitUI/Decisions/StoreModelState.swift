package import AsyncStoreKit

/// The state of a ``StoreModel``, and its changes. No function of this type is asynchronous.
package struct StoreModelState: Sendable, Hashable {
    /// Whether products have to be requested.
    package enum Load: Sendable, Hashable {
        case notNeeded
        /// With the number of the request. Only the result of the latest request is used.
        case needed(Int)
    }

    package private(set) var products: [StoreProduct] = []
    /// Why the products of the latest request aren't loaded.
    package private(set) var productsError: StoreError?
    /// Whether the latest request has succeeded.
    package private(set) var areProductsLoaded = false
    package private(set) var isRestoring = false
    /// Whether one of the system's sheets is open.
    package private(set) var isPresentingSheet = false
    package var entitlements = StoreEntitlements.unknown
    /// Whether the customer may use an introductory offer in each group. A group whose eligibility is unknown is
    /// missing.
    package var introductoryEligibility: [String: Bool] = [:]
    /// The purchases that wait for approval, as the store lists them.
    package private(set) var pendingPurchases: [PendingPurchase] = []
    private var requested: [String] = []
    private var loads = 0
    private var isLoading = false
    /// How many calls purchase each product.
    private var purchasing: [String: Int] = [:]
    private var pending: Set<String> = []
    private var awaitingDelivery: Set<String> = []
    private var presenters: [AlertPresenter] = []
    private var currentAlert: StoreAlert?

    package init() {}
}

// Products.
extension StoreModelState {
    /// A view needs products. They are requested if they differ from the last request, or couldn't be loaded.
    package mutating func request(_ productIDs: [String]) -> Load {
        // A modifier that loads nothing has nothing to wait for.
        if productIDs.isEmpty, requested.isEmpty { areProductsLoaded = true }
        guard !productIDs.isEmpty, productIDs != requested || productsError != nil || (!areProductsLoaded && !isLoading)
        else {
            return .notNeeded
        }
        if productIDs != requested { areProductsLoaded = false }
        requested = productIDs
        return begin()
    }

    /// The app became active, or the storefront changed: products that couldn't be loaded, or may have another price,
    /// are requested again.
    /// - Parameter evenIfLoaded: Whether loaded products, and those of a running request, are out of date.
    package mutating func requestAgain(evenIfLoaded: Bool) -> (productIDs: [String], load: Load) {
        guard !requested.isEmpty, evenIfLoaded || (productsError != nil && !isLoading) else { return ([], .notNeeded) }
        return (requested, begin())
    }

    private mutating func begin() -> Load {
        loads += 1
        isLoading = true
        return .needed(loads)
    }

    package mutating func loaded(_ load: Int, _ result: Result<[StoreProduct], StoreError>) {
        guard load == loads else { return }
        isLoading = false
        switch result {
        case .success(let products):
            self.products = products
            areProductsLoaded = true
            productsError = nil
        case .failure(let error):
            // Products that were loaded before stay: slightly old prices are better than none.
            productsError = error
        }
    }

    /// Why a product isn't among the loaded ones; `nil` while products are being loaded.
    package var absence: ProductAbsence? {
        productsError.map(ProductAbsence.failed) ?? (areProductsLoaded ? .unknown : nil)
    }

    package func product(_ productID: String) -> StoreProduct? {
        products.first { $0.id == productID }
    }
}

// Offers.
extension StoreModelState {
    /// The groups of the loaded subscriptions.
    package var subscriptionGroupIDs: [String] { Set(products.compactMap(\.subscriptionGroupID)).sorted() }

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
    package mutating func endPurchase(of productID: String, _ result: Result<PurchaseOutcome, StoreError>) {
        let others = (purchasing[productID] ?? 1) - 1
        purchasing[productID] = others > 0 ? others : nil
        switch result {
        case .success(.pending): pending.insert(productID)
        case .success(.success): awaitingDelivery.remove(productID)
        case .success(.userCancelled): break
        case .failure(let error):
            if error.code == .deliveryPending { awaitingDelivery.insert(productID) }
            show(StoreAlert(error, during: .purchase))
        }
    }

    /// The purchases that wait for approval have changed.
    package mutating func pendingChanged(to purchases: some Collection<PendingPurchase>) {
        pendingPurchases = Array(purchases)
        pending = Set(purchases.map(\.productID))
    }

    /// A purchase that no call was waiting for has been delivered.
    package mutating func delivered(_ productID: String) {
        awaitingDelivery.remove(productID)
    }

    package func progress(of productID: String) -> PurchaseProgress {
        if purchasing[productID] != nil { return .purchasing }
        if pending.contains(productID) { return .pending }
        return awaitingDelivery.contains(productID) ? .awaitingDelivery : .idle
    }

    /// Returns the message about a purchase that waits for approval, with the product's name if the product is loaded.
    package func approvalMessage(for pending: PendingPurchase) -> String {
        let name = product(pending.productID)?.displayName
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
        let product = product(productID)
        return PurchaseButtonState(
            product: product,
            terms: product.flatMap { PurchaseTerms($0, options: options, eligible: offers(for: $0)) },
            absence: product == nil ? absence : nil, shared: progress(of: productID), failure: failure,
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

    package mutating func endRestore(_ result: Result<RestoreOutcome, StoreError>) {
        isRestoring = false
        switch result {
        case .success(let outcome): show(StoreAlert(outcome))
        case .failure(let error): show(StoreAlert(error, during: .restore))
        }
    }

    /// Returns `false` while another sheet is open.
    package mutating func beginSheet() -> Bool {
        guard !isPresentingSheet else { return false }
        isPresentingSheet = true
        return true
    }

    package mutating func endSheet(_ alert: StoreAlert? = nil) {
        isPresentingSheet = false
        show(alert)
    }

    /// Whether the customer can request a refund of a product.
    package func canRequestRefund(of productID: String) -> Bool {
        !isPresentingSheet && entitlements[productID]?.actions.contains(.requestRefund) == true
    }
}

// Alerts.
extension StoreModelState {
    /// A view that shows alerts.
    package final class AlertPresenter: Sendable, Hashable {
        package init() {}

        package static func == (left: AlertPresenter, right: AlertPresenter) -> Bool { left === right }

        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// The alert that a presenter shows. Of several presenters, the one that appeared last shows it, as a sheet covers
    /// the view below.
    package func alert(for presenter: AlertPresenter) -> StoreAlert? {
        presenters.last == presenter ? currentAlert : nil
    }

    package mutating func appeared(_ presenter: AlertPresenter) {
        presenters.removeAll { $0 == presenter }
        presenters.append(presenter)
    }

    package mutating func disappeared(_ presenter: AlertPresenter) {
        // An alert that no view can show anymore must not surprise the customer on another screen.
        if presenters.last == presenter { currentAlert = nil }
        presenters.removeAll { $0 == presenter }
    }

    package mutating func dismissAlert() {
        currentAlert = nil
    }

    private mutating func show(_ alert: StoreAlert?) {
        guard let alert, !presenters.isEmpty else { return }
        currentAlert = alert
    }
}
