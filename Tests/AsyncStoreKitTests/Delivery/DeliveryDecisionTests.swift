import AsyncStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct DeliveryDecisionTests {
    @Test func `retrying without a number leaves the pause to the store`() {
        let decision: DeliveryDecision = .retryLater
        guard case .retryLater(let seconds, nil) = decision else {
            Issue.record("It is \(decision).")
            return
        }
        expectEqual(seconds, nil)
    }

    @Test func `decisions differ in kind, in reason and in pause`() {
        let decisions: [DeliveryDecision] = [
            .accepted, .rejected(reason: "a"), .rejected(reason: "b"), .retryLater, .retryLater(after: 0),
            .retryLater(after: 1),
        ]
        expectEqual(Set(decisions + decisions).count, decisions.count)
    }
}
