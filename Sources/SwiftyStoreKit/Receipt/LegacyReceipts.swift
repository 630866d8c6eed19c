package import AsyncStoreKit
package import Foundation
import StoreKit

/// Fetching and validating receipts in the old API's terms, over one store.
package struct LegacyReceipts: Sendable {
    private let store: PurchaseStore

    package init(store: PurchaseStore) {
        self.store = store
    }

    package var localReceiptData: Data? { try? store.receiptData() }

    /// Fetches the receipt. With one on the device that will do, the completion is called on the main queue and there is no request.
    package func fetchReceipt(
        forceRefresh: Bool, completion: @escaping (FetchReceiptResult) -> Void
    ) -> (any InAppRequest)? {
        let request = ReceiptRequest(completion: completion) { FetchReceiptResult.error(error: .networkError(error: $0)) }
        if !forceRefresh, let data = localReceiptData {
            request.finish(.success(receiptData: data))
            return nil
        }
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
                case .success(let data): DispatchQueue.main.async { validation.run(data) }
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
            Task { [store] in
                do throws(StoreError) {
                    try await store.refreshReceipt()
                    let data = try? store.receiptData()
                    proceed(data.map { .success(receiptData: $0) } ?? .error(error: .noReceiptData))
                } catch {
                    proceed(.error(error: .networkError(error: error.refreshFailure)))
                }
            })
    }
}

extension LegacyStore {
    /// The receipt side.
    package var receipts: LegacyReceipts { LegacyReceipts(store: store) }
}

extension StoreError {
    /// What the old API says of a refresh that failed: the error of StoreKit or of the network.
    ///
    /// A network error is never an `SKError` with a code that is not its own, as StoreKit has been seen to make them.
    fileprivate var refreshFailure: any Error {
        let cause = underlying.map { $0 as NSError }
        switch code {
        case .timedOut, .networkError:
            if let cause, cause.domain == NSURLErrorDomain { return cause }
            if let below = cause?.userInfo[NSUnderlyingErrorKey] as? NSError, below.domain == NSURLErrorDomain { return below }
            guard let cause else { return URLError(.timedOut) }
            return NSError(domain: NSURLErrorDomain, code: cause.code, userInfo: [NSUnderlyingErrorKey: cause])
        default: return SKError(self)
        }
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
            validator.validate(receiptData: receiptData) { request.finish($0) }
        }
    }
}
