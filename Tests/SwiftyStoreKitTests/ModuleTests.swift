import AppReceipt
import AppStoreServer
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import SwiftyStoreKit
import TestHarness
import Testing

// Calls of deprecated functions warn outside deprecated code: see `OldCode` in
// Tests/LegacyClientTests/SymbolTests.swift. Most tests of this target call `LegacyStore`'s functions instead, which
// aren't deprecated.

@Suite(.bounded) struct ModuleTests {
    /// Compiles only if the modules share no names: the module and the class `SwiftyStoreKit` have the same name, so
    /// names can't be qualified with the module.
    @Test func `all modules are imported together and used without qualification`() {
        let old: [Any.Type] = [
            SwiftyStoreKit.self, AppleReceiptValidator.self, (any InAppRequest).self, TransactionResult.self,
            (any PaymentQueue).self,
            PaymentDiscount.self, (any Purchased).self, Purchase.self, PurchaseDetails.self,
            (any ReceiptValidator).self,
            (any PaymentTransaction).self,
            RetrieveResults.self, PurchaseResult.self, RestoreResults.self, ReceiptInfo.self, FetchReceiptResult.self,
            VerifyReceiptResult.self, VerifyPurchaseResult.self, VerifySubscriptionResult.self, SubscriptionType.self,
            ReceiptItem.self, ReceiptError.self, ReceiptStatus.self, ReceiptInfoField.self, ReceiptInfoField.InApp.self,
        ]
        let new: [Any.Type] = [
            PurchaseStore.self, AppStorefront.self, StoreProduct.self, StoreTransaction.self, StorePurchase.self,
            StoreOffer.self,
            StoreError.self,
            StoreCallbacks.self, StoreCall.self, PurchaseOptions.self, PurchaseOutcome.self, RestoreOutcome.self,
            (any PurchaseDelivery).self,
            DeliveryRequest.self, PurchaseFailure.self, StorePurchaseIntent.self, PurchaseRevocation.self,
            Receipt.self, ReceiptTransaction.self, (any ReceiptVerifier).self, LocalReceiptVerifier.self,
            AppleServerReceiptVerifier.self,
            ReceiptSubscriptionStatus.self, SubscriptionState.self, ReceiptVerificationError.self,
            SimulatedAppStore.self, SimulatedProduct.self, SimulatedTransaction.self, SimulatedCatalog.self,
            SimulatedBackend.self,
            SimulatedClock.self,
        ]
        let storeKit: [Any.Type] = [
            SKProduct.self, SKPayment.self, SKPaymentTransaction.self, SKPaymentQueue.self, SKError.self,
        ]
        let all = (old + new + storeKit).map(ObjectIdentifier.init)
        expectEqual(Set(all).count, all.count)
    }
}
