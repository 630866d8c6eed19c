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

    @Test func `the receipt on the device is returned inside the call, on its thread and without a request`()
        async throws
    {
        let backend = ReceiptBackend(receipt: Data([1, 2]))
        let receipts = receipts(backend)
        expectEqual(receipts.localReceiptData, Data([1, 2]))
        let request = receipts.fetchReceipt(forceRefresh: false) { call.record($0) }
        #expect(request == nil)
        expectEqual(call.completions.elements, .onceElsewhere("receipt 2"))
        expectEqual(try await call.settled(), .onceElsewhere("receipt 2"))
        expectEqual(backend.refreshes, 0)
    }

    @Test(arguments: [false, true])
    func `a missing receipt is refreshed`(forced: Bool) async throws {
        let backend = ReceiptBackend(receipt: forced ? Data([1]) : nil, answer: .success(Data([1, 2, 3])))
        let request = receipts(backend).fetchReceipt(forceRefresh: forced) { call.record($0) }
        #expect(request != nil)
        expectEqual(try await call.result(), .once("receipt 3"))
        expectEqual(backend.refreshes, 1)
        // All of these calls have no effect.
        request?.start()
        request?.cancel()
        expectEqual(try await call.settled(), .once("receipt 3"))
    }

    @Test func `a refresh without a receipt is an error`() async throws {
        let receipts = receipts(ReceiptBackend())
        expectEqual(receipts.localReceiptData, nil)
        _ = receipts.fetchReceipt(forceRefresh: false) { call.record($0) }
        expectEqual(try await call.result(), .once("no receipt"))
        let verification = ReceiptCall()
        _ = receipts.verifyReceipt(using: ClosureValidator { _, _ in }, forceRefresh: false) { verification.record($0) }
        expectEqual(try await verification.result(), .once("no receipt"))
    }

    @Test(arguments: [
        (NSError(domain: "SKErrorDomain", code: 2), "SKError 2"),
        (NSError(domain: "SKErrorDomain", code: 0), "SKError 0"),
        (NSError(domain: NSURLErrorDomain, code: -1009), "NSURLErrorDomain -1009"),
        (NSError(domain: "SKErrorDomain", code: -1009), "NSURLErrorDomain -1009"),
        (NSError(domain: "SSErrorDomain", code: 16), "SSErrorDomain 16"),
        (
            NSError(
                domain: "SKErrorDomain", code: 0,
                userInfo: [NSUnderlyingErrorKey: NSError(domain: NSURLErrorDomain, code: -1001)]), "SKError 0"
        ),
    ])
    func `E1: a refresh that fails has StoreKit's error, or the network's own and never an SKError with a foreign code`(
        error: NSError, word: String
    ) async throws {
        let failure = StoreError(storeKitError: error, during: "a refresh")
        _ = receipts(ReceiptBackend(answer: .failure(failure))).fetchReceipt(forceRefresh: true) { call.record($0) }
        expectEqual(try await call.result(), .once(word))
    }

    @Test func `an unanswered refresh ends with a network timeout`() async throws {
        let failure = StoreError(.timedOut, "not answered")
        _ = receipts(ReceiptBackend(answer: .failure(failure))).fetchReceipt(forceRefresh: true) { call.record($0) }
        expectEqual(try await call.result(), .once("NSURLErrorDomain -1001"))
    }

    @Test func `V1: two forced refreshes share one, and both complete`() async throws {
        let backend = ReceiptBackend(answer: .success(Data([1])), holdsRefreshes: true)
        let receipts = receipts(backend)
        let second = ReceiptCall()
        _ = receipts.fetchReceipt(forceRefresh: true) { call.record($0) }
        try await backend.untilRefreshed(1)
        _ = receipts.verifyReceipt(
            using: ClosureValidator { _, finish in finish(.success(receipt: [:])) }, forceRefresh: true
        ) {
            second.record($0)
        }
        backend.answerRefreshes()
        expectEqual(try await call.result(), .once("receipt 1"))
        expectEqual(try await second.result(), .once("valid ?"))
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
