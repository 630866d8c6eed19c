package import AsyncStoreKit

/// A ``StoreModel`` without SwiftUI: it listens to the store, makes its calls, and says when the state changes.
///
/// A change is reported once, and only if the state differs afterwards, so that views aren't updated for nothing.
@MainActor package final class StoreModelCore {
    package let store: PurchaseStore
    package private(set) var state = StoreModelState()
    /// Called with the new state after each change.
    package var onChange: @MainActor (StoreModelState) -> Void = { _ in }
    /// Announces a text to people who use a screen reader.
    package var announce: @MainActor (String) -> Void = { _ in }
    var places = ConfirmationPlaces()
    private var eligibilityReads = 0
    private var listeners: [Task<Void, Never>] = []

    /// Starts to listen to the store.
    package init(_ store: PurchaseStore) {
        self.store = store
        state.entitlements = store.entitlements.latest
        listeners = [
            Task { [weak self] in
                for await entitlements in store.entitlements { self?.change { $0.entitlements = entitlements } }
            },
            // A separate loop, because access must not wait for StoreKit's answer about offers.
            Task { [weak self] in
                for await _ in store.entitlements { await self?.readEligibility() }
            },
            Task { [weak self] in
                for await pending in store.pendingPurchases { self?.change { $0.pendingChanged(to: pending) } }
            },
            Task { [weak self] in
                for await end in store.deliveryEnds { self?.changeAndAnnounce { $0.deliveryEnded(end) } }
            },
            Task { [weak self] in
                for await _ in store.storefrontChanges { await self?.loadAgain(evenIfLoaded: true) }
            },
        ]
    }

    deinit {
        for listener in listeners { listener.cancel() }
    }

    @discardableResult
    package func change<Value>(_ body: (inout StoreModelState) -> Value) -> Value {
        var changed = state
        let value = body(&changed)
        if changed != state {
            state = changed
            onChange(changed)
        }
        return value
    }
}

extension StoreModelCore {
    fileprivate func changeAndAnnounce(_ body: (inout StoreModelState) -> String?) {
        if let text = change(body) { announce(text) }
    }
}

// Products and offers.
extension StoreModelCore {
    /// Loads products for as long as the model exists, as a call of the app.
    package func loadProducts(_ productIDs: [String]) async {
        await load(change { $0.products.want(productIDs, at: nil) })
    }

    /// A view at a place appeared, or names other products than before.
    /// - Returns: The task that loads what isn't loaded.
    @discardableResult
    package func want(_ productIDs: [String], at place: ConfirmationPlace) -> Task<Void, Never> {
        let request = change { $0.products.want(productIDs, at: place) }
        return Task { await load(request) }
    }

    /// Reads what may have changed while the app wasn't active.
    package func refresh() async {
        await store.entitlements.refresh()
        await loadAgain(evenIfLoaded: false)
    }

    package func loadAgain(evenIfLoaded: Bool) async {
        await load(change { $0.products.requestAgain(evenIfLoaded: evenIfLoaded) })
    }

    private func load(_ request: LoadedProducts.Request?) async {
        guard let request else { return }
        // Not the task of the view, which is canceled when the view disappears: others wait for the same products.
        await Task { [self] in
            do throws(StoreError) {
                let products = Array(try await store.products(for: request.productIDs))
                change { $0.products.answered(request, .success(products)) }
                await readEligibility()
            } catch {
                change { $0.products.answered(request, .failure(error)) }
            }
        }.value
    }

    /// Reads for each group whether the customer may use an introductory offer. The latest read is used.
    private func readEligibility() async {
        eligibilityReads += 1
        let read = eligibilityReads
        var eligibility: [String: Bool] = [:]
        for groupID in state.products.groupIDs {
            eligibility[groupID] = await store.isEligibleForIntroductoryOffer(inGroup: groupID)
        }
        guard read == eligibilityReads else { return }
        change { $0.introductoryEligibility = eligibility }
    }
}

// Calls.
extension StoreModelCore {
    package func purchase(
        _ productID: String, _ options: PurchaseOptions, _ deliver: (@MainActor (StorePurchase) async throws -> Void)?
    ) async throws(StoreError) -> PurchaseOutcome {
        change { $0.beginPurchase(of: productID) }
        do throws(StoreError) {
            let outcome = try await outcome(of: productID, options, deliver)
            changeAndAnnounce { $0.endPurchase(of: productID, .success(outcome)) }
            return outcome
        } catch {
            let place = state.alerts.next
            changeAndAnnounce { $0.endPurchase(of: productID, .failure(error), alertAt: place) }
            throw error
        }
    }

    private func outcome(
        of productID: String, _ options: PurchaseOptions, _ deliver: (@MainActor (StorePurchase) async throws -> Void)?
    ) async throws(StoreError) -> PurchaseOutcome {
        if let deliver { return try await store.purchase(productID, options: options, deliver: deliver) }
        let outcome = try await store.purchase(productID, options: options)
        // No caller delivers the purchase: it's offered on the stream.
        if case .success(let purchase) = outcome { await purchase.retryDelivery(after: 0) }
        return outcome
    }

    package func restore(
        _ deliver: (@MainActor (StorePurchase) async throws -> Void)?
    ) async throws(StoreError) -> RestoreOutcome {
        let isFirst = change { $0.beginRestore() }
        do throws(StoreError) {
            let outcome = try await restored(deliver)
            if isFirst { endRestore(.success(outcome)) }
            return outcome
        } catch {
            if isFirst { endRestore(.failure(error)) }
            throw error
        }
    }

    private func endRestore(_ result: Result<RestoreOutcome, StoreError>) {
        let place = state.alerts.next
        changeAndAnnounce { $0.endRestore(result, alertAt: place) }
    }

    private func restored(
        _ deliver: (@MainActor (StorePurchase) async throws -> Void)?
    ) async throws(StoreError) -> RestoreOutcome {
        if let deliver { return try await store.restore(deliver: deliver) }
        let outcome = try await store.restore()
        for purchase in outcome.purchases { await purchase.retryDelivery(after: 0) }
        return outcome
    }

    /// Presents one of the system's sheets, unless a sheet is open in the same window.
    /// - Parameters:
    ///   - place: The place of the button.
    ///   - alert: The alert after a sheet that was closed without an error.
    ///   - present: Presents the sheet.
    /// - Returns: The result of the sheet; `nil` if another sheet is open.
    package func present<Value: Sendable>(
        at place: ConfirmationPlace, alert: (Value) -> StoreAlert? = { _ in nil },
        _ present: @MainActor () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value? {
        guard !isSheetOpen(at: place) else { return nil }
        use(windowOf: place)
        change { $0.beginSheet(at: place) }
        do throws(StoreError) {
            let value = try await present()
            endSheet(at: place, alert(value))
            return value
        } catch {
            endSheet(at: place, StoreAlert(error, during: .sheet))
            throw error
        }
    }

    private func endSheet(at place: ConfirmationPlace, _ alert: StoreAlert?) {
        let alertPlace = state.alerts.next
        changeAndAnnounce { $0.endSheet(at: place, alert, alertAt: alertPlace) }
    }
}
