package import AsyncStoreKit
package import Foundation
import StoreKit

/// Fetches and validates receipts for the block API, over one store.
package struct LegacyReceipts: Sendable {
    private let store: PurchaseStore
    /// The error for a missing receipt, over an engine that needs no receipt.
    private let advice: StoreError?

    /// The error for a missing receipt over StoreKit 2, which doesn't create receipts.
    package static let noReceiptNeeded = StoreError(
        .receiptUnavailable,
        "There is no receipt file, because StoreKit 2 doesn't create one. Call "
            + "SwiftyStoreKit.verifySubscription(ofType:productId:completion:), which needs no receipt.")

    package init(store: PurchaseStore, advice: StoreError? = nil) {
        self.store = store
        self.advice = advice
    }

    /// The receipt on the device; `nil` for a missing or empty file.
    package var localReceiptData: Data? { (try? store.receipt.data()).flatMap { $0.isEmpty ? nil : $0 } }

    /// Fetches the receipt. If the receipt on the device is sufficient, calls the completion on the caller's thread
    /// before returning, and returns no request.
    package func fetchReceipt(
        forceRefresh: Bool, completion: @escaping (FetchReceiptResult) -> Void
    ) -> (any InAppRequest)? {
        if !forceRefresh, let data = localReceiptData {
            completion(.success(receiptData: data))
            return nil
        }
        let request = ReceiptRequest(completion: completion) {
            FetchReceiptResult.error(error: .networkError(error: $0))
        }
        refresh(for: request) { request.finish($0) }
        return request
    }

    /// Fetches and validates the receipt. If the receipt on the device is sufficient, calls the validator before
    /// returning.
    package func verifyReceipt(
        using validator: any ReceiptValidator, forceRefresh: Bool, completion: @escaping (VerifyReceiptResult) -> Void
    ) -> any InAppRequest {
        let request = ReceiptRequest(completion: completion) {
            VerifyReceiptResult.error(error: .networkError(error: $0))
        }
        let validation = ReceiptValidation(validator: validator, request: request)
        if !forceRefresh, let data = localReceiptData {
            validation.run(data)
        } else {
            refresh(for: request) { result in
                switch result {
                // After a refresh, SwiftyStoreKit 0.16.4 calls an app's validator on the main thread.
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
                    try await store.receipt.refresh()
                    let data = try? store.receipt.data()
                    let missing = advice.map { ReceiptError.networkError(error: $0) } ?? .noReceiptData
                    proceed(data.map { .success(receiptData: $0) } ?? .error(error: missing))
                } catch {
                    proceed(.error(error: .networkError(error: error.legacyError)))
                }
            })
    }
}

extension LegacyStore {
    /// The receipt functions of the store.
    package var receipts: LegacyReceipts {
        guard backend == nil, let requests else { return LegacyReceipts(store: store) }
        return LegacyReceipts(store: requests.store, advice: LegacyReceipts.noReceiptNeeded)
    }
}

/// Runs a validator for a request. The validator's first result is used.
// @unchecked because: the validator is called once, by the code that runs the validation.
struct ReceiptValidation: @unchecked Sendable {
    let validator: any ReceiptValidator
    let request: ReceiptRequest<VerifyReceiptResult>

    func run(_ receiptData: Data) {
        guard !request.hasEnded else { return }
        if let apple = validator as? AppleReceiptValidator {
            // Canceling the request also cancels this task.
            request.run(apple.validation(of: receiptData) { request.finish($0) })
        } else {
            validator.validate(receiptData: receiptData) { result in
                if case .success(let info) = result { RecentResponses.shared.record(info) }
                request.finish(result)
            }
        }
    }
}
