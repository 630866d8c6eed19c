import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

extension AccessLevel {
    static let darkroom = AccessLevel(
        "darkroom", products: ["pro"], groups: ["21000001"])
}

/// The code of the article Entitlements.
private struct EntitlementExamples {
    let access = Recorder<Bool>()

    func follow(_ store: PurchaseStore) async {
        for await entitlements in store.entitlements {
            show(entitlements.contains("pro"))
        }
    }

    func canDevelop(_ store: PurchaseStore) -> Bool {
        store.entitlements.latest.contains(.darkroom)
    }

    func storeWithCache() -> PurchaseStore {
        let store = PurchaseStore(configuration: StoreConfiguration(entitlementCache: EntitlementFile()))
        return store
    }

    private func show(_ isPro: Bool) { access.record(isPro) }
}

@Suite(.bounded) struct EntitlementExampleTests {
    private let appStore = SimulatedAppStore(products: [
        .nonConsumable("pro", price: 10), .consumable("coins", price: 1),
    ])

    @Test func `access follows the purchases`() async throws {
        let examples = EntitlementExamples()
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        let following = Task { await examples.follow(store) }
        defer { following.cancel() }
        #expect(try await examples.access.first(1) == [false])
        #expect(!examples.canDevelop(store))
        try await store.purchase("pro") { _ in }
        #expect(try await examples.access.first { $0 })
        #expect(examples.canDevelop(store))
        #expect(AccessLevel.darkroom.description == "darkroom")
        #expect(AccessLevel(products: ["b", "a"], groups: ["1"]).description == "a, b, group 1")
        #expect(!store.entitlements.latest.contains(AccessLevel()))
    }

    @Test func `creating a store doesn't read the cache`() {
        #expect(EntitlementExamples().storeWithCache().entitlements.latest.basis != .confirmed)
    }
}
