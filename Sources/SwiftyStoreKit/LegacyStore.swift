package import AsyncStoreKit
package import StoreKit

/// The old API's functions over one store, without the deprecations: what ``SwiftyStoreKit`` does for the whole process.
package final class LegacyStore: Sendable {
    package let store: Store

    package init(store: Store) {
        self.store = store
    }

    package var canMakePayments: Bool { store.canMakePayments }
}

final class NoRequest: InAppRequest { func start() {}; func cancel() {} }

extension LegacyStore {
    package func retrieveProductsInfo(
        _ productIds: Set<String>, completion: @escaping (RetrieveResults) -> Void
    ) -> any InAppRequest { NoRequest() }
    package func purchaseProduct(
        _ productId: String, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, completion: @escaping (PurchaseResult) -> Void
    ) -> any InAppRequest { NoRequest() }
    package func purchaseProduct(
        _ product: SKProduct, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, paymentDiscount: PaymentDiscount? = nil,
        completion: @escaping (PurchaseResult) -> Void
    ) {}
    package func restorePurchases(
        atomically: Bool = true, applicationUsername: String = "", completion: @escaping (RestoreResults) -> Void
    ) {}
    package func completeTransactions(atomically: Bool = true, completion: @escaping ([Purchase]) -> Void) {}
    package func onEntitlementRevocation(completion: @escaping ([String]) -> Void) {}
    package func finishTransaction(_ transaction: any PaymentTransaction) {}
    package func start(_ downloads: [SKDownload]) {}
    package func pause(_ downloads: [SKDownload]) {}
    package func resume(_ downloads: [SKDownload]) {}
    package func cancel(_ downloads: [SKDownload]) {}
    package var shouldAddStorePaymentHandler: ShouldAddStorePaymentHandler? {
        get { nil }
        set {}
    }
    package var updatedDownloadsHandler: UpdatedDownloadsHandler? {
        get { nil }
        set {}
    }
}
