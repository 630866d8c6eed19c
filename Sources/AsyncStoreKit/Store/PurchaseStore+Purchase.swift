extension PurchaseStore {
    /// Purchases a product. Call `finish()` on the result, unless a delivery is installed; then the delivery handles
    /// the purchase first.
    ///
    /// Payments are made in the order of the calls. A call that must first load its product has its position from the
    /// moment at which the product is loaded, so two calls whose products aren't loaded may change places. Canceling
    /// the task only ends the wait: a payment that waits for earlier ones is removed, and a payment that StoreKit has
    /// continues. Its transaction arrives on ``transactions``.
    /// - Throws: The StoreKit error of a failed payment, or ``StoreError/Code/productUnavailable``,
    ///   ``StoreError/Code/invalidQuantity``, ``StoreError/Code/invalidAccount``,
    ///   ``StoreError/Code/transactionRemoved``, ``StoreError/Code/timedOut``, ``StoreError/Code/taskCancelled``,
    ///   ``StoreError/Code/deliveryRejected`` and ``StoreError/Code/deliveryPending``.
    public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions()
    ) async throws(StoreError) -> PurchaseOutcome {
        PurchaseOutcome(try await core.purchase(.product(productID), options, .plain), core: core)
    }

    /// Purchases a loaded product. See ``purchase(_:options:)-(String,_)``.
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions()
    ) async throws(StoreError) -> PurchaseOutcome {
        PurchaseOutcome(try await core.purchase(.product(product.id, lookUp: .none), options, .plain), core: core)
    }

    /// Purchases a product and delivers it in the closure. The transaction is finished when the closure returns.
    ///
    /// The closure runs in the caller's isolation and doesn't block other payments: it may take its time, and may make
    /// another purchase. If the closure throws, the transaction stays unfinished. It's offered on ``transactions``, and
    /// again at the next launch.
    ///
    /// The same happens if the task is canceled before the closure returns, whatever the closure returns: in a
    /// canceled task, a request to your server fails immediately, and the closure may ignore the error. A closure
    /// isn't called in a task that is canceled already. SwiftUI cancels the tasks of `.task` and `.refreshable` when
    /// the view disappears. So a closure that has unlocked the content just before is called again for the same
    /// ``StorePurchase/deliveryKey``, with ``StorePurchase/isRedelivery``. Unlock the content once per key, or make the
    /// call in a task that outlives the view; see <doc:DeliveringContent>.
    ///
    /// The closure isn't called if StoreKit answers with a purchase that is being delivered, or was delivered before:
    /// in this process, or by the ``StoreConfiguration/deliveryLedger`` in an earlier one.
    /// ``StorePurchase/isHandledElsewhere`` is `true` then.
    ///
    /// The call returns when the App Store has finished the transaction, so that no later launch delivers the purchase
    /// again, but at most five seconds after the closure.
    /// - Throws: As ``purchase(_:options:)-(String,_)`` does; ``StoreError/Code/deliveryFailed`` with what the closure
    ///   threw underneath; and ``StoreError/Code/taskCancelled`` if the task was canceled before the closure returned.
    @discardableResult
    nonisolated(nonsending) public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions(),
        deliver: nonisolated(nonsending) (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        try await delivering(try await core.purchase(.product(productID), options, .closure), deliver)
    }

    /// Purchases a loaded product and delivers it in the closure. See
    /// ``purchase(_:options:deliver:)-(String,_,_)``.
    @discardableResult
    nonisolated(nonsending) public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions(),
        deliver: nonisolated(nonsending) (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        try await delivering(
            try await core.purchase(.product(product.id, lookUp: .none), options, .closure), deliver)
    }

    nonisolated(nonsending) func delivering(
        _ response: PurchaseResponse, _ deliver: nonisolated(nonsending) (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        let outcome = PurchaseOutcome(response, core: core)
        if case .success(let purchase) = outcome, !purchase.isHandledElsewhere {
            try await core.deliver(purchase, deliver)
        }
        return outcome
    }
}

/// How a purchase ended, in StoreKit 2's words.
public enum PurchaseOutcome: Sendable, Hashable {
    /// The purchase is paid.
    indirect case success(StorePurchase)
    /// The purchase waits for approval (Ask to Buy). The answer arrives in this launch or another one, on
    /// ``PurchaseStore/transactions`` or ``PurchaseStore/purchaseFailures``. While the store exists, it has the same
    /// ``PendingPurchase``.
    case pending(PendingPurchase)
    /// The customer closed the sheet.
    case userCancelled

    @inline(never)
    init(_ response: PurchaseResponse, core: StoreCore) {
        self =
            switch response {
            case .paid(let record): .success(StorePurchase(record, owner: core))
            case .pending(let pending, _): .pending(pending)
            case .userCancelled: .userCancelled
            }
    }
}

/// How a restore ended.
public enum RestoreOutcome: Sendable, Hashable {
    /// The restore succeeded: the purchases, in the order in which StoreKit reported them. There may be none.
    case restored([StorePurchase])
    /// The customer canceled the sign-in. Purchases that arrived before are on ``PurchaseStore/transactions``.
    case userCancelled

    /// The purchases, in the order in which StoreKit reported them; none when the customer canceled.
    public var purchases: [StorePurchase] {
        switch self {
        case .restored(let purchases): purchases
        case .userCancelled: []
        }
    }

    /// The restored products, without duplicates.
    public var productIDs: Set<String> { Set(purchases.map(\.productID)) }
}

extension Result<RestoreResponse, StoreError> {
    /// How the restore ended for its call.
    func outcome(core: StoreCore) -> Result<RestoreOutcome, StoreError> {
        switch self {
        case .success(let response): .success(.restored(response.records.map { StorePurchase($0, owner: core) }))
        case .failure(let error) where error.code == .userCancelled: .success(.userCancelled)
        case .failure(let error): .failure(error)
        }
    }
}

extension PurchaseOutcome: CustomStringConvertible {
    /// The outcome and its value, on one line.
    public var description: String {
        switch self {
        case .success(let purchase): "success(\(purchase))"
        case .pending(let pending): "pending(\(pending))"
        case .userCancelled: "userCancelled"
        }
    }
}

extension RestoreOutcome: CustomStringConvertible {
    /// The outcome and the transactions, on one line.
    public var description: String {
        switch self {
        case .restored(let purchases): "restored(\(purchases.map(\.transaction.description).joined(separator: "; ")))"
        case .userCancelled: "userCancelled"
        }
    }
}
