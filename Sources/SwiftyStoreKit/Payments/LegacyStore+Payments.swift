import AsyncStoreKit
package import StoreKit

extension LegacyStore {
    /// See ``SwiftyStoreKit/purchaseProduct(_:quantity:atomically:applicationUsername:simulatesAskToBuyInSandbox:completion:)``.
    package func purchaseProduct(
        _ productId: String, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, completion: @escaping (PurchaseResult) -> Void
    ) -> any InAppRequest {
        let options = PurchaseOptions(
            quantity: quantity, applicationUsername: applicationUsername, simulatesAskToBuy: simulatesAskToBuyInSandbox)
        let callback = MainCallback(completion)
        let purchase = LegacyPurchase(core: core, atomically: atomically, callback: callback)
        if let request = request(for: productId, options, callback) { purchase.start(request) }
        return LegacyRequest { purchase.cancel() }
    }

    /// See ``SwiftyStoreKit/purchaseProduct(_:quantity:atomically:applicationUsername:simulatesAskToBuyInSandbox:paymentDiscount:completion:)``.
    package func purchaseProduct(
        _ product: SKProduct, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, paymentDiscount: PaymentDiscount? = nil,
        completion: @escaping (PurchaseResult) -> Void
    ) {
        let options = PurchaseOptions(
            quantity: quantity, applicationUsername: applicationUsername, offer: paymentDiscount.map { SignedOffer($0.discount) },
            simulatesAskToBuy: simulatesAskToBuyInSandbox)
        let callback = MainCallback(completion)
        guard let request = request(for: product.productIdentifier, options, callback) else { return }
        // One that was asked for is newer than what the caller may have kept.
        if backend?.product(product.productIdentifier) == nil { backend?.remember([product]) }
        LegacyPurchase(core: core, atomically: atomically, callback: callback).submit(request, product)
    }

    /// The payment; `nil` when there can be none, which the callback is told.
    private func request(
        for productID: String, _ options: PurchaseOptions, _ callback: MainCallback<PurchaseResult>
    ) -> PaymentRequest? {
        do throws(StoreError) {
            guard canMakePayments else {
                throw StoreError(.paymentNotAllowed, "\"\(productID)\" cannot be bought: payments are not allowed on this device.")
            }
            return try options.request(for: productID)
        } catch {
            callback.send { .error(error: SKError(error)) }
            return nil
        }
    }
}
