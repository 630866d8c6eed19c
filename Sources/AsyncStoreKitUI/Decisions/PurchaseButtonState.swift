package import AsyncStoreKit
import Foundation

/// Why a product isn't loaded.
package enum ProductAbsence: Sendable, Hashable {
    /// The products couldn't be loaded.
    case failed(StoreError)
    /// The loaded products don't include it.
    case unknown
}

/// The state of a purchase button: its texts, and whether it is enabled.
package struct PurchaseButtonState: Sendable, Hashable {
    /// The product, once it has been loaded.
    package var product: StoreProduct?
    /// The terms of the purchase; `nil` without a product, and if the product doesn't have the billing plan.
    package var terms: PurchaseTerms?
    /// Why there is no product; `nil` while it's being loaded.
    package var absence: ProductAbsence?
    /// The progress of the product's purchase, whichever view started it.
    package var shared: PurchaseProgress
    /// The error of the last purchase that this button started.
    package var failure: StoreError?
    /// The customer's entitlement to the product.
    package var entitlement: StoreEntitlement?

    package init(
        product: StoreProduct?, terms: PurchaseTerms?, absence: ProductAbsence? = nil, shared: PurchaseProgress,
        failure: StoreError?,
        entitlement: StoreEntitlement?
    ) {
        self.product = product
        self.terms = terms
        self.absence = absence
        self.shared = shared
        self.failure = failure
        self.entitlement = entitlement
    }

    package var progress: PurchaseProgress {
        guard shared == .idle else { return shared }
        // A customer's own decision needs no message, and nothing has failed while a paid purchase waits: the model
        // knows whether it still does.
        guard let failure, !failure.isUserInitiated, failure.code != .deliveryPending else { return .idle }
        return .failed(failure)
    }

    /// Whether there is nothing left to buy: the customer owns the product permanently, or the subscription renews.
    ///
    /// A customer who has turned off the renewal can buy, which turns the renewal on again. Access that doesn't renew
    /// can be bought again.
    package var isOwned: Bool {
        guard let entitlement, entitlement.isEntitled else { return false }
        switch entitlement.productKind {
        case .nonConsumable: return true
        case .autoRenewable: return entitlement.renewal?.willRenew != false
        default: return false
        }
    }

    package var isEnabled: Bool {
        guard terms != nil, !isOwned else { return false }
        return switch progress {
        case .idle, .failed: true
        case .purchasing, .pending, .awaitingDelivery: false
        }
    }
}

// Texts.
extension PurchaseButtonState {
    /// The state as a text for the customer; `nil` if the product can be purchased.
    package var status: String? {
        if product == nil, case .failed(let error) = absence { return error.localizedDescription }
        let text: CustomerText? =
            switch progress {
            case .purchasing: .statusPurchasing
            case .pending: .statusPending
            case .awaitingDelivery: .statusAwaitingDelivery
            case .idle, .failed:
                if isOwned {
                    entitlement?.productKind == .autoRenewable ? .statusSubscribed : .statusOwned
                } else if product == nil ? absence == .unknown : terms == nil {
                    .statusUnavailable
                } else if case .failed = progress {
                    .statusFailed
                } else {
                    nil
                }
            }
        return text.map { CustomerTexts.current.text($0) }
    }

    /// The name of a symbol for the status; `nil` for a status without a symbol, and for a purchase in progress, which
    /// spins.
    package var symbolName: String? {
        if case .purchasing = progress { return nil }
        if case .awaitingDelivery = progress { return nil }
        if case .pending = progress { return "hourglass" }
        if isOwned { return "checkmark" }
        if case .failed = progress { return "exclamationmark.triangle" }
        return nil
    }

    /// The name and the terms, for screen readers.
    package var accessibilityLabel: String {
        guard let product else {
            return CustomerTexts.current.text(absence == nil ? .statusLoading : .statusUnavailable)
        }
        return [product.displayName, isOwned ? nil : terms?.summary].compactMap(\.self).joined(separator: ", ")
    }

    /// The accessibility hint: the effect of the button. Empty if the button is disabled and ``status`` gives the
    /// reason.
    package var accessibilityHint: String {
        if case .pending = progress { return CustomerTexts.current.text(.hintPending) }
        guard isEnabled, let terms else { return "" }
        return CustomerTexts.current.text(terms.isRenewing ? .hintSubscribe : .hintPurchase)
    }
}
