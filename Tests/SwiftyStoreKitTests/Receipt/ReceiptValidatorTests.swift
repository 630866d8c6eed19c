import AsyncStoreKit
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct ReceiptValidatorTests {
    private let call = ReceiptCall()
    private let receipts = LegacyReceipts(store: PurchaseStore(over: ReceiptBackend(receipt: Data([1, 2]))))

    private func verify(_ body: @escaping (Data, @escaping (VerifyReceiptResult) -> Void) -> Void) -> any InAppRequest {
        receipts.verifyReceipt(using: ClosureValidator(body), forceRefresh: false) { call.record($0) }
    }

    private var valid: VerifyReceiptResult { .success(receipt: ReceiptExamples.info(["environment": "Own"])) }

    @Test func `is asked with the receipt before the call returns, and may answer at once`() async throws {
        let asked = Recorder<Data>()
        _ = verify { data, finish in
            asked.record(data)
            finish(valid)
        }
        expectEqual(asked.elements, [Data([1, 2])])
        expectEqual(try await call.result(), .once("valid Own"))
    }

    @Test func `may answer twice: the first time counts`() async throws {
        _ = verify { _, finish in
            finish(valid)
            finish(.error(error: .noRemoteData))
            finish(valid)
        }
        expectEqual(try await call.result(), .once("valid Own"))
    }

    @Test func `may answer from many threads at once: one completion, on the main queue`() async throws {
        _ = verify { _, finish in
            let held = Held(finish)
            DispatchQueue.concurrentPerform(iterations: 64) { number in
                held.value(.error(error: .jsonDecodeError(string: "\(number % 1)")))
            }
        }
        expectEqual(try await call.result(), .once("not JSON: 0"))
    }

    @Test func `V2: may never answer; cancelling ends the wait once, and an answer after that is nobody's`() async throws {
        let kept = Recorder<Held<(VerifyReceiptResult) -> Void>>()
        let request = verify { _, finish in kept.record(Held(finish)) }
        expectEqual(try await call.settled(), [])
        request.cancel()
        expectEqual(try await call.result(), .cancelledOnce)
        kept.elements.first?.value(valid)
        request.cancel()
        expectEqual(try await call.settled(), .cancelledOnce)
    }

    @Test func `V2: cancelling on the main queue holds, although the answer is on its way`() async throws {
        let request = Held(
            verify { _, finish in DispatchQueue.global().async { [held = Held(finish), valid = Held(valid)] in held.value(valid.value) } })
        let word = try await MainQueue.run { [call] in
            // Whatever comes from now on waits behind this block.
            request.value.cancel()
            return call.completions.elements.first?.word
        }
        // Either it had come before, or the cancelled error is what comes.
        expectEqual(try await call.result(), .once(word ?? "SKError 2"))
    }

    @Test func `is asked on the main queue after a refresh`() async throws {
        let places = Recorder<Bool>()
        let receipts = LegacyReceipts(store: PurchaseStore(over: ReceiptBackend(answer: .success(Data([3])))))
        let validator = ClosureValidator { _, finish in
            places.record(MainQueue.isCurrent)
            finish(valid)
        }
        _ = receipts.verifyReceipt(using: validator, forceRefresh: true) { call.record($0) }
        expectEqual(try await call.result(), .once("valid Own"))
        expectEqual(places.elements, [true])
    }

    @Test func `the completion goes away with the request`() async throws {
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
        expectEqual(try await call.result(), .once("valid Own"))
        #expect(screen == nil)
    }
}
