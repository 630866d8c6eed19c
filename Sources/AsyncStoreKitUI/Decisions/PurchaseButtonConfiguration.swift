public import AsyncStoreKit
import Foundation

/// The input of a style for a ``PurchaseButton``: the parts of the label, the progress of the purchase, and the action.
public struct PurchaseButtonConfiguration: Sendable {
    /// The product that the button buys.
    public let productID: String
    /// The product; `nil` until the model has loaded it.
    public let product: StoreProduct?
    /// The price, the period and the offer that applies; `nil` until the product is loaded, and if the product doesn't
    /// have the billing plan of the button's options.
    public let terms: PurchaseTerms?
    /// The progress of the purchase.
    public let progress: PurchaseProgress
    /// The customer's entitlement to the product; `nil` if the customer has never had the product.
    public let entitlement: StoreEntitlement?
    /// Whether there is nothing left to buy: the customer owns the product, or the subscription renews.
    public let isOwned: Bool
    /// Whether ``trigger`` starts a purchase. Disable your control otherwise.
    public let isEnabled: Bool
    /// The state in the customer's words, such as "Waiting for approval"; `nil` if the product can be purchased.
    public let status: String?
    /// A label for accessibility: the product's name and terms.
    ///
    /// It lacks the words that your style adds, such as "Subscribe". `purchaseButtonAccessibility(_:showing:)` adds
    /// them, because people who use Voice Control say the words that they see.
    public let accessibilityLabel: String
    /// A value for accessibility: the status. Empty if the product can be bought.
    public let accessibilityValue: String
    /// A hint for accessibility: what ``trigger`` does. Empty if the button is disabled.
    public let accessibilityHint: String
    /// Starts the purchase. Does nothing while ``isEnabled`` is `false`.
    public let trigger: @MainActor @Sendable () -> Void
    package let symbolName: String?

    /// Whether the product is being purchased or delivered: show a spinner.
    public var isInProgress: Bool { progress == .purchasing || progress == .awaitingDelivery }
    /// The name of the product; empty until the model has loaded it.
    public var title: String { product?.displayName ?? "" }

    package init(productID: String, _ state: PurchaseButtonState, trigger: @escaping @MainActor @Sendable () -> Void) {
        self.productID = productID
        product = state.product
        terms = state.terms
        progress = state.progress
        entitlement = state.entitlement
        isOwned = state.isOwned
        isEnabled = state.isEnabled
        status = state.status
        symbolName = state.symbolName
        accessibilityLabel = state.accessibilityLabel
        // A screen reader would read the same text twice.
        accessibilityValue = state.status.flatMap { $0 == state.accessibilityLabel ? nil : $0 } ?? ""
        accessibilityHint = state.accessibilityHint
        let isEnabled = state.isEnabled
        self.trigger = { if isEnabled { trigger() } }
    }

    /// Returns the label for accessibility of a button that shows some words: the words, the name, and the terms.
    package func accessibilityLabel(showing words: String) -> String {
        words.isEmpty || accessibilityLabel.contains(words) ? accessibilityLabel : "\(words), \(accessibilityLabel)"
    }

    /// Returns the value for accessibility of a button that shows some words: the status, unless the words are.
    package func accessibilityValue(showing words: String) -> String {
        accessibilityLabel(showing: words).contains(accessibilityValue) ? "" : accessibilityValue
    }

    /// Returns what people may say to press a button that shows some words: the words, and the name of the product.
    package func inputLabels(showing words: String) -> [String] {
        [words, title].filter { !$0.isEmpty }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
