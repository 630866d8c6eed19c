import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct ImportTests {
    /// Compiles only if the modules have no name in common.
    @Test func `all modules can be imported together and used without qualification`() throws {
        let simulator = SimulatedAppStore(catalog: SimulatedCatalog(), pacing: .manual)
        let store = PurchaseStore(
            backend: SimulatedBackend(launch: simulator.launch(), engine: .storeKit1),
            configuration: StoreConfiguration(clock: SimulatedClock()))
        let storefront: AppStorefront? = store.storefront
        let queue: SKPaymentQueue? = nil
        let receipt: Receipt? = nil
        expectEqual(storefront?.countryCode, simulator.storefront.countryCode)
        expectEqual(queue, nil)
        expectEqual(receipt, nil)
        let types: [Any.Type] = [
            StoreProduct.self, StoreTransaction.self, StorePurchase.self, StoreOffer.self, StoreError.self,
            PurchaseOptions.self,
            PurchaseOutcome.self, RestoreOutcome.self, DeliveryRequest.self, PurchaseFailure.self,
            ReceiptTransaction.self, ReceiptSubscriptionStatus.self, LocalReceiptVerifier.self,
            SimulatedProduct.self, SimulatedTransaction.self, SimulatedBackend.self, SimulatedClock.self,
            SKProduct.self, SKPayment.self, SKPaymentTransaction.self, SKError.self,
        ]
        expectEqual(Set(types.map { "\($0)" }).count, types.count)
    }
}
