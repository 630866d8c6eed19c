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
        let call = core.products(productIds, anew: true) { [backend] response in
            switch response {
            case .success(let response):
                // Looked up at once: another storefront's products may take their place.
                let products = response.products.compactMap { backend?.product($0.id) }
                callback.send {
                    RetrieveResults(retrievedProducts: Set(products), invalidProductIDs: response.invalidProductIDs, error: nil)
                }
            case .failure(let error):
                callback.send { RetrieveResults(retrievedProducts: [], invalidProductIDs: [], error: error.legacyError) }
            }
        }
        return LegacyRequest { call.cancel() }
    }
}
