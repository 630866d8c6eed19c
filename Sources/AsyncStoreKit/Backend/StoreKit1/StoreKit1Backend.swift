package import Foundation
package import StoreKit

/// The backend over StoreKit 1: Apple's on Apple's platforms, and this package's over a simulated App Store elsewhere.
package final class StoreKit1Backend: StoreBackend {
    package let environment: StoreKit1Environment
    let observer: PaymentQueueObserver
    private let knownProducts = Locked<[String: SKProduct]>([:])

    /// The process's default payment queue.
    package convenience init() {
        self.init(environment: .process)
    }

    package init(environment: StoreKit1Environment) {
        self.environment = environment
        observer = PaymentQueueObserver(queue: environment.queue)
    }

    /// Adds the observer, and reports the transactions in the queue.
    package func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        observer.state.withLock { $0.queue.receive = receive }
        environment.queue.add(observer)
        // A queue that has reported to another observer of the process may not report again.
        observer.reportQueue()
    }

    /// Removes the observer.
    package func deactivate() {
        environment.queue.remove(observer)
        observer.state.withLock { $0.queue.receive = nil }
    }

    /// The device's clock.
    package var clock: any StoreClock { SystemStoreClock() }

    /// 30 seconds: the queue reports a payment before its sheet appears.
    package var usualPaymentResponseTimeout: TimeInterval { 30 }

    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        .receipt(try receiptData())
    }

    /// Returns the receipt.
    package func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory {
        try await purchaseHistory(groups: [])
    }

    package func appTransaction() async throws(StoreError) -> String? { nil }

    package var historyTrust: HistoryTrust {
        get async { environment.trust() }
    }

    /// StoreKit 1 doesn't say.
    package func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? { nil }

    package var canMakePayments: Bool { environment.canMakePayments() }

    package var storefront: AppStorefront? {
        environment.queue.storefront.map { AppStorefront(countryCode: $0.countryCode, id: $0.identifier) }
    }

    /// The greatest token given so far.
    package func newestToken() -> TransactionToken? {
        observer.newestToken()
    }

    package func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
        if let promotion = payment.promotionID {
            guard let hold = observer.state.withLock({ $0.queue.held.removeValue(forKey: promotion) }) else {
                throw .purchaseIntentAlreadyUsed(payment.productID)
            }
            return environment.queue.add(hold.payment)
        }
        guard let product = product(payment.productID) else {
            throw StoreError(.productUnavailable, "\"\(payment.productID)\" has not been loaded from the App Store.")
        }
        try payment.checkForStoreKit1()
        environment.queue.add(SKMutablePayment(payment, product: product))
    }

    package func restoreCompletedTransactions(applicationUsername: String?) {
        environment.queue.restoreCompletedTransactions(withApplicationUsername: applicationUsername)
    }

    package func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        if let transaction = observer.transaction(for: token) {
            environment.queue.finishTransaction(transaction)
        } else if observer.objects(for: [token]) == [nil] {
            observer.send { _ in .nothingToFinish(token) }
        }
        completion()
    }

    /// `true`: the queue informs the App Store by itself.
    package var finishesImmediately: Bool { true }

    /// Does nothing: the queue doesn't say which payment a transaction answers, and the backend holds nothing back.
    package func release(_ id: CallID) {}

    /// Does nothing: the queue reports every change.
    package func refreshPendingState() {}

    /// Drops the objects of entries that have left the queue.
    package func forget(_ tokens: [TransactionToken]) {
        observer.state.withLock { $0.queue.forget(tokens) }
    }

    /// Runs an `SKProductsRequest`.
    package func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        let request = StoreKitRequest(environment.productsRequest(productIDs), during: "The request for products")
        guard let response = try await request.response() else {
            throw StoreError(.unknown, "The request for products ended without a response.")
        }
        remember(response.products)
        return ProductsResponse(
            products: response.products.map(StoreProduct.init),
            invalidProductIDs: Set(response.invalidProductIdentifiers))
    }

    /// Reads the receipt in the app's bundle.
    package func receiptData() throws(StoreError) -> Data {
        try environment.receipt.data()
    }

    /// Runs an `SKReceiptRefreshRequest`.
    package func refreshReceipt() async throws(StoreError) {
        try await environment.receipt.refresh()
    }
}

// StoreKit's objects, for the compatibility module.
extension StoreKit1Backend {
    package func product(_ id: String) -> SKProduct? {
        knownProducts.withLock { $0[id] }
    }

    package func remember(_ products: [SKProduct]) {
        knownProducts.withLock { known in
            for product in products { known[product.productIdentifier] = product }
        }
    }

    package func transactions(for tokens: [TransactionToken]) -> [SKPaymentTransaction?] {
        observer.objects(for: tokens)
    }

    /// Returns the token of a transaction, which is reported first if it wasn't yet; `nil` if the queue lacks it.
    package func token(for transaction: SKPaymentTransaction) -> TransactionToken? {
        observer.token(for: transaction)
    }

    /// Sets a handler that accepts or holds payments from the App Store instead of the policy; `nil` restores the
    /// policy.
    ///
    /// It is called synchronously, on the thread on which StoreKit asks.
    package func decideStorePayments(by handler: (@Sendable (SKPayment, SKProduct) -> Bool)?) {
        observer.state.withLock { $0.storePaymentHandler = handler }
    }
}

extension SKMutablePayment {
    fileprivate convenience init(_ request: PaymentRequest, product: SKProduct) {
        self.init(product: product)
        quantity = request.quantity
        applicationUsername = request.applicationUsername
        simulatesAskToBuyInSandbox = request.options.simulatesAskToBuy
        if let offer = request.offer, case .promotional(let signed) = offer.form {
            paymentDiscount = SKPaymentDiscount(
                identifier: offer.id, keyIdentifier: signed.keyID, nonce: signed.nonce, signature: signed.signature,
                timestamp: NSNumber(value: signed.timestamp))
        }
    }
}

/// The source of StoreKit's objects: the process, or a test.
package struct StoreKit1Environment: Sendable {
    package let queue: SKPaymentQueue
    let canMakePayments: @Sendable () -> Bool
    let productsRequest: @Sendable (Set<String>) -> SKProductsRequest
    let receipt: DeviceReceipt
    let trust: @Sendable () -> HistoryTrust
}
