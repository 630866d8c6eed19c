import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DeliveryRetryPolicyTests {
    private let policy = DeliveryRetryPolicy()
    private let now = Date(timeIntervalSince1970: 0)

    private func seconds(_ asked: TimeInterval?, failures: Int = 1, key: String = "a") -> TimeInterval {
        policy.seconds(failures: failures, asked: asked, key: key)
    }

    @Test func `the longest pause is four times as long after each failure, up to an hour`() {
        expectEqual((1...9).map { policy.backoff(failures: $0) }, [1, 4, 16, 64, 256, 1_024, 3_600, 3_600, 3_600])
    }

    @Test(arguments: [(Int.min, 1.0), (-1, 1.0), (0, 1.0), (12, 3_600.0), (1_000, 3_600.0), (Int.max, 3_600.0)])
    func `any number of failures has a pause from a second to an hour`(failures: Int, longest: TimeInterval) {
        expectEqual(policy.backoff(failures: failures), longest)
    }

    @Test func `a pause lasts two thirds to all of the longest wait, and is the same for the same failure`() {
        for failures in [1, 2, 5, 10, 1_000] {
            let longest = policy.backoff(failures: failures)
            let pauses = (0..<200).map { seconds(nil, failures: failures, key: "200000\($0)") }
            #expect(pauses.allSatisfy { $0 > longest * 2 / 3 && $0 <= longest })
            expectEqual(pauses, (0..<200).map { seconds(nil, failures: failures, key: "200000\($0)") })
            // Purchases that began to wait together are spread over the whole third, even if their keys are similar.
            for tenth in 0..<10 {
                let start = longest * 2 / 3 + longest / 30 * Double(tenth)
                #expect(
                    pauses.contains { $0 >= start && $0 <= start + longest / 30 },
                    "failure \(failures), tenth \(tenth)")
            }
        }
    }

    @Test func `each failure of a purchase has its own jitter`() {
        expectEqual(Set((1...100).map { policy.jitter(attempt: $0, key: "a") }).count, 100)
    }

    @Test(arguments: [
        (0.5, 0.5, 1), (1, 1, 2), (120, 120, 240), (7_200, 7_200, 10_800), (86_400, 86_400, 90_000),
        (1e300, 86_400, 90_000), (.infinity, 86_400, 90_000),
    ])
    func `a pause that a server or the app requests is spread, by up to its own length and at most an hour`(
        asked: TimeInterval, from: TimeInterval, to: TimeInterval
    ) {
        let pauses = (0..<200).map { seconds(asked, key: "200000\($0)") }
        #expect(pauses.allSatisfy { $0 >= from && $0 <= to })
        for tenth in 0..<10 {
            let start = from + (to - from) / 10 * Double(tenth)
            #expect(pauses.contains { $0 >= start && $0 <= start + (to - from) / 10 }, "tenth \(tenth)")
        }
    }

    @Test(arguments: [TimeInterval.nan, -1, -TimeInterval.infinity])
    func `an invalid pause is replaced by the default one`(asked: TimeInterval) {
        expectEqual(seconds(asked, failures: 3), seconds(nil, failures: 3))
        let pause = policy.pause(failures: 3, asked: asked, because: nil, key: "a", now: now)
        expectEqual(pause.endOnReturn, now)
    }

    @Test func `a return ends a pause at once, or after an hour if a server or the app's code has requested it`() {
        let answer = DeliveryAnswer(status: 503, summary: "HTTP 503")
        let silent = DeliveryAnswer(summary: "no response")
        func pause(_ asked: TimeInterval?, _ answer: DeliveryAnswer?) -> DeliveryPause {
            policy.pause(failures: 20, asked: asked, because: answer, key: "a", now: now)
        }
        expectEqual(pause(nil, nil).endOnReturn, now)
        expectEqual(pause(nil, silent).endOnReturn, now)
        expectEqual(pause(nil, answer).endOnReturn, pause(nil, answer).end, "it is never later than the end")
        expectEqual(pause(600, nil).endOnReturn, pause(600, nil).end)
        expectEqual(pause(86_400, nil).endOnReturn, now + 3_600)
        expectEqual(pause(86_400, answer).endOnReturn, now + 3_600)
    }
}
