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
        guard let request = request(for: productId, options, purchase) else { return LegacyRequest {} }
        let isKnown = core.knows(productId) && backend?.product(productId) != nil
        let call = core.purchase(request, isKnown: isKnown, style: purchase.style) { [backend] response in
            purchase.end(response.mapError { $0.naming(productId) }, backend?.product(productId))
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
        _ = core.purchase(request, isKnown: true, style: purchase.style) { response in purchase.end(response, product) }
    }

    /// The payment; `nil` when there can be none, which the completion is told.
    private func request(for productID: String, _ options: PurchaseOptions, _ purchase: LegacyPurchase) -> PaymentRequest? {
        do throws(StoreError) {
            guard backend != nil else {
                throw StoreError(.productUnavailable, "\"\(productID)\" cannot be bought: the store is not over StoreKit's payment queue.")
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
