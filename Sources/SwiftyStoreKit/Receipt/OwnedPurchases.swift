import AppReceipt
package import AsyncStoreKit
package import Foundation

/// Answers the block API's questions from the device: from StoreKit 2's transactions, or from the verified receipt of
/// StoreKit 1.
package struct OwnedPurchases: Sendable {
    private let core: StoreCore

    package init(core: StoreCore) {
        self.core = core
    }

    package func verifyPurchase(
        productId: String, completion: @escaping (Result<VerifyPurchaseResult, StoreError>) -> Void
    ) {
        answer(MainCallback(completion)) { receipt in
            receipt.latestValidTransaction(of: productId).map { .purchased(item: ReceiptItem($0)) } ?? .notPurchased
        }
    }

    package func verifySubscriptions(
        ofType type: SubscriptionType, productIds: Set<String>, validUntil date: Date,
        completion: @escaping (Result<VerifySubscriptionResult, StoreError>) -> Void
    ) {
        // `SubscriptionType` isn't Sendable, and apps may conform it themselves, so only its duration is sent to the
        // main queue.
        let duration: TimeInterval? = if case .nonRenewing(let duration) = type { duration } else { nil }
        answer(MainCallback(completion)) { receipt in
            let type = duration.map { SubscriptionType.nonRenewing(validDuration: $0) } ?? .autoRenewable
            return ReceiptQueries.subscription(ofType: type, productIds, receipt, until: date)
        }
    }

    package func distinctPurchaseIds(completion: @escaping (Result<Set<String>, StoreError>) -> Void) {
        answer(MainCallback(completion)) { $0.distinctProductIDs }
    }

    /// Reads the purchases on the device, and answers the question on the main queue.
    private func answer<Answer>(
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
