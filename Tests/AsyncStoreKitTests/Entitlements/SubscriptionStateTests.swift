import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The known states of a subscription. A new one needs a decision wherever the rules compare states.
@Suite(.bounded) struct SubscriptionStateTests {
    private static let known: [SubscriptionState] = [
        .subscribed, .inGracePeriod, .inBillingRetryPeriod, .paused, .expired, .revoked, .upgraded, .neverSubscribed,
        .unknown,
    ]

    @Test func `every state is known to the rules`() throws {
        let file = try #require(
            SourceTree.sources.get().files.first { $0.path == "AppReceipt/Subscriptions/SubscriptionState.swift" })
        let names = file.lines.compactMap { $0.firstMatch(of: #/static let (\w+) = /#).map { String($0.1) } }
        expectEqual(names, Self.known.map(\.rawValue))
        expectEqual(Self.known.filter(\.isEntitled), [.subscribed, .inGracePeriod])
    }

    @Test func `a state that StoreKit adds later gives no access, and keeps its number`() {
        let states = (1...6).map { SubscriptionState(storeKit2State: $0) }
        expectEqual(
            states,
            [
                .subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked,
                SubscriptionState(rawValue: "6"),
            ])
        #expect(!states[5].isEntitled)
    }
}
