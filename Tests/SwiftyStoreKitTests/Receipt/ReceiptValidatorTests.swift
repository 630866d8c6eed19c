import AsyncStoreKit
import Foundation
import Support
import SwiftyStoreKit
import Testing

@Suite("An app's own receipt validator")
struct ReceiptValidatorTests {
    private let call = ReceiptCall()
    private let receipts = LegacyReceipts(store: PurchaseStore(backend: ReceiptBackend(receipt: Data([1, 2]))))

    private func verify(_ body: @escaping (Data, @escaping (VerifyReceiptResult) -> Void) -> Void) -> any InAppRequest {
        receipts.verifyReceipt(using: ClosureValidator(body), forceRefresh: false) { call.record($0) }
    }

    private var valid: VerifyReceiptResult { .success(receipt: ReceiptExamples.info(["environment": "Own"])) }

    @Test("is asked with the receipt before the call returns, and may answer at once")
    func synchronous() async {
        let asked = Recorder<Data>()
        _ = verify { data, finish in
            asked.record(data)
            finish(valid)
        }
        #expect(asked.elements == [Data([1, 2])])
        #expect(await call.result() == .once("valid Own"))
    }

    @Test("may answer twice: the first time counts")
    func twice() async {
        _ = verify { _, finish in
            finish(valid)
            finish(.error(error: .noRemoteData))
            finish(valid)
        }
        #expect(await call.result() == .once("valid Own"))
    }

    @Test("may answer from many threads at once: one completion, on the main queue")
    func concurrently() async {
        _ = verify { _, finish in
            let held = Held(finish)
            DispatchQueue.concurrentPerform(iterations: 64) { number in
                held.value(.error(error: .jsonDecodeError(string: "\(number % 1)")))
            }
        }
        #expect(await call.result() == .once("not JSON: 0"))
    }

    @Test("V2: may never answer; cancelling ends the wait once, and an answer after that is nobody's")
    func never() async {
        let kept = Recorder<Held<(VerifyReceiptResult) -> Void>>()
        let request = verify { _, finish in kept.record(Held(finish)) }
        #expect(await call.settled() == [])
        request.cancel()
        #expect(await call.result() == .cancelledOnce)
        kept.elements.first?.value(valid)
        request.cancel()
        #expect(await call.settled() == .cancelledOnce)
    }

    @Test("V2: cancelling on the main queue holds, although the answer is on its way")
    func cancelledLate() async {
        let request = Held(
            verify { _, finish in DispatchQueue.global().async { [held = Held(finish), valid = Held(valid)] in held.value(valid.value) } })
        let word = await withCheckedContinuation { continuation in
            DispatchQueue.main.async { [call] in
                // Whatever comes from now on waits behind this block.
                request.value.cancel()
                continuation.resume(returning: call.completions.elements.first?.word)
            }
        }
        // Either it had come before, or the cancelled error is what comes.
        #expect(await call.result() == .once(word ?? "SKError 2"))
    }

    @Test("is asked on the main queue after a refresh")
    func afterRefresh() async {
        let places = Recorder<Bool>()
        let receipts = LegacyReceipts(store: PurchaseStore(backend: ReceiptBackend(answer: .success(Data([3])))))
        let validator = ClosureValidator { _, finish in
            places.record(MainQueue.isCurrent)
            finish(valid)
        }
        _ = receipts.verifyReceipt(using: validator, forceRefresh: true) { call.record($0) }
        #expect(await call.result() == .once("valid Own"))
        #expect(places.elements == [true])
    }

    @Test("the completion goes away with the request")
    func released() async {
        final class Screen: Sendable {}
        weak var screen: Screen?
        do {
            let shown = Screen()
            screen = shown
            _ = receipts.verifyReceipt(using: ClosureValidator { _, finish in finish(valid) }, forceRefresh: false) {
                call.record($0)
                withExtendedLifetime(shown) {}
            }
        }
        #expect(await call.result() == .once("valid Own"))
        #expect(screen == nil)
    }
}
