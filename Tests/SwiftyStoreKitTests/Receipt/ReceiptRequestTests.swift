import AsyncStoreKit
import Foundation
import Support
import SwiftyStoreKit
import Testing

@Suite("Receipt requests")
struct ReceiptRequestTests {
    private let call = ReceiptCall()

    private func receipts(_ backend: ReceiptBackend) -> LegacyReceipts {
        LegacyStore(store: PurchaseStore(backend: backend), backend: nil).receipts
    }

    @Test("the receipt on the device is the answer, and there is nothing to cancel")
    func onDevice() async {
        let backend = ReceiptBackend(receipt: Data([1, 2]))
        let receipts = receipts(backend)
        #expect(receipts.localReceiptData == Data([1, 2]))
        let request = receipts.fetchReceipt(forceRefresh: false) { call.record($0) }
        #expect(request == nil)
        #expect(await call.result() == .once("receipt 2"))
        #expect(backend.refreshes == 0)
    }

    @Test("a missing receipt is refreshed", arguments: [false, true])
    func missing(forced: Bool) async {
        let backend = ReceiptBackend(receipt: forced ? Data([1]) : nil, answer: .success(Data([1, 2, 3])))
        let request = receipts(backend).fetchReceipt(forceRefresh: forced) { call.record($0) }
        #expect(request != nil)
        #expect(await call.result() == .once("receipt 3"))
        #expect(backend.refreshes == 1)
        // All of these come too late, or never mattered.
        request?.start()
        request?.cancel()
        #expect(await call.settled() == .once("receipt 3"))
    }

    @Test("a refresh that brings no receipt says so")
    func none() async {
        let receipts = receipts(ReceiptBackend())
        #expect(receipts.localReceiptData == nil)
        _ = receipts.fetchReceipt(forceRefresh: false) { call.record($0) }
        #expect(await call.result() == .once("no receipt"))
        let verification = ReceiptCall()
        _ = receipts.verifyReceipt(using: ClosureValidator { _, _ in }, forceRefresh: false) { verification.record($0) }
        #expect(await verification.result() == .once("no receipt"))
    }

    @Test(
        "E1: a refresh that fails has StoreKit's error, or the network's own and never an SKError with a foreign code",
        arguments: [
            (NSError(domain: "SKErrorDomain", code: 2), "SKError 2"), (NSError(domain: "SKErrorDomain", code: 0), "SKError 0"),
            (NSError(domain: NSURLErrorDomain, code: -1009), "NSURLErrorDomain -1009"),
            (NSError(domain: "SKErrorDomain", code: -1009), "NSURLErrorDomain -1009"),
            (
                NSError(
                    domain: "SKErrorDomain", code: 0,
                    userInfo: [NSUnderlyingErrorKey: NSError(domain: NSURLErrorDomain, code: -1001)]), "NSURLErrorDomain -1001"
            ),
        ])
    func failure(error: NSError, word: String) async {
        let failure = StoreError(storeKitError: error, during: "a refresh")
        _ = receipts(ReceiptBackend(answer: .failure(failure))).fetchReceipt(forceRefresh: true) { call.record($0) }
        #expect(await call.result() == .once(word))
    }

    @Test("a refresh that is never answered ends in a time-out of the network")
    func timeout() async {
        let failure = StoreError(.timedOut, "not answered")
        _ = receipts(ReceiptBackend(answer: .failure(failure))).fetchReceipt(forceRefresh: true) { call.record($0) }
        #expect(await call.result() == .once("NSURLErrorDomain -1001"))
    }

    @Test("V1: two forced refreshes share one, and both complete")
    func shared() async {
        let backend = ReceiptBackend(answer: .success(Data([1])), holdsRefreshes: true)
        let receipts = receipts(backend)
        let second = ReceiptCall()
        _ = receipts.fetchReceipt(forceRefresh: true) { call.record($0) }
        await backend.untilRefreshed(1)
        _ = receipts.verifyReceipt(using: ClosureValidator { _, finish in finish(.success(receipt: [:])) }, forceRefresh: true) {
            second.record($0)
        }
        backend.answerRefreshes()
        #expect(await call.result() == .once("receipt 1"))
        #expect(await second.result() == .once("valid ?"))
    }

    @Test("V2: cancelling during a refresh completes once, and ends only that wait")
    func cancelledRefresh() async {
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
        await backend.untilRefreshed(1)
        for request in requests {
            request?.cancel()
            request?.cancel()
        }
        #expect(await call.result() == .cancelledOnce)
        #expect(await verification.result() == .cancelledOnce)
        backend.answerRefreshes()
        #expect(await other.result() == .once("receipt 1"))
        #expect(await call.settled() == .cancelledOnce)
        #expect(await verification.settled() == .cancelledOnce)
    }

    @Test("a refresh that has failed is not shared with the next call")
    func again() async {
        let backend = ReceiptBackend()
        let receipts = receipts(backend)
        _ = receipts.fetchReceipt(forceRefresh: true) { result in
            call.record(result)
            // A completion may call back into the library.
            _ = receipts.fetchReceipt(forceRefresh: true) { call.record($0) }
        }
        #expect(await call.completions.first(2).map(\.word) == ["no receipt", "no receipt"])
        #expect(backend.refreshes == 2)
    }
}
