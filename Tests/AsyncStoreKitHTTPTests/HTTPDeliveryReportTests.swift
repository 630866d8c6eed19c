import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitHTTP
import AsyncStoreKitTesting
import Foundation
import LoopbackHTTP
import Support
import TestHarness
import Testing

/// What support can find out about a delivery when a customer writes "I paid and have nothing".
@Suite(.bounded) struct HTTPDeliveryReportTests {
    private let scene = HTTPDeliveryScene()

    /// Buys for an account while the server is down.
    private func pendingStore(_ server: LoopbackServer) async throws -> PurchaseStore {
        let store = try scene.launch(delivering: server) {
            $0.session = { _ in
                HTTPDeliverySession(account: .username("ann.smith"), headers: ["Authorization": "Bearer hunter2secret"])
            }
        }
        let outcome = try? await store.purchase(
            StoreWorld.pro, options: PurchaseOptions(account: .username("ann.smith")))
        #expect(outcome == nil)
        try await scene.untilPending(afterAttempts: 1)
        return store
    }

    @Test func `a held purchase has its attempts, the last error and the date of the next attempt`() async throws {
        let server = try LoopbackServer([
            .body("", status: 503, headers: ["Retry-After": "60"]), .body("", status: 502),
        ])
        let store = try await pendingStore(server)
        var held = try #require(try await store.diagnostics().held.first)
        expectEqual(held.reason, .pendingRetry)
        expectEqual(held.attempts, 1)
        let requestID = try #require(server.requests.first?.headers["x-request-id"])
        let error = "HTTP 503, application/json, which decides nothing, request \(requestID)"
        expectEqual(held.lastError, error)
        let next = try #require(held.nextAttempt)
        #expect((60...120).contains(next.timeIntervalSince(store.now)))
        expectEqual(
            "\(held)",
            "\(held.transaction), waits for a retry since \(held.since.formatted(.iso8601)), 1 failed attempt, "
                + "the last: \(error), next attempt \(next.formatted(.iso8601))")
        try await scene.passPause(of: store)
        try await scene.untilPending(afterAttempts: 2)
        held = try #require(try await store.diagnostics().held.first)
        expectEqual(held.attempts, 2)
        #expect(held.lastError?.hasPrefix("HTTP 502") == true)
    }

    @Test func `the report says what happened to a purchase, and nothing about a person`() async throws {
        let server = try LoopbackServer([.body("", status: 503)])
        let store = try await pendingStore(server)
        try await store.settled()
        let report = await store.supportReport()
        let transaction = try #require(scene.world.appStore.allTransactions().first)
        let id = try #require(transaction.transactionID)
        let requestID = try #require(server.requests.first?.headers["x-request-id"])
        for text in [
            "engine: StoreKit 1, mode: finishing", StoreWorld.pro, "transaction \(id)", "waits for a retry",
            "HTTP 503", requestID, "Recent events:", "couldn't be delivered: attempt 1 failed", "Entitlements:",
        ] {
            #expect(report.contains(text), "\(text) is missing in:\n\(report)")
        }
        let receipt = try store.receipt.data().base64EncodedString()
        for secret in ["ann.smith", "hunter2", receipt, NSHomeDirectory(), NSUserName()] where secret.count > 3 {
            #expect(!report.contains(secret), "\(report)")
        }
    }
}
