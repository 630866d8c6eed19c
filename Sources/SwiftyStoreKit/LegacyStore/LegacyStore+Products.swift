import AsyncStoreKit
import Foundation
import StoreKit

extension LegacyStore {
    /// See ``SwiftyStoreKit/retrieveProductsInfo(_:completion:)``.
    package func retrieveProductsInfo(
        _ productIds: Set<String>, completion: @escaping (RetrieveResults) -> Void
    ) -> any InAppRequest {
        let callback = MainCallback(completion)
        // StoreKit answers an empty request with an empty response; the store would throw an error.
        guard !productIds.isEmpty else {
            callback.send { RetrieveResults(retrievedProducts: [], invalidProductIDs: [], error: nil) }
            return LegacyRequest {}
        }
        let call = ChainedCall()
        let respond: @Sendable (Result<LegacyProducts, StoreError>) -> Void = { response in
            callback.send {
                // A response may wait for the main queue while its request is canceled there.
                switch call.isCancelled ? .failure(.cancelled("products")) : response {
                case .success(let found):
                    RetrieveResults(
                        retrievedProducts: Set(found.products), invalidProductIDs: found.invalidProductIDs, error: nil)
                case .failure(let error):
                    RetrieveResults(retrievedProducts: [], invalidProductIDs: [], error: error.legacyError)
                }
            }
        }
        guard let requests else {
            // Without StoreKit 1 there are no product objects, but the invalid identifiers are known.
            call.add(
                core.products(productIds, ignoringCache: true) { response in
                    respond(response.map { LegacyProducts(products: [], invalidProductIDs: $0.invalidProductIDs) })
                })
            return LegacyRequest { call.cancel() }
        }
        let request = requests.products(productIds) { [core, backend] response in
            guard backend == nil, case .success(let found) = response, !found.products.isEmpty else {
                return respond(response)
            }
            // Load the products in the other engine, too, so that a purchase doesn't have to load them first.
            call.add(core.products(found.products.map(\.productIdentifier)) { _ in respond(response) })
        }
        call.add(request)
        return LegacyRequest { call.cancel() }
    }
}
