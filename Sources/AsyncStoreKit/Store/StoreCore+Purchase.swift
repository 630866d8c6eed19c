/// Whether a purchase loads its product first.
package enum ProductLookUp: Sendable {
    /// The product has been loaded.
    case none
    /// Loads a product that isn't known.
    case ifUnknown
    /// Loads the product, even if it's known, and then what the caller needs besides.
    case always(also: (@Sendable (@escaping @Sendable (StoreError?) -> Void) -> StoreCall)? = nil)
}

package enum PurchaseSource: Sendable {
    case product(String, lookUp: ProductLookUp = .ifUnknown)
    /// A purchase that the customer has started in the App Store.
    case promoted(PromotedPayment)

    var productID: String {
        switch self {
        case .product(let id, _): id
        case .promoted(let promotion): promotion.product.id
        }
    }
}

// Every purchase passes through here, with and without `await`: the request with its context, the look-up of the
// product, and the cancellation.
extension StoreCore {
    /// Makes a purchase, which can be canceled in every phase.
    ///
    /// Payments whose products are loaded are submitted in the order of their calls. A call that loads its product
    /// joins the queue when the product is loaded.
    /// - Parameter respond: Called once, on any thread, possibly from inside the call.
    package func purchase(
        _ source: PurchaseSource, _ options: PurchaseOptions, style: Deliverer.CallStyle,
        _ respond: @escaping Reply<PurchaseResponse>
    ) -> StoreCall {
        do throws(StoreError) {
            let call = PaymentStateMachine.Call(request: try request(for: source, options), style: style)
            if let lookUp = lookUp(of: source) { return purchase(call, after: lookUp, respond) }
            let id = CallID()
            enqueue(respond) { $0.purchase(id, call, $1) }
            // A call that is kept after its end doesn't keep the store alive.
            return StoreCall { [weak self] in self?.enqueue(.cancelPurchase(id)) }
        } catch {
            respond(.failure(error))
            return .over
        }
    }

    /// Makes a purchase and waits for its response. Canceling the task ends the wait.
    nonisolated(nonsending) func purchase(
        _ source: PurchaseSource, _ options: PurchaseOptions, _ style: Deliverer.CallStyle
    ) async throws(StoreError) -> PurchaseResponse {
        guard !Task.isCancelled else { throw .cancelled("the purchase of \"\(source.productID)\"") }
        guard lookUp(of: source) == nil else {
            let promise = Promise<Result<PurchaseResponse, StoreError>>()
            let call = purchase(source, options, style: style) { promise.fulfill($0) }
            return try await promise.value { call.cancel() }.get()
        }
        // On this task, without waking another one.
        let id = CallID()
        let request = try request(for: source, options)
        return try await ask(
            { $0.purchase(id, PaymentStateMachine.Call(request: request, style: style), $1) },
            cancellation: .cancelPurchase(id))
    }

    /// Returns the payment. Its context gets an identifier, which StoreKit 2 carries if the app gives no account.
    /// - Throws: What ``PurchaseOptions/request(for:)`` throws, and ``StoreError/Code/unsupported`` for options that
    ///   the App Store's own payment can't carry.
    private func request(for source: PurchaseSource, _ options: PurchaseOptions) throws(StoreError) -> PaymentRequest {
        var request = try options.request(for: source.productID)
        let isStoreKit1 = backend.hostedContent != nil
        if case .promoted(let promotion) = source {
            request = promotion.request(options)
            // StoreKit 1 continues the payment object that it made.
            var carried = request.options
            (carried.timeout, carried.anchor, carried.encodedContext) = (nil, nil, nil)
            guard !isStoreKit1 || carried == promotion.payment.options else {
                throw StoreError(
                    .unsupported,
                    "StoreKit 1 continues the App Store's payment as it is, so it takes only a timeout and a context.")
            }
        }
        request.identifyContext(isCarried: !isStoreKit1)
        return request
    }

    /// Returns the look-up that a purchase needs first; `nil` if its product is known.
    private func lookUp(of source: PurchaseSource) -> ProductLookUp? {
        switch source {
        case .product(_, .always(let also)): .always(also: also)
        case .product(let id, .ifUnknown) where !knows(id): .ifUnknown
        case .product, .promoted: nil
        }
    }

    /// Loads the product, and then adds the call to the queue.
    private func purchase(
        _ call: PaymentStateMachine.Call, after lookUp: ProductLookUp, _ respond: @escaping Reply<PurchaseResponse>
    ) -> StoreCall {
        let id = CallID()
        let productID = call.request.productID
        let second = Locked<StoreCall?>(nil)
        let handle = StoreCall { [weak self] in
            self?.productRequests.cancel(id)
            second.withLock { $0 }?.cancel()
            self?.enqueue(.cancelPurchase(id))
        }
        let end: @Sendable (StoreError?) -> Void = { [self] error in
            if let error { return respond(.failure(error)) }
            guard !handle.isCancelled else {
                return respond(.failure(.cancelled("the purchase of \"\(productID)\"")))
            }
            enqueue(respond) { $0.purchase(id, call, $1) }
            // A cancellation in the meantime may have been enqueued before the call.
            if handle.isCancelled { enqueue(.cancelPurchase(id)) }
        }
        productRequests.register(id, [productID], ignoringCache: true) { products in
            do throws(StoreError) {
                guard try !products.get().isEmpty else { throw .unknownProduct(productID) }
                guard case .always(let also?) = lookUp else { return end(nil) }
                let call = also(end)
                second.withLock { $0 = call }
                // The call may have been canceled in the meantime.
                if handle.isCancelled { call.cancel() }
            } catch {
                end(error)
            }
        }
        return handle
    }
}

extension StoreInput {
    /// Ends the wait for a purchase.
    static func cancelPurchase(_ id: CallID) -> StoreInput { .change { $0.cancelPurchase(id) } }

    /// Ends the wait for a restore.
    static func cancelRestore(_ id: CallID) -> StoreInput { StoreInput { $0.cancelRestore(id) } }
}
