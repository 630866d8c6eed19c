import AppReceipt
package import AsyncStoreKit
package import Foundation

/// The old API's questions to what the device itself knows: without a receipt over StoreKit 2, to the verified receipt over StoreKit 1.
package struct OwnedPurchases: Sendable {
    private let core: StoreCore

    package init(core: StoreCore) {
        self.core = core
    }

    package func verifyPurchase(productId: String, completion: @escaping (Result<VerifyPurchaseResult, StoreError>) -> Void) {
        ask(MainCallback(completion)) { receipt in
            receipt.latestValidTransaction(of: productId).map { .purchased(item: ReceiptItem($0)) } ?? .notPurchased
        }
    }

    package func verifySubscriptions(
        ofType type: SubscriptionType, productIds: Set<String>, validUntil date: Date,
        completion: @escaping (Result<VerifySubscriptionResult, StoreError>) -> Void
    ) {
        // The kind itself cannot cross to the main queue: it is not Sendable, and must not become so where apps may have made it.
        let duration: TimeInterval? = if case .nonRenewing(let duration) = type { duration } else { nil }
        ask(MainCallback(completion)) { receipt in
            let type = duration.map { SubscriptionType.nonRenewing(validDuration: $0) } ?? .autoRenewable
            return ReceiptQueries.subscription(ofType: type, productIds, ReceiptReading(receipt), until: date)
        }
    }

    package func distinctPurchaseIds(completion: @escaping (Result<Set<String>, StoreError>) -> Void) {
        ask(MainCallback(completion)) { $0.distinctProductIDs }
    }

    /// Reads what the device knows, and has the question answered on the main queue.
    private func ask<Answer>(
        _ callback: MainCallback<Result<Answer, StoreError>>, _ question: @escaping @Sendable (Receipt) -> Answer
    ) {
        Task { [core] in
            do throws(StoreError) {
                let receipt = try await core.purchaseReceipt()
                callback.send { .success(question(receipt)) }
            } catch {
                callback.send { .failure(error) }
            }
        }
    }
}
