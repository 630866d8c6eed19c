import AppStoreSimulator
import AsyncStoreKit
import Foundation

/// StoreKit 1 over a simulated App Store: a payment queue and a receipt.
final class SimulatedPaymentQueue: StoreBackend {
    private let launch: SimulatedLaunch
    private let observer = SimulatedPaymentQueueObserver()
    private let receipt: DeviceReceipt
    let clock: any StoreClock
    /// Ends the observation of the customer's subscriptions.
    private let endOfObservation = Locked<(@Sendable () -> Void)?>(nil)
    /// The loaded products, for which StoreKit 1 can create payments.
    private let knownProducts = Locked<Set<String>>([])

    init(launch: SimulatedLaunch) {
        self.launch = launch
        receipt = DeviceReceipt(launch)
        clock = SimulatedClock(launch.store)
    }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        observer.activate(receive)
        launch.add(observer)
        observer.report(launch.transactions, in: launch)
        // A device doesn't say when it has reported everything. Here, a question about an empty queue is answered at
        // once.
        Task { [observer, appStore = launch.store] in
            await appStore.waitUntilIdle()
            observer.send(.initialTransactionsReported)
        }
        // StoreKit 1 doesn't report the end of a subscription. A customer ends it outside the app, and the store reads
        // the receipt when the app becomes active.
        let end = launch.observe([.statuses]) { update in
            if case .status(let status) = update, status.state == .expired { receive(.entitlementsMayHaveChanged) }
        }
        endOfObservation.withLock { $0 = end }
    }

    func deactivate() {
        endOfObservation.withLock { $0 }?()
        launch.remove(observer)
        observer.deactivate()
    }

    /// 30 seconds: the queue reports a payment before its sheet appears.
    var usualPaymentResponseTimeout: TimeInterval { 30 }

    var canMakePayments: Bool { launch.canMakePayments }
    var storefront: AppStorefront? { launch.storefront.map { AppStorefront($0) } }
    var hostedContent: (any HostedContentBackend)? { self }
    var finishesImmediately: Bool { false }
    var sheets: (any SystemSheetBackend)? { self }

    func newestToken() -> TransactionToken? { observer.newestToken(in: launch) }

    /// Adds a payment to the queue.
    /// - Throws: ``StoreError/Code/productUnavailable``, ``StoreError/Code/unsupported`` and
    ///   ``StoreError/Code/purchaseIntentAlreadyUsed``, as StoreKit 1's backend does.
    func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
        if let promotion = payment.promotionID {
            guard let held = observer.state.withLock({ $0.queue.held.removeValue(forKey: promotion) }) else {
                throw .purchaseIntentAlreadyUsed(payment.productID)
            }
            return launch.add(held)
        }
        guard knownProducts.withLock({ $0.contains(payment.productID) }) else {
            throw StoreError(
                .productUnavailable, "\"\(payment.productID)\" has not been loaded from the App Store.")
        }
        try payment.checkForStoreKit1()
        launch.add(SimulatedPayment(payment))
    }

    func restoreCompletedTransactions(applicationUsername: String?) {
        launch.restoreCompletedTransactions(applicationUsername: applicationUsername)
    }

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        if let transaction = observer.state.withLock({ $0.queue.object(for: token) }) {
            launch.finishTransaction(transaction.id)
        } else if observer.state.withLock({ $0.queue.lastObject(for: token) }) == nil {
            observer.send(.nothingToFinish(token))
        }
        completion()
    }

    /// Does nothing: the queue doesn't report which payment a transaction answers, and the backend holds no
    /// transactions.
    func release(_ id: CallID) {}

    func forget(_ tokens: [TransactionToken]) {
        observer.state.withLock { $0.queue.forget(tokens) }
    }

    /// Does nothing: the queue reports every change.
    func refreshPendingState() {}

    /// Replaces the policies. The simulated queue doesn't ask about price increases.
    func apply(_ policies: PaymentQueuePolicies) {
        observer.state.withLock { $0.queue.policies = policies }
    }

    func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        let run = SimulatedRequestRun()
        let request = launch.productsRequest(productIDs) {
            run.receive($0)
        } endHandler: {
            run.end()
        }
        guard let products = try await run.response(to: request, during: "The request for products") else {
            throw StoreError(.unknown, "The request for products ended without a response.")
        }
        knownProducts.withLock { $0.formUnion(products.found.map(\.productID)) }
        let display = SimulatedDisplay(of: launch)
        return ProductsResponse(
            products: products.found.map { StoreProduct($0, display, engine: .storeKit1) },
            invalidProductIDs: Set(products.invalid))
    }

    func receiptData() throws(StoreError) -> Data { try receipt.data() }
    func refreshReceipt() async throws(StoreError) { try await receipt.refresh() }

    /// Returns the receipt, which is StoreKit 1's purchase history.
    func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        .receipt(try receiptData())
    }
    func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory { try await purchaseHistory(groups: []) }

    /// Returns `nil`: the receipt contains the app transaction.
    func appTransaction() async throws(StoreError) -> String? { nil }

    var historyTrust: HistoryTrust {
        get async { HistoryTrust(launch) }
    }

    /// Returns `nil`: StoreKit 1 doesn't report eligibility.
    func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? { nil }
}

extension SimulatedPaymentQueue: SystemSheetBackend {
    /// Presents a sheet of the queue, which is recorded in `SimulatedLaunch.presentedSheets`.
    func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async throws(StoreError) -> StoreTransaction? {
        switch sheet {
        case .codeRedemption: launch.presentCodeRedemptionSheet()
        case .priceConsent: launch.showPriceConsentIfNeeded()
        default: throw .unsupported(sheet)
        }
        return nil
    }

    /// Does nothing: StoreKit 1 doesn't report messages.
    func startObservingMessages() {}
}

extension SimulatedPaymentQueue: HostedContentBackend {
    /// Starts, pauses, resumes or cancels downloads.
    func control(_ command: DownloadCommand, _ downloads: [StoreDownload.ID]) {
        let ids = observer.state.withLock { state in
            downloads.compactMap { id -> SimulatedDownload.ID? in
                guard let known = state.queue.object(for: id.transaction)?.downloads, known.indices.contains(id.index)
                else { return nil }
                return known[id.index].id
            }
        }
        guard !ids.isEmpty else { return }
        switch command {
        case .start: launch.start(ids)
        case .pause: launch.pause(ids)
        case .resume: launch.resume(ids)
        case .cancel: launch.cancel(ids)
        }
    }
}
