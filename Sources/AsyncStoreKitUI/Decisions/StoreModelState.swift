package import AsyncStoreKit

/// What a ``StoreModel`` knows, and how it changes. Nothing in here waits.
package struct StoreModelState: Sendable {
    /// A wish for products.
    package enum Load: Sendable, Hashable {
        case notNeeded
        /// With a number that its answer has to bring: what was wished for later wins.
        case needed(Int)
    }

    package private(set) var products: [StoreProduct] = []
    /// Why the products that were wished for last are not there.
    package private(set) var productsError: StoreError?
    package private(set) var isRestoring = false
    package var entitlements = StoreEntitlements.unknown
    private var wishedFor: [String] = []
    private var loads = 0
    private var isLoading = false
    /// How many calls are buying each product.
    private var buying: [String: Int] = [:]
    private var pending: Set<String> = []
    private var awaitingDelivery: Set<String> = []

    package init() {}
}

// Products.
extension StoreModelState {
    /// Products are wished for. They are asked for when they are others than before, or when they could not be loaded.
    package mutating func wish(for productIDs: [String]) -> Load {
        guard !productIDs.isEmpty, productIDs != wishedFor || productsError != nil || (products.isEmpty && !isLoading) else {
            return .notNeeded
        }
        wishedFor = productIDs
        return begin()
    }

    /// The app is in front again, or the storefront has changed: what could not be loaded, or may have another price, is wished for once more.
    /// - Parameter evenIfLoaded: Whether what is there, or on its way, is out of date.
    package mutating func wishAgain(evenIfLoaded: Bool) -> (productIDs: [String], load: Load) {
        guard !wishedFor.isEmpty, evenIfLoaded || (productsError != nil && !isLoading) else { return ([], .notNeeded) }
        return (wishedFor, begin())
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
            productsError = nil
        case .failure(let error):
            // What was there stays: prices of a minute ago are better than none.
            productsError = error
        }
    }

    package func product(_ productID: String) -> StoreProduct? {
        products.first { $0.id == productID }
    }
}

// Purchases.
extension StoreModelState {
    package mutating func beginPurchase(of productID: String) {
        buying[productID, default: 0] += 1
    }

    /// A call has ended. Its outcome, or its error, is its caller's; what everybody may know is kept.
    package mutating func endPurchase(of productID: String, _ result: Result<PurchaseOutcome, StoreError>) {
        let others = (buying[productID] ?? 1) - 1
        buying[productID] = others > 0 ? others : nil
        switch result {
        case .success(.pending): pending.insert(productID)
        case .success(.success): awaitingDelivery.remove(productID)
        case .success(.userCancelled): break
        case .failure(let error) where error.code == .deliveryPending: awaitingDelivery.insert(productID)
        case .failure: break
        }
    }

    /// What waits for approval, as the store lists it.
    package mutating func pendingChanged(to pending: Set<String>) {
        self.pending = pending
    }

    /// Something has been delivered that nobody was waiting for.
    package mutating func delivered(_ productID: String) {
        awaitingDelivery.remove(productID)
    }

    package func progress(of productID: String) -> PurchaseProgress {
        if buying[productID] != nil { return .purchasing }
        if pending.contains(productID) { return .pending }
        return awaitingDelivery.contains(productID) ? .awaitingDelivery : .idle
    }
}

// Restoring.
extension StoreModelState {
    /// False while another restore is running: there is nothing to begin then.
    package mutating func beginRestore() -> Bool {
        guard !isRestoring else { return false }
        isRestoring = true
        return true
    }

    package mutating func endRestore() {
        isRestoring = false
    }
}
