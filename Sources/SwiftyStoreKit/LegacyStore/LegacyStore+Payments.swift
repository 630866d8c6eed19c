import AsyncStoreKit
package import StoreKit

extension LegacyStore {
    /// See
    /// ``SwiftyStoreKit/purchaseProduct(_:quantity:atomically:applicationUsername:simulatesAskToBuyInSandbox:completion:)``.
    package func purchaseProduct(
        _ productId: String, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, completion: @escaping (PurchaseResult) -> Void
    ) -> any InAppRequest {
        let options = PurchaseOptions(
            quantity: quantity, account: .username(applicationUsername), simulatesAskToBuy: simulatesAskToBuyInSandbox)
        let purchase = LegacyPurchase(
            core: core, backend: backend, atomically: atomically, callback: MainCallback(completion))
        guard let request = request(for: productId, options, purchase), let requests else { return LegacyRequest {} }
        // As in SwiftyStoreKit 0.16.4, purchasing by identifier always loads the product first.
        let call = CompletionQueue.shared.makeCall { [core, backend] in
            if let backend {
                return core.purchase(request, style: purchase.style) { response in
                    purchase.complete(response.mapError { $0.naming(productId) }, backend.product(productId))
                }
            }
            let product = Locked<LegacyProducts?>(nil)
            return core.purchase(
                request, style: purchase.style,
                after: { end in
                    requests.products([productId]) { response in
                        switch response {
                        case .success(let found):
                            product.withLock { $0 = found }
                            end(found.products.isEmpty ? .unknownProduct(productId) : nil)
                        case .failure(let error): end(error)
                        }
                    }
                },
                { response in
                    purchase.complete(
                        response.mapError { $0.naming(productId) }, product.withLock { $0 }?.products.first)
                })
        }
        processCallsNow()
        return LegacyRequest { call.cancel() }
    }

    /// See
    /// ``SwiftyStoreKit/purchaseProduct(_:quantity:atomically:applicationUsername:simulatesAskToBuyInSandbox:paymentDiscount:completion:)``.
    package func purchaseProduct(
        _ product: SKProduct, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, paymentDiscount: PaymentDiscount? = nil,
        completion: @escaping (PurchaseResult) -> Void
    ) {
        let options = PurchaseOptions(
            quantity: quantity, account: .username(applicationUsername),
            offer: paymentDiscount.map { PurchaseOffer($0.discount) },
            simulatesAskToBuy: simulatesAskToBuyInSandbox)
        let purchase = LegacyPurchase(
            core: core, backend: backend, atomically: atomically, callback: MainCallback(completion))
        guard let request = request(for: product.productIdentifier, options, purchase) else { return }
        backend?.remember([product])
        let respond: @Sendable (Result<PurchaseResponse, StoreError>) -> Void = { purchase.complete($0, product) }
        if backend != nil || core.knows(product.productIdentifier) {
            core.purchaseLoaded(request, style: purchase.style, respond)
        } else {
            // StoreKit 2 has its own product values, so a product that it hasn't loaded yet is loaded first.
            _ = core.purchase(request, style: purchase.style, respond)
        }
        processCallsNow()
    }

    /// Returns the payment. If the options are invalid, sends the error to the completion and returns `nil`.
    private func request(for productID: String, _ options: PurchaseOptions, _ purchase: LegacyPurchase)
        -> PaymentRequest?
    {
        do throws(StoreError) {
            guard requests != nil else {
                throw StoreError(
                    .productUnavailable,
                    "\"\(productID)\" can't be purchased: the store's backend isn't StoreKit. Use a store over StoreKit."
                )
            }
            return try options.request(for: productID)
        } catch {
            purchase.fail(error)
            return nil
        }
    }
}

extension StoreError {
    /// Returns the error with SwiftyStoreKit's text for an unknown product.
    fileprivate func naming(_ productID: String) -> StoreError {
        code == .productUnavailable ? StoreError(.productUnavailable, "Invalid product id: \(productID)") : self
    }
}
