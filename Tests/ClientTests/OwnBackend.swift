import AsyncStoreKit
import AsyncStoreKitTesting

/// A backend that counts the requests for products, and forwards everything.
nonisolated struct CountingBackend: RelayBackend {
    let next: any StoreBackend
    let counter = Counter()

    func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        await counter.increase()
        return try await next.products(for: productIDs)
    }

    actor Counter {
        private(set) var count = 0

        func increase() { count += 1 }
    }
}
