import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import SwiftyStoreKit

@testable import AsyncStoreKit

// The block API over a simulated backend.
//
// These tests run on every platform. Products and payments of the block API are StoreKit's objects, which only the
// `StoreKit` of Linux can create in a test, so tests of purchases, products and promoted purchases are in
// `StoreKitTests`.
extension StoreWorld {
    /// Launches the app.
    func launchLegacy(_ configuration: StoreConfiguration? = nil) -> LegacyStore {
        LegacyStore(store: launch(configuration), backend: nil)
    }

    /// Waits until all events have reached the block API.
    func settle(_ legacy: LegacyStore) async throws {
        for _ in 0..<2 {
            try await legacy.store.settled()
            try await MainQueue.drain()
        }
        try await legacy.store.settled()
    }

    /// Returns the unfinished products after all events have arrived.
    func unfinished(of legacy: LegacyStore) async throws -> [String] {
        try await settle(legacy)
        return await legacy.store.unfinishedTransactions.map(\.productID)
    }

    /// Returns a launch of an app whose customer owns delivered products.
    func launchLegacy(owning products: [String]) async throws -> LegacyStore {
        for product in products { try appStore.buyProduct(productID: product) }
        let legacy = launchLegacy()
        legacy.completeTransactions { _ in }
        try await settle(legacy)
        return launchLegacy()
    }
}
