import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// When the app transaction is requested. The system may show a sign-in dialog for it.
@Suite(.bounded) struct AppTransactionTests {
    private func store(_ launch: SimulatedLaunch) -> PurchaseStore {
        PurchaseStore(backend: SimulatedBackend(launch: launch))
    }

    @Test func `the customer has to sign in only for the app transaction, and once`() async throws {
        let world = StoreWorld(.demanding, signs: true)
        let store = store(world.device)
        try await store.purchase("pro") { _ in }
        for _ in 0..<20 { _ = await store.entitlements.refresh() }
        _ = await store.entitlements.current
        _ = try await store.consumablePurchases()
        _ = await store.isEligibleForIntroductoryOffer(inGroup: "club")
        _ = try await store.core.purchaseReceipt()
        expectEqual(world.appStore.appTransactionSignInCount, 0)
        let first = try await store.appTransaction()
        expectEqual(world.appStore.appTransactionSignInCount, 1)
        expectEqual(try await store.appTransaction(), first)
        expectEqual(world.appStore.appTransactionSignInCount, 1)
        world.appStore.advance(by: 2)
        let transaction = try #require(world.device.transactions(.currentEntitlements).first)
        expectEqual(first.appTransactionID, transaction.text.seal.appTransactionID)
    }

    @Test(arguments: [true, false]) func `a switch determines whether the dialog appears`(asks: Bool) async throws {
        let world = StoreWorld(signs: true)
        world.appStore.behavior.appTransactionAsksToSignIn = asks
        _ = try await store(world.device).appTransaction()
        expectEqual(world.appStore.appTransactionSignInCount, asks ? 1 : 0)
        #expect(
            SimulatorBehavior.demanding.appTransactionAsksToSignIn && !SimulatorBehavior().appTransactionAsksToSignIn)
    }

    @Test func `an app transaction that doesn't verify is requested again`()
        async throws
    {
        let world = StoreWorld(.demanding, signs: true)
        world.appStore.behavior.transactionsAreUnverified = true
        let store = store(world.device)
        for count in 1...2 {
            await expectError(\StoreError.code, .unverified) { try await store.appTransaction() }
            expectEqual(world.appStore.appTransactionSignInCount, count)
        }
        world.appStore.behavior.transactionsAreUnverified = false
        expectEqual(try await store.appTransaction().bundleID, "com.example.app")
        expectEqual(world.appStore.appTransactionSignInCount, 3)
    }

    @Test func `a store over StoreKit 1 reads the receipt and shows no dialog`() async throws {
        let world = StoreWorld(.demanding, signs: true)
        try world.appStore.buyProduct(productID: "pro")
        let store = PurchaseStore(over: SimulatedBackend(launch: world.device, engine: .storeKit1))
        expectEqual(try await store.appTransaction().bundleID, "com.example.app")
        expectEqual(world.appStore.appTransactionSignInCount, 0)
    }
}
