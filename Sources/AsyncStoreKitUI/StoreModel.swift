#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import Combine
    public import SwiftUI

    /// What the views of an app need to know of its store: products, entitlements, and what is going on with each purchase.
    ///
    /// Make one for the store when the app launches, and hand it to the views with `storeModel(_:loading:)`. It keeps the store.
    @MainActor public final class StoreModel: ObservableObject {
        /// The store below.
        public let store: PurchaseStore
        @Published private var state = StoreModelState()
        private var listeners: [Task<Void, Never>] = []

        /// Begins to listen.
        public init(_ store: PurchaseStore) {
            self.store = store
            state.entitlements = store.entitlements.latest
            listeners = [
                Task { [weak self] in
                    for await entitlements in store.entitlements { self?.state.entitlements = entitlements }
                },
                Task { [weak self] in
                    for await pending in store.pendingPurchases { self?.state.pendingChanged(to: pending.productIDs) }
                },
                Task { [weak self] in
                    for await purchase in store.observedPurchases where purchase.isDelivered { self?.state.delivered(purchase.productID) }
                },
                Task { [weak self] in
                    for await _ in store.storefrontChanges { await self?.loadAgain(evenIfLoaded: true) }
                },
            ]
        }

        deinit {
            for listener in listeners { listener.cancel() }
        }

        /// The products that were asked for last, in the order of their identifiers; empty until they are there.
        public var products: [StoreProduct] { state.products }
        /// Why the products are not there, or not up to date.
        public var productsError: StoreError? { state.productsError }
        /// What the customer owns.
        public var entitlements: StoreEntitlements { state.entitlements }
        /// Whether a restore is running that this model began.
        public var isRestoring: Bool { state.isRestoring }

        /// A product that has been loaded.
        public func product(_ productID: String) -> StoreProduct? { state.product(productID) }

        /// What is going on with a product, whichever view began it.
        public func progress(of productID: String) -> PurchaseProgress { state.progress(of: productID) }

        /// Loads products, unless they are there. What cannot be loaded is tried again when the app becomes active.
        public func loadProducts(_ productIDs: [String]) async {
            await load(productIDs, state.wish(for: productIDs))
        }

        /// Looks again at what may have changed while the app was not in front.
        public func refresh() async {
            await store.entitlements.refresh()
            await loadAgain(evenIfLoaded: false)
        }

        /// Buys a product, and shows everywhere that it is being bought.
        /// - Parameters:
        ///   - productID: What to buy.
        ///   - options: How.
        ///   - deliver: Delivers it. Without one the installed delivery does; where there is none, it is offered on `transactions` of
        ///     the store.
        /// - Throws: What `purchase` of the store throws.
        @discardableResult
        public func purchase(
            _ productID: String, options: PurchaseOptions = PurchaseOptions(), deliver: ((StorePurchase) async throws -> Void)? = nil
        ) async throws(StoreError) -> PurchaseOutcome {
            state.beginPurchase(of: productID)
            do throws(StoreError) {
                let outcome = try await outcome(of: productID, options, deliver)
                state.endPurchase(of: productID, .success(outcome))
                return outcome
            } catch {
                state.endPurchase(of: productID, .failure(error))
                throw error
            }
        }

        /// Restores, and shows everywhere that a restore is running.
        /// - Parameter deliver: As that of `purchase`.
        /// - Throws: `restoreInProgress` while one is running, and what `restore` of the store throws.
        @discardableResult
        public func restore(deliver: ((StorePurchase) async throws -> Void)? = nil) async throws(StoreError) -> RestoreOutcome {
            let isFirst = state.beginRestore()
            defer { if isFirst { state.endRestore() } }
            if let deliver { return try await store.restore(deliver: deliver) }
            let outcome = try await store.restore()
            for purchase in outcome.purchases { await purchase.retryDelivery(after: 0) }
            return outcome
        }

        private func outcome(
            of productID: String, _ options: PurchaseOptions, _ deliver: ((StorePurchase) async throws -> Void)?
        ) async throws(StoreError) -> PurchaseOutcome {
            if let deliver { return try await store.purchase(productID, options: options, deliver: deliver) }
            let outcome = try await store.purchase(productID, options: options)
            // Nobody else would ever deliver it.
            if case .success(let purchase) = outcome { await purchase.retryDelivery(after: 0) }
            return outcome
        }

        private func loadAgain(evenIfLoaded: Bool) async {
            let (productIDs, load) = state.wishAgain(evenIfLoaded: evenIfLoaded)
            await self.load(productIDs, load)
        }

        private func load(_ productIDs: [String], _ load: StoreModelState.Load) async {
            guard case .needed(let number) = load else { return }
            do throws(StoreError) {
                state.loaded(number, .success(Array(try await store.products(for: productIDs))))
            } catch {
                state.loaded(number, .failure(error))
            }
        }
    }

    private struct StoreModelKey: EnvironmentKey {
        static let defaultValue: StoreModel? = nil
    }

    extension EnvironmentValues {
        /// The model of `storeModel(_:loading:)`; `nil` in a view without that modifier.
        public var storeModel: StoreModel? {
            get { self[StoreModelKey.self] }
            set { self[StoreModelKey.self] = newValue }
        }
    }
#endif
