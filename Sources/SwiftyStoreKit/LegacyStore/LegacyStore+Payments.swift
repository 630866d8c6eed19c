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
        guard let requests = requests(for: productId, purchase) else { return LegacyRequest {} }
        // As in SwiftyStoreKit 0.16.4, purchasing by identifier always loads the product first.
        if let backend {
            let call = core.purchase(.product(productId, lookUp: .always()), options, style: purchase.style) {
                response in
                purchase.complete(response.mapError { $0.naming(productId) }, backend.product(productId))
            }
            return LegacyRequest { call.cancel() }
        }
        let product = Locked<LegacyProducts?>(nil)
        let lookUp = ProductLookUp.always { end in
            requests.products([productId]) { response in
                switch response {
                case .success(let found):
                    product.withLock { $0 = found }
                    end(found.products.isEmpty ? .unknownProduct(productId) : nil)
                case .failure(let error): end(error)
                }
            }
        }
        let call = core.purchase(.product(productId, lookUp: lookUp), options, style: purchase.style) { response in
            purchase.complete(response.mapError { $0.naming(productId) }, product.withLock { $0 }?.products.first)
        }
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
        guard requests(for: product.productIdentifier, purchase) != nil else { return }
        backend?.remember([product])
        // StoreKit 2 has its own product values, so a product that it hasn't loaded yet is loaded first.
        let source = PurchaseSource.product(product.productIdentifier, lookUp: backend == nil ? .ifUnknown : .none)
        _ = core.purchase(source, options, style: purchase.style) { purchase.complete($0, product) }
    }

    /// Returns StoreKit's requests. If the store's backend has none, sends an error to the completion.
    private func requests(for productID: String, _ purchase: LegacyPurchase) -> LegacyRequests? {
        if requests == nil {
            purchase.fail(
                StoreError(
                    .productUnavailable,
                    "\"\(productID)\" can't be purchased: the store's backend isn't StoreKit. Use a store over StoreKit."
                ))
        }
        return requests
    }
}

extension StoreError {
    /// Returns the error with SwiftyStoreKit's text for an unknown product.
    fileprivate func naming(_ productID: String) -> StoreError {
        code == .productUnavailable ? StoreError(.productUnavailable, "Invalid product id: \(productID)") : self
    }
}
