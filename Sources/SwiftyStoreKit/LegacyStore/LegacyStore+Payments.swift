import AsyncStoreKit
package import StoreKit

extension LegacyStore {
    /// See ``SwiftyStoreKit/purchaseProduct(_:quantity:atomically:applicationUsername:simulatesAskToBuyInSandbox:completion:)``.
    package func purchaseProduct(
        _ productId: String, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, completion: @escaping (PurchaseResult) -> Void
    ) -> any InAppRequest {
        let options = PurchaseOptions(
            quantity: quantity, account: .username(applicationUsername), simulatesAskToBuy: simulatesAskToBuyInSandbox)
        let purchase = LegacyPurchase(core: core, backend: backend, atomically: atomically, callback: MainCallback(completion))
        guard let request = request(for: productId, options, purchase), let requests else { return LegacyRequest {} }
        guard let backend else {
            // Each look-up asks anew, so that no call overtakes an earlier one which still waits for an answer that is known by now.
            let call = ChainedCall()
            call.add(
                core.products([productId], anew: true) { [core] response in
                    if case .failure(let error) = response { return purchase.fail(error) }
                    call.add(
                        requests.products([productId]) { response in
                            switch response.map(\.products.first) {
                            case .success(let product?):
                                let isKnown = core.knows(productId)
                                call.add(core.purchase(request, isKnown: isKnown, style: purchase.style) { purchase.end($0, product) })
                            case .success(nil): purchase.fail(StoreError(.productUnavailable, "").naming(productId))
                            case .failure(let error): purchase.fail(error)
                            }
                        })
                })
            return LegacyRequest { call.cancel() }
        }
        // As it always was: whoever buys by identifier buys what is for sale now.
        let call = core.purchase(request, isKnown: false, style: purchase.style) { response in
            purchase.end(response.mapError { $0.naming(productId) }, backend.product(productId))
        }
        return LegacyRequest { call.cancel() }
    }

    /// See ``SwiftyStoreKit/purchaseProduct(_:quantity:atomically:applicationUsername:simulatesAskToBuyInSandbox:paymentDiscount:completion:)``.
    package func purchaseProduct(
        _ product: SKProduct, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, paymentDiscount: PaymentDiscount? = nil,
        completion: @escaping (PurchaseResult) -> Void
    ) {
        let options = PurchaseOptions(
            quantity: quantity, account: .username(applicationUsername), offer: paymentDiscount.map { PurchaseOffer($0.discount) },
            simulatesAskToBuy: simulatesAskToBuyInSandbox)
        let purchase = LegacyPurchase(core: core, backend: backend, atomically: atomically, callback: MainCallback(completion))
        guard let request = request(for: product.productIdentifier, options, purchase) else { return }
        backend?.remember([product])
        // StoreKit 2 sells its own products: one that it has not been asked for is asked for first.
        let isKnown = backend != nil || core.knows(product.productIdentifier)
        _ = core.purchase(request, isKnown: isKnown, style: purchase.style) { response in purchase.end(response, product) }
    }

    /// The payment; `nil` when there can be none, which the completion is told.
    private func request(for productID: String, _ options: PurchaseOptions, _ purchase: LegacyPurchase) -> PaymentRequest? {
        do throws(StoreError) {
            guard requests != nil else {
                throw StoreError(.productUnavailable, "\"\(productID)\" cannot be bought: the store is over neither of StoreKit's engines.")
            }
            return try options.request(for: productID)
        } catch {
            purchase.fail(error)
            return nil
        }
    }
}

extension StoreError {
    /// An unknown product as SwiftyStoreKit has always put it.
    fileprivate func naming(_ productID: String) -> StoreError {
        code == .productUnavailable ? StoreError(.productUnavailable, "Invalid product id: \(productID)") : self
    }
}
