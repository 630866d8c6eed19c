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

    @Test func `a validator is called with the receipt before the call returns, and can complete immediately`()
        async throws
    {
        let asked = Recorder<Data>()
        _ = verify { data, finish in
            asked.record(data)
            finish(valid)
        }
        expectEqual(asked.elements, [Data([1, 2])])
        expectEqual(try await call.result(), .once("valid Own"))
    }

    @Test func `a validator can complete from many threads, with one completion on the main queue`() async throws {
        _ = verify { _, finish in
            let held = Held(finish)
            DispatchQueue.concurrentPerform(iterations: 64) { number in
                held.value(.error(error: .jsonDecodeError(string: "\(number % 1)")))
            }
        }
        expectEqual(try await call.result(), .once("not JSON: 0"))
    }

    @Test func `V2: a validator can stay silent, and canceling ends the wait once`() async throws {
        let kept = Recorder<Held<(VerifyReceiptResult) -> Void>>()
        let request = verify { _, finish in kept.record(Held(finish)) }
        expectEqual(try await call.settled(), [])
        request.cancel()
        expectEqual(try await call.result(), .cancelledOnce)
        kept.elements.first?.value(valid)
        request.cancel()
        expectEqual(try await call.settled(), .cancelledOnce)
    }

    @Test func `V2: canceling on the main queue takes effect although the result is enqueued`() async throws {
        let request = Held(
            verify { _, finish in
                DispatchQueue.global().async { [held = Held(finish), valid = Held(valid)] in held.value(valid.value) }
            })
        let word = try await MainQueue.run { [call] in
            // Later calls wait behind this block.
            request.value.cancel()
            return call.completions.elements.first?.word
        }
        // The result arrived before the cancellation, or the completion gets the cancellation error.
        expectEqual(try await call.result(), .once(word ?? "SKError 2"))
    }

    @Test func `a validator is called on the main queue after a refresh`() async throws {
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

    @Test func `the completion is released with the request`() async throws {
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
