import AsyncStoreKit
import Foundation
import StoreKit
package import SwiftyStoreKit

/// A call that fetches or validates a receipt, with the values of its completion.
package struct ReceiptCall: Sendable {
    /// A value of a completion as a text, and whether the call was on the main queue.
    package struct Completion: Sendable, Equatable {
        package var word: String
        package var isOnMainQueue = true

        package init(word: String, isOnMainQueue: Bool = true) {
            self.word = word
            self.isOnMainQueue = isOnMainQueue
        }
    }

    package let completions = Recorder<Completion>()

    package init() {}

    package func record(_ result: FetchReceiptResult) {
        switch result {
        case .success(let receiptData): record("receipt \(receiptData.count)")
        case .error(let error): record(Self.word(for: error))
        }
    }

    package func record(_ result: VerifyReceiptResult) {
        switch result {
        case .success(let receipt): record("valid \(receipt["environment"] as? String ?? "?")")
        case .error(let error): record(Self.word(for: error))
        }
    }

    /// Waits for the first call of the completion and the pending blocks of the main queue, and returns the values.
    package func result() async throws -> [Completion] {
        _ = try await completions.first(1)
        return try await settled()
    }

    /// Returns the values without waiting for a first call.
    package func settled() async throws -> [Completion] {
        // Blocks that a completion enqueued run as well.
        for _ in 0..<3 { try await MainQueue.drain() }
        return completions.elements
    }

    private func record(_ word: String) {
        completions.record(Completion(word: word, isOnMainQueue: MainQueue.isCurrent))
    }

    private static func word(for error: ReceiptError) -> String {
        switch error {
        case .noReceiptData: "no receipt"
        case .noRemoteData: "no answer"
        case .requestBodyEncodeError: "no request"
        case .networkError(let error as SKError): "SKError \(error.errorCode)"
        case .networkError(let error as StoreError): "StoreError \(error.code)"
        case .networkError(let error): "\((error as NSError).domain) \((error as NSError).code)"
        case .jsonDecodeError(let string): "not JSON: \(string ?? "?")"
        case .receiptInvalid(let receipt, let status):
            "invalid \(status), \(receipt["status"].map { "\($0)" } ?? "no") status"
        }
    }
}

extension [ReceiptCall.Completion] {
    /// The value of a single call on the main queue.
    package static func once(_ word: String) -> Self { [.init(word: word)] }

    /// The value of a single call on another queue.
    package static func onceElsewhere(_ word: String) -> Self { [.init(word: word, isOnMainQueue: false)] }

    /// `SKError.paymentCancelled`.
    package static var cancelledOnce: Self { once("SKError 2") }
}
