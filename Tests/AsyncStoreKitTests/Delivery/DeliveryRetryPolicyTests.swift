import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DeliveryRetryPolicyTests {
    private let policy = DeliveryRetryPolicy()

    @Test func `the pause doubles with each attempt, up to five minutes`() {
        let pauses = (1...11).map { policy.backoff(attempt: $0) }
        expectEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    }

    @Test(arguments: [Int.min, -1, 0])
    func `the pause is never below a second`(attempt: Int) {
        expectEqual(policy.backoff(attempt: attempt), 1)
    }

    @Test(arguments: [12, 1_000, Int.max])
    func `the pause is never above five minutes`(attempt: Int) {
        expectEqual(policy.backoff(attempt: attempt), 300)
    }

    @Test
    func `a pause lasts from half the longest wait to all of it, and is the same for the same purchase and attempt`() {
        for attempt in [1, 2, 5, 10, 1_000] {
            let longest = policy.backoff(attempt: attempt)
            let pauses = (0..<200).map { policy.pause(asked: nil, attempt: attempt, key: "200000\($0)") }
            #expect(pauses.allSatisfy { $0 > longest / 2 && $0 <= longest })
            expectEqual(pauses, (0..<200).map { policy.pause(asked: nil, attempt: attempt, key: "200000\($0)") })
            // Purchases that began to wait together are spread over the whole half, even if their keys are similar.
            for tenth in 0..<10 {
                let start = longest / 2 + longest / 20 * Double(tenth)
                #expect(
                    pauses.contains { $0 >= start && $0 <= start + longest / 20 }, "attempt \(attempt), tenth \(tenth)")
            }
        }
    }

    @Test func `each attempt of a purchase has its own jitter`() {
        expectEqual(Set((1...100).map { policy.jitter(attempt: $0, key: "a") }).count, 100)
    }

    @Test(arguments: [
        (0.0, 0.0), (0.5, 0.5), (120, 120), (86_400, 86_400), (86_401, 86_400), (1e300, 86_400), (.infinity, 86_400),
    ])
    func `a pause that the delivery requests is kept, up to a day`(asked: TimeInterval, pause: TimeInterval) {
        expectEqual(policy.pause(asked: asked, attempt: 1, key: "a"), pause)
    }

    @Test(arguments: [TimeInterval.nan, -1, -TimeInterval.infinity])
    func `an invalid pause is replaced by the default one`(
        asked: TimeInterval
    ) {
        let usual = policy.pause(asked: nil, attempt: 3, key: "a")
        expectEqual(policy.pause(asked: asked, attempt: 3, key: "a"), usual)
    }
}
