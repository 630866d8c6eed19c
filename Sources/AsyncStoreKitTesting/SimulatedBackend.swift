public import AppStoreSimulator
public import AsyncStoreKit
package import Foundation

/// A payment queue straight over a simulated App Store, on every platform: for tests and previews.
///
/// One backend is one launch of the app. To play a relaunch, drop the store, call `SimulatedAppStore.launch()` again and
/// make another backend with what it returns; the launch before is dead then, and calls that still wait are failed by
/// ``terminate()``.
public final class SimulatedBackend: StoreBackend, HostedContentBackend, SystemSheetBackend {
    let launch: SimulatedLaunch
    let observer = SimulatedBackendObserver()
    let appTransactionRequest: AppTransactionRequest

    /// A backend for one launch of the app.
    public init(launch: SimulatedLaunch) {
        self.launch = launch
        appTransactionRequest = AppTransactionRequest(launch)
    }

    /// A backend for a new launch of an app over this App Store.
    public convenience init(_ appStore: SimulatedAppStore) {
        self.init(launch: appStore.launch())
    }

    /// Ends the launch as the process's end does, except that calls that still wait fail with
    /// `StoreError.Code.backendUnavailable`.
    public func terminate() {
        observer.send(.terminated(unavailable))
        deactivate()
    }

    /// Adds the observer, and reports what is in the queue.
    package func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        observer.activate(receive)
        launch.add(observer)
        observer.report(launch.transactions, in: launch)
    }

    /// Removes the observer.
    package func deactivate() {
        launch.remove(observer)
        observer.deactivate()
    }

    /// The App Store's time.
    package var clock: any StoreClock { SimulatedClock(launch.store) }

    package var usualPaymentPatience: TimeInterval { 30 }

    /// What `SimulatedAppStore.canMakePayments` says.
    package var canMakePayments: Bool { launch.canMakePayments }

    /// The storefront of the account.
    package var storefront: AppStorefront? {
        launch.storefront.map { AppStorefront(countryCode: $0.countryCode, id: $0.id) }
    }

    package var hostedContent: (any HostedContentBackend)? { self }

    package var sheets: (any SystemSheetBackend)? { self }

    /// The greatest token given so far.
    package func newestToken() -> TransactionToken {
        observer.newestToken(in: launch)
    }

    /// Adds a payment.
    /// - Throws: `StoreError.Code.backendUnavailable` when there is a newer launch.
    package func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
        guard launch.isCurrent else { throw unavailable }
        guard let promotion = payment.promotionID else { return launch.add(SimulatedPayment(payment)) }
        guard let hold = observer.state.withLock({ $0.hold.removeValue(forKey: promotion) }) else {
            throw StoreError(.promotionAlreadyContinued, "The purchase of \"\(payment.productID)\" begun in the App Store goes on already.")
        }
        launch.add(hold)
    }

    /// Has the queue restore.
    /// - Throws: `StoreError.Code.backendUnavailable` when there is a newer launch.
    package func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) {
        guard launch.isCurrent else { throw unavailable }
        launch.restoreCompletedTransactions(applicationUsername: applicationUsername)
    }

    /// Finishes an entry.
    package func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        if let entry = observer.entry(for: token) { launch.finishTransaction(entry) }
        completion()
    }

    /// Does nothing: the queue doesn't say which payment a transaction answers, and the backend holds nothing back.
    package func release(_ id: CallID) {}

    /// Does nothing: the observer drops an entry when the entry leaves the queue.
    package func forget(_ tokens: [TransactionToken]) {}

    /// Does nothing: the queue reports every change.
    package func refreshPendingState() {}

    /// Asks the simulated App Store for products.
    package func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        guard launch.isCurrent else { throw unavailable }
        let run = SimulatedRequestRun()
        let request = launch.productsRequest(productIDs) { run.receive($0) }
        guard let products = try await run.response(to: request, during: "The request for products") else {
            throw StoreError(.unknown, "The request for products ended without a response.")
        }
        let display = SimulatedDisplay(of: launch)
        return ProductsResponse(
            products: products.found.map { StoreProduct($0, display, engine: .storeKit1) },
            invalidProductIDs: Set(products.invalid))
    }

    /// The receipt on the simulated device.
    package func receiptData() throws(StoreError) -> Data {
        guard let receipt = launch.receipt else {
            throw StoreError(.receiptUnavailable, "There is no receipt on this device yet; refresh it to get one.")
        }
        return receipt
    }

    /// Asks the simulated App Store for a new receipt.
    package func refreshReceipt() async throws(StoreError) {
        guard launch.isCurrent else { throw unavailable }
        let run = SimulatedRequestRun()
        let request = launch.receiptRefreshRequest { run.receive($0) }
        _ = try await run.response(to: request, during: "The request for a new receipt")
    }

    private var unavailable: StoreError {
        StoreError(.backendUnavailable, "This launch of the app is over: the simulated App Store has a newer one.")
    }
}
