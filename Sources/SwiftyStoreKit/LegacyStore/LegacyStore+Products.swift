import AsyncStoreKit
import Foundation
import StoreKit

extension LegacyStore {
    /// See ``SwiftyStoreKit/retrieveProductsInfo(_:completion:)``.
    package func retrieveProductsInfo(
        _ productIds: Set<String>, completion: @escaping (RetrieveResults) -> Void
    ) -> any InAppRequest {
        let callback = MainCallback(completion)
        // StoreKit answers a request for nothing with nothing; the store would call it a mistake.
        guard !productIds.isEmpty else {
            callback.send { RetrieveResults(retrievedProducts: [], invalidProductIDs: [], error: nil) }
            return LegacyRequest {}
        }
        let call = core.products(productIds) { [backend] response in
            switch response {
            case .success(let response):
                // Looked up at once: another storefront's products may take their place.
                let products = response.products.compactMap { backend?.product($0.id) }
                callback.send {
                    RetrieveResults(retrievedProducts: Set(products), invalidProductIDs: response.invalidProductIDs, error: nil)
                }
            case .failure(let error):
                callback.send { RetrieveResults(retrievedProducts: [], invalidProductIDs: [], error: error.asRequestError) }
            }
        }
        return LegacyRequest { call.cancel() }
    }
}

extension StoreError {
    /// The error of a request for products: as it came from StoreKit or the network, which is what SwiftyStoreKit handed out. Only a
    /// network error under a number that `SKError` does not have, and what did not come from there, becomes an `SKError`.
    fileprivate var asRequestError: any Error {
        guard let cause = underlying.map({ $0 as NSError }), !cause.isDisguisedNetworkError else { return SKError(self) }
        return cause
    }
}
