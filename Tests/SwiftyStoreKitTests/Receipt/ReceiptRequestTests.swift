import AsyncStoreKit
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct ReceiptRequestTests {
    private let call = ReceiptCall()

    private func receipts(_ backend: ReceiptBackend) -> LegacyReceipts {
        LegacyStore(store: PurchaseStore(over: backend), backend: nil).receipts
    }

    @Test func `V2: canceling during a refresh completes once and ends only that wait`() async throws {
        let backend = ReceiptBackend(answer: .success(Data([1])), holdsRefreshes: true)
        let receipts = receipts(backend)
        let (verification, other) = (ReceiptCall(), ReceiptCall())
        let requests = [
            receipts.fetchReceipt(forceRefresh: true) { call.record($0) },
            receipts.verifyReceipt(using: ClosureValidator { _, _ in Issue.record("validated") }, forceRefresh: true) {
                verification.record($0)
            },
        ]
        _ = receipts.fetchReceipt(forceRefresh: true) { other.record($0) }
        try await backend.untilRefreshed(1)
        for request in requests {
            request?.cancel()
            request?.cancel()
        }
        expectEqual(try await call.result(), .cancelledOnce)
        expectEqual(try await verification.result(), .cancelledOnce)
        backend.answerRefreshes()
        expectEqual(try await other.result(), .once("receipt 1"))
        expectEqual(try await call.settled(), .cancelledOnce)
        expectEqual(try await verification.settled(), .cancelledOnce)
    }

    @Test func `a failed refresh isn't shared with the next call`() async throws {
        let backend = ReceiptBackend()
        let receipts = receipts(backend)
        _ = receipts.fetchReceipt(forceRefresh: true) { result in
            call.record(result)
            // A completion can call the library.
            _ = receipts.fetchReceipt(forceRefresh: true) { call.record($0) }
        }
        expectEqual(try await call.completions.first(2).map(\.word), ["no receipt", "no receipt"])
        expectEqual(backend.refreshes, 2)
    }
}
