public import AsyncStoreKit

/// How far the purchase of a product is, for the button that buys it.
public enum PurchaseProgress: Sendable {
    /// Nothing is going on.
    case idle
    /// It is being bought, by this button or another, or it is being delivered.
    case purchasing
    /// It waits for somebody's approval (Ask to Buy), perhaps since an earlier launch.
    case pending
    /// It was bought, and is not delivered yet: the installed delivery tries again.
    case awaitingDelivery
    /// The purchase that this button began has failed. Other buttons for the same product do not show it.
    case failed(StoreError)
}

/// What a button that buys a product looks like, and whether it may be pressed.
package struct PurchaseButtonState: Sendable {
    /// The product, once it has been loaded.
    package var product: StoreProduct?
    /// What is going on with the product, whoever began it.
    package var shared: PurchaseProgress
    /// How the purchase failed that this button began last.
    package var failure: StoreError?
    /// What the customer owns of it.
    package var entitlement: StoreEntitlement?

    package init(product: StoreProduct?, shared: PurchaseProgress, failure: StoreError?, entitlement: StoreEntitlement?) {
        self.product = product
        self.shared = shared
        self.failure = failure
        self.entitlement = entitlement
    }

    package var progress: PurchaseProgress {
        guard case .idle = shared else { return shared }
        guard let failure else { return .idle }
        // What is paid for and will be delivered is no failure to a customer, and what the customer did needs no word.
        if failure.code == .deliveryPending { return .awaitingDelivery }
        return failure.isUserInitiated ? .idle : .failed(failure)
    }

    /// Whether there is nothing left to buy: it is owned for good, or renews by itself.
    ///
    /// Who has switched off the renewal may buy, which switches it on again, and time that does not renew may be bought on top.
    package var isOwned: Bool {
        guard let entitlement, entitlement.isEntitled else { return false }
        switch entitlement.kind {
        case .nonConsumable: return true
        case .autoRenewable: return entitlement.renewal?.willRenew != false
        default: return false
        }
    }

    package var isEnabled: Bool {
        guard product != nil, !isOwned else { return false }
        return switch progress {
        case .idle, .failed: true
        case .purchasing, .pending, .awaitingDelivery: false
        }
    }
}
