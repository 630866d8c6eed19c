import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import LoopbackHTTP
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit
@testable import AsyncStoreKitHTTP

@Suite(.bounded) struct HTTPDeliveryReceiptTests {
    private let scene = HTTPDeliveryScene()
    private let refusal = LoopbackServer.Answer.body(
        #"{"decision":"rejected","message":"not in the receipt"}"#, status: 422)

    private func isInReceipt(_ server: LoopbackServer) -> [Bool?] {
        server.postedTransactions.map { $0["isInReceipt"] as? Bool }
    }

    @Test(arguments: 1...2) func `a lagging receipt is refreshed until it contains the transaction`(refreshes: Int)
        async throws
    {
        scene.world.appStore.behavior.receiptLag = .refreshes(refreshes)
        let server = try LoopbackServer([.accepted])
        let store = try scene.launch(delivering: server)
        let purchase = try scene.world.success(try await store.purchase(StoreWorld.pro))
        #expect(purchase.isHandledElsewhere)
        expectEqual(isInReceipt(server), [true])
        let text = try #require(server.posted.first?["receipt"] as? String)
        let file = try #require(Data(base64Encoded: text))
        let receipt = try Receipt.unverified(pkcs7: file)
        #expect(receipt.transaction(id: purchase.deliveryKey) != nil)
    }

    @Test func `a rejection of a receipt that lacks the transaction isn't final until the refreshes are used up`()
        async throws
    {
        scene.world.appStore.behavior.receiptLag = .refreshes(1_000)
        let server = try LoopbackServer([refusal])
        let store = try scene.launch(delivering: server)
        let failures = StreamListener(store.purchaseFailures)
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        try await scene.passPause(of: store)
        try await scene.untilPending(afterAttempts: 2)
        expectEqual(scene.world.appStore.allTransactions().map(\.isFinished), [false])
        try await scene.passPause(of: store, afterAttempts: 2)
        expectEqual(try await failures.next()?.error, StoreError(.deliveryRejected, "not in the receipt"))
        expectEqual(isInReceipt(server), [false, false, false])
        try await scene.world.expectFinished(store)
    }

    @Test func `a failed refresh doesn't prevent the request`() async throws {
        scene.world.appStore.behavior.receiptLag = .refreshes(1)
        scene.world.appStore.behavior.receiptRefreshError = .notConnectedToInternet
        let server = try LoopbackServer([.accepted])
        let store = try scene.launch(delivering: server)
        #expect(try scene.world.success(try await store.purchase(StoreWorld.pro)).isHandledElsewhere)
        expectEqual(isInReceipt(server), [nil], "there is no receipt")
    }

    @Test func `concurrent deliveries that lack a receipt share one refresh with the store's callers`() async throws {
        let backend = SpyBackend(SimulatedBackend(scene.world.appStore, engine: .storeKit1))
        let store = PurchaseStore(over: backend, configuration: StoreConfiguration(clock: scene.world.clock))
        scene.world.appStore.behavior.receiptRefreshesAreNeverAnswered = true
        let request = Recorder<DeliveryRequest>()
        store.setDelivery { delivery in
            request.record(delivery)
            return .accepted
        }
        _ = try await store.purchase(StoreWorld.pro)
        let delivery = try #require(request.elements.first)
        async let error = #expect(throws: StoreError.self) { try await delivery.refreshedReceipt() }
        try await scene.world.clock.waitForSleepers(1)
        scene.world.clock.advance(by: 60)
        expectEqual(await error?.code, .timedOut, "every refresh ends")
    }

    /// Returns the number of refreshes in one attempt, if the receipt never contains the transaction.
    private func refreshes(attempt: Int, limit: Int, transaction: StoreTransaction, receipt: Data?) async throws -> Int
    {
        let server = try LoopbackServer([.accepted])
        let count = Locked(0)
        let request = DeliveryRequest(
            purchases: [StorePurchase(PurchaseRecord(transaction: transaction, cause: .unsolicited), owner: nil)],
            cause: .unsolicited,
            attempt: attempt,
            deviceReceipt: DeviceReceipt {
                receipt
            } request: { () throws(StoreError) in
                count.withLock { $0 += 1 }
            })
        let delivery = try scene.delivery(to: server.url) { $0.receiptRefreshLimit = limit }
        expectEqual(await delivery.deliver(request), .accepted)
        expectEqual(server.requests.count, 1)
        return count.withLock { $0 }
    }

    @Test(arguments: [
        (0, 2, 2), (1, 2, 1), (2, 2, 0), (3, 2, 0), (Int.max, 2, 0), (0, 0, 0), (0, -1, 0), (0, Int.max, 10),
        (9, 99, 1),
    ])
    func `each further attempt refreshes less often`(attempt: Int, limit: Int, expected: Int) async throws {
        let transaction = StoreTransaction.entry(1, .purchased)
        // If there's still no receipt after a refresh, another refresh doesn't help.
        let cases = [(nil, min(expected, 1)), (Data(), min(expected, 1)), (Data("garbage".utf8), expected)]
        for (receipt, expected) in cases {
            expectEqual(
                try await refreshes(attempt: attempt, limit: limit, transaction: transaction, receipt: receipt),
                expected)
        }
    }

    @Test func `the receipt has a restored transaction under the identifier of its original`() async throws {
        let owner = scene.launch()
        try await owner.purchase(StoreWorld.pro) { _ in }
        let receipt = try owner.receipt.data()
        let original = scene.world.appStore.allTransactions().first?.transactionID
        var restored = StoreTransaction.entry(1, .restored, of: StoreWorld.pro)
        restored.report.original = .init(id: original, purchaseDate: nil)
        expectEqual(try await refreshes(attempt: 0, limit: 2, transaction: restored, receipt: receipt), 0)
        restored.report.original = nil
        expectEqual(try await refreshes(attempt: 0, limit: 2, transaction: restored, receipt: receipt), 0)
        restored.report.original = .init(id: "of another account", purchaseDate: nil)
        expectEqual(try await refreshes(attempt: 0, limit: 2, transaction: restored, receipt: receipt), 2)
        restored.report.state = .purchased
        restored.report.original = .init(id: original, purchaseDate: nil)
        expectEqual(
            try await refreshes(attempt: 0, limit: 2, transaction: restored, receipt: receipt), 2,
            "a renewal has its own row")
    }

    @Test func `a delivery that is canceled while the server is silent returns, and decides nothing`() async throws {
        let server = try LoopbackServer([.hang])
        let delivery = try scene.delivery(to: server.url)
        let purchase = StorePurchase(PurchaseRecord(transaction: .entry(1, .purchased), cause: .requested), owner: nil)
        let request = DeliveryRequest(
            purchases: [purchase], cause: .requested, attempt: 0,
            deviceReceipt: .missing)
        let task = Task { await delivery.deliver(request) }
        for await _ in server.arrivals { break }
        task.cancel()
        expectEqual(await task.value, .retryLater)
    }
}
