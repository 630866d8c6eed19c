#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import Combine
    import SwiftUI

    /// The state of a store for views: products and offers, entitlements, and the progress of purchases.
    ///
    /// Create one model when the app launches, and pass it to the views with
    /// `storeModel(_:loading:shouldShowMessage:)`. A view of your own reads it with `@EnvironmentObject`, and is
    /// updated when the model changes:
    ///
    /// ```swift
    /// @EnvironmentObject private var model: StoreModel
    /// ```
    /// The model keeps the store alive.
    @MainActor public final class StoreModel: ObservableObject {
        /// The store.
        public let store: PurchaseStore
        let core: StoreModelCore
        @Published private(set) var state: StoreModelState

        /// Creates a model and starts to listen to the store.
        public init(_ store: PurchaseStore) {
            self.store = store
            core = StoreModelCore(store)
            state = core.state
            core.onChange = { [weak self] in self?.state = $0 }
            core.announce = Announcement.post
        }

        /// The loaded products of the views on the screen, which name them with
        /// `storeModel(_:loading:shouldShowMessage:)`, and of ``loadProducts(_:)``. They are in the order of the list
        /// that appeared last.
        public var products: [StoreProduct] { state.products.products }
        /// Why one of the products isn't loaded, or isn't up to date.
        public var productsError: StoreError? { state.products.error }
        /// The customer's entitlements.
        public var entitlements: StoreEntitlements { state.entitlements }
        /// The purchases that wait for approval (Ask to Buy), including those of earlier launches that StoreKit still
        /// lists.
        public var pendingPurchases: [PendingPurchase] { state.pendingPurchases }
        /// Whether this model is restoring purchases.
        public var isRestoring: Bool { state.isRestoring }

        /// Returns a loaded product, even after the view that named the product has disappeared.
        public func product(_ productID: String) -> StoreProduct? { state.products[productID] }

        /// Returns the progress of a product's purchase, whichever view started it.
        public func progress(of productID: String) -> PurchaseProgress { state.progress(of: productID) }

        /// Loads products, unless they are loaded, and keeps them up to date as long as the model exists. Products that
        /// couldn't be loaded are requested again when the app becomes active. Cancellation of the task doesn't end the
        /// request, because other views may wait for it.
        public func loadProducts(_ productIDs: [String]) async {
            await core.loadProducts(productIDs)
        }

        /// Reads the entitlements, and requests products that couldn't be loaded.
        public func refresh() async {
            await core.refresh()
        }
    }

    // Offers and subscriptions.
    extension StoreModel {
        /// Returns the offers of a product that the customer may use now, the best first.
        ///
        /// The result is empty, with `unknown` offers, until StoreKit has answered.
        public func offers(for product: StoreProduct) -> EligibleOffers { state.offers(for: product) }

        /// Whether the customer may use an introductory offer in a subscription group; `nil` until StoreKit has
        /// answered, if no product of the group is loaded, and if StoreKit doesn't say.
        public func isEligibleForIntroductoryOffer(inGroup groupID: String) -> Bool? {
            state.introductoryEligibility[groupID]
        }

        /// Returns what the customer agrees to pay for a product, with the offer that applies: for a custom paywall.
        /// - Parameters:
        ///   - product: The product.
        ///   - options: The options of the purchase, such as the billing plan.
        /// - Returns: `nil` if the product doesn't have the billing plan.
        public func terms(of product: StoreProduct, options: PurchaseOptions = PurchaseOptions()) -> PurchaseTerms? {
            PurchaseTerms(product, options: options, eligible: offers(for: product))
        }

        /// Returns the status of a subscription group: never subscribed, in a free trial, subscribed, and so on.
        public func subscriptionStatus(inGroup groupID: String) -> SubscriptionGroupStatus {
            entitlements.status(inGroup: groupID)
        }
    }

    // Purchases.
    extension StoreModel {
        /// Purchases a product. Every view shows that the purchase is in progress.
        /// - Parameters:
        ///   - productID: The product.
        ///   - options: The options of the purchase.
        ///   - deliver: Delivers the purchase, on the main actor. Without a closure, the installed delivery does. If no
        ///     delivery is installed, the purchase is offered on `transactions` of the store.
        /// - Throws: What `purchase` of the store throws.
        @discardableResult
        public func purchase(
            _ productID: String, options: PurchaseOptions = PurchaseOptions(),
            deliver: (@MainActor (StorePurchase) async throws -> Void)? = nil
        ) async throws(StoreError) -> PurchaseOutcome {
            try await core.purchase(productID, options, deliver)
        }

        /// Restores purchases. Every view shows that a restore is running.
        /// - Parameter deliver: Delivers each purchase, as in ``purchase(_:options:deliver:)``.
        /// - Throws: `restoreInProgress` while a restore is running, and what `restore` of the store throws.
        @discardableResult
        public func restore(deliver: (@MainActor (StorePurchase) async throws -> Void)? = nil) async throws(StoreError)
            -> RestoreOutcome
        {
            try await core.restore(deliver)
        }
    }

    private struct CurrentStoreModelKey: EnvironmentKey {
        static let defaultValue: StoreModel? = nil
    }

    extension EnvironmentValues {
        /// The model for the views of this module, which show a note without a model. It isn't observed: `ModelReader`
        /// does that.
        var currentStoreModel: StoreModel? {
            get { self[CurrentStoreModelKey.self] }
            set { self[CurrentStoreModelKey.self] = newValue }
        }
    }
#endif
