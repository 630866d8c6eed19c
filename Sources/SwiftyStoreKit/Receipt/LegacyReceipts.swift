package import AsyncStoreKit
package import Foundation

/// Fetching and validating receipts in the old API's terms, over one store.
package struct LegacyReceipts: Sendable {
    private let store: Store

    package init(store: Store) {
        self.store = store
    }

    package var localReceiptData: Data? { try? store.receiptData() }

    package func verifyReceipt(
        using validator: any ReceiptValidator, forceRefresh: Bool, completion: @escaping (VerifyReceiptResult) -> Void
    ) -> (any InAppRequest)? {
        nil
    }

    package func fetchReceipt(
        forceRefresh: Bool, completion: @escaping (FetchReceiptResult) -> Void
    ) -> (any InAppRequest)? {
        nil
    }
}
