package import AsyncStoreKit
package import Foundation
import StoreKit

/// Fetching and validating receipts in the old API's terms, over one store.
package struct LegacyReceipts: Sendable {
    private let store: PurchaseStore
    /// Said when there is no receipt, over an engine that needs none.
    private let advice: StoreError?

    /// What is said over StoreKit 2, which makes no receipt.
    package static let noReceiptNeeded = StoreError(
        .receiptUnavailable,
        "There is no receipt file, and StoreKit 2 makes none. Ask SwiftyStoreKit.verifySubscription(ofType:productId:completion:), which needs none."
    )

    package init(store: PurchaseStore, advice: StoreError? = nil) {
        self.store = store
        self.advice = advice
    }

    /// The receipt on the device; an empty file is none.
    package var localReceiptData: Data? { (try? store.receiptData()).flatMap { $0.isEmpty ? nil : $0 } }

    /// Fetches the receipt. With one on the device that will do, the completion is called before this returns, on the caller's thread,
    /// and there is no request.
    package func fetchReceipt(
        forceRefresh: Bool, completion: @escaping (FetchReceiptResult) -> Void
    ) -> (any InAppRequest)? {
        if !forceRefresh, let data = localReceiptData {
            completion(.success(receiptData: data))
            return nil
        }
        let request = ReceiptRequest(completion: completion) { FetchReceiptResult.error(error: .networkError(error: $0)) }
        refresh(for: request) { request.finish($0) }
        return request
    }

    /// Fetches the receipt and has it validated; with one on the device that will do, the validator is asked before this returns.
    package func verifyReceipt(
        using validator: any ReceiptValidator, forceRefresh: Bool, completion: @escaping (VerifyReceiptResult) -> Void
    ) -> any InAppRequest {
        let request = ReceiptRequest(completion: completion) { VerifyReceiptResult.error(error: .networkError(error: $0)) }
        let validation = ReceiptValidation(validator: validator, request: request)
        if !forceRefresh, let data = localReceiptData {
            validation.run(data)
        } else {
            refresh(for: request) { result in
                switch result {
                // An app's validator is asked on the main thread, as it has always been after a refresh.
                case .success(let data): CompletionQueue.shared.enqueue { validation.run(data) }
                case .error(let error): request.finish(.error(error: error))
                }
            }
        }
        return request
    }

    private func refresh<Outcome>(
        for request: ReceiptRequest<Outcome>, then proceed: @escaping @Sendable (FetchReceiptResult) -> Void
    ) {
        request.run(
            Task { [store, advice] in
                do throws(StoreError) {
                    try await store.refreshReceipt()
                    let data = try? store.receiptData()
                    let missing = advice.map { ReceiptError.networkError(error: $0) } ?? .noReceiptData
                    proceed(data.map { .success(receiptData: $0) } ?? .error(error: missing))
                } catch {
                    proceed(.error(error: .networkError(error: error.legacyError)))
                }
            })
    }
}

extension LegacyStore {
    /// The receipt side.
    package var receipts: LegacyReceipts {
        guard backend == nil, let requests else { return LegacyReceipts(store: store) }
        return LegacyReceipts(store: requests.store, advice: LegacyReceipts.noReceiptNeeded)
    }
}

/// A validator's part in a request: it is asked once, and the first thing it says counts.
// @unchecked because: the validator is only called, once, by whoever runs this.
struct ReceiptValidation: @unchecked Sendable {
    let validator: any ReceiptValidator
    let request: ReceiptRequest<VerifyReceiptResult>

    func run(_ receiptData: Data) {
        guard !request.hasEnded else { return }
        if let apple = validator as? AppleReceiptValidator {
            // A task that can be cancelled together with the request.
            request.run(apple.validation(of: receiptData) { request.finish($0) })
        } else {
            validator.validate(receiptData: receiptData) { result in
                if case .success(let info) = result { RecentResponses.shared.note(info) }
                request.finish(result)
            }
        }
    }
}
