import AsyncStoreKitTesting
import Foundation
import LoopbackHTTP
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit
@testable import AsyncStoreKitHTTP

/// How many purchases a request has, and for which account.
@Suite(.bounded) struct HTTPDeliveryRequestsTests {
    private let scene = HTTPDeliveryScene()

    /// Returns purchases whose signed transactions have about the size of the App Store's.
    private func purchases(_ numbers: ClosedRange<UInt64>, username: String? = nil) -> [StorePurchase] {
        numbers.map { number in
            var transaction = StoreTransaction.entry(number, .restored, username: username)
            let jws = String(repeating: "s", count: 4_000)
            transaction.report.signedText = SignedText(id: "paid-\(number)", jws: { jws }, payload: { Data() })
            return StorePurchase(PurchaseRecord(transaction: transaction, cause: .restored), owner: nil)
        }
    }

    private func request(_ purchases: [StorePurchase]) -> DeliveryRequest {
        DeliveryRequest(
            purchases: purchases, cause: .restored, attempt: 0,
            deviceReceipt: .missing)
    }

    /// Returns a server that refuses larger requests as web servers do, and accepts the others.
    private func server(limit: Int) throws -> LoopbackServer {
        try LoopbackServer([
            .choose { request in
                request.body.count <= limit
                    ? .accepted : .body("<html>413 Request Entity Too Large</html>", status: 413)
            }
        ])
    }

    private func sentKeys(_ server: LoopbackServer) -> [String] {
        server.postedTransactions.compactMap { $0["deliveryKey"] as? String }
    }

    @Test func `a restore of 300 purchases is sent in requests that usual servers accept`() async throws {
        let server = try server(limit: 100_000)
        let delivery = try scene.delivery(to: server.url)
        let all = purchases(1...300)
        expectEqual(await delivery.deliver(request(all)), .accepted)
        expectEqual(sentKeys(server), all.map(\.deliveryKey))
        expectEqual(server.requests.count, 24)
        #expect(server.requests.allSatisfy { $0.body.count <= HTTPDeliveryPayload.largestSize })
        expectEqual(Set(server.deliveryKeys).count, 24)
    }

    @Test func `a request that is too large is halved until the server accepts it, even in the next delivery`()
        async throws
    {
        let server = try server(limit: 20_000)
        let delivery = try scene.delivery(to: server.url)
        let all = purchases(1...30)
        expectEqual(await delivery.deliver(request(all)), .accepted)
        let sizes = server.posted.map { ($0["transactions"] as? [Any])?.count ?? 0 }
        expectEqual(sizes.prefix(3), [13, 6, 3])
        expectEqual(sizes.dropFirst(2).reduce(0, +), 30)
        expectEqual(Set(sizes.dropFirst(2)), [3])
        expectEqual(await delivery.deliver(request(purchases(31...36))), .accepted)
        expectEqual(server.requests.count, 14, "no further request is refused")
    }

    @Test func `a single purchase that is too large waits, and the others are accepted`() async throws {
        let server = try LoopbackServer([
            .choose { request in
                request.body.contains(Data("paid-2\"".utf8)) ? .body("", status: 413) : .accepted
            }
        ])
        let request = request(purchases(1...4))
        let decision = await (try scene.delivery(to: server.url)).deliver(request)
        expectEqual(
            decision,
            .each(["paid-1": .accepted, "paid-2": .retryLater, "paid-3": .accepted, "paid-4": .accepted]))
        let answer = try #require(request.journal.answers["paid-2"])
        expectEqual(answer.status, 413)
        expectEqual(answer.evidence, .working, "it says nothing about the server")
    }

    @Test func `a response has a decision for each purchase, and a purchase without one is tried again`() async throws {
        let server = try LoopbackServer([
            .body(
                #"""
                {"decision":"accepted","decisions":{"paid-1":{"decision":"accepted"},
                "paid-2":{"decision":"rejected","message":"Another account."},
                "paid-3":{"decision":"retryLater","retryAfter":60},"paid-4":"accepted","other":{"decision":"accepted"}}}
                """#)
        ])
        let request = request(purchases(1...5))
        expectEqual(
            await (try scene.delivery(to: server.url)).deliver(request),
            .each([
                "paid-1": .accepted, "paid-2": .rejected(reason: "Another account."), "paid-3": .retryLater(after: 60),
                "paid-4": .retryLater, "paid-5": .retryLater,
            ]))
        #expect(request.journal.answers["paid-5"]?.summary.contains("decides nothing") == true)
        expectEqual(request.journal.answers["paid-5"]?.evidence, .working)
    }

    @Test(arguments: ["null", "[]", "{}", #"{"paid-1":null}"#, "7"])
    func `decisions that can't be read accept nothing, and null is as if it was missing`(decisions: String) {
        let body = Data(#"{"decision":"accepted","decisions":\#(decisions)}"#.utf8)
        let decision = HTTPDeliveryResponse(statusCode: 200, body: body).decision()
        expectEqual(decision.decision(for: "paid-1"), decisions == "null" ? .accepted : .retryLater)
    }

    @Test func `after a failure nothing more is sent, and accepted purchases stay accepted`() async throws {
        let server = try LoopbackServer([.accepted, .body("", status: 503, headers: ["Retry-After": "120"])])
        let delivery = try scene.delivery(to: server.url) { $0.purchasesPerRequest = 2 }
        let request = request(purchases(1...6))
        let later = DeliveryDecision.retryLater(after: 120)
        expectEqual(
            await delivery.deliver(request),
            .each([
                "paid-1": .accepted, "paid-2": .accepted, "paid-3": later, "paid-4": later, "paid-5": later,
                "paid-6": later,
            ]))
        expectEqual(server.requests.count, 2)
        expectEqual(request.journal.answers["paid-6"]?.status, 503)
        expectEqual(request.journal.answers["paid-6"]?.evidence, .failing)
    }

    @Test(arguments: [(429, true), (499, false), (500, true), (503, true)])
    func `the other purchases wait if a busy server asks to wait`(status: Int, isBusy: Bool) async throws {
        let server = try LoopbackServer([.body(#"{"decision":"retryLater","retryAfter":60}"#, status: status)])
        let request = request(purchases(1...1))
        _ = await (try scene.delivery(to: server.url)).deliver(request)
        expectEqual(request.journal.answers["paid-1"]?.status, status)
        expectEqual(request.journal.answers["paid-1"]?.evidence, isBusy ? .failing : .working)
    }

    @Test func `a purchase that names an account is sent only in a session of that account`() async throws {
        let server = try LoopbackServer([.accepted])
        let delivery = try scene.delivery(to: server.url) { options in
            options.session = { _ in
                HTTPDeliverySession(account: .username("ann"), headers: ["Authorization": "Bearer ann"])
            }
        }
        let mixed = zip(
            purchases(1...2, username: "ann"), zip(purchases(3...4, username: "bob"), purchases(5...6))
        ).flatMap { [$0, $1.0, $1.1] }
        let request = request(mixed)
        let heldBack = DeliveryDecision.retryLater(
            after: 3_600, reason: "the purchase names an account that isn't the one of the session")
        expectEqual(
            await delivery.deliver(request),
            .each([
                "paid-1": .accepted, "paid-2": .accepted, "paid-3": heldBack, "paid-4": heldBack, "paid-5": .accepted,
                "paid-6": .accepted,
            ]))
        expectEqual(server.requests.map { $0.headers["authorization"] }, ["Bearer ann", "Bearer ann"])
        expectEqual(sentKeys(server), ["paid-1", "paid-2", "paid-5", "paid-6"])
        expectEqual(request.journal.answers["paid-3"]?.evidence, .nothingSent, "the others don't wait")
        expectEqual(request.journal.answers["paid-3"]?.requestID, nil)
    }

    @Test(arguments: [PurchaseAccount.token(id), .username(id.uuidString.lowercased()), .username(id.uuidString)])
    func `a session names an account in upper or lower case`(account: PurchaseAccount) async throws {
        let server = try LoopbackServer([.accepted])
        let delivery = try scene.delivery(to: server.url) { options in
            options.session = { _ in HTTPDeliverySession(account: account) }
        }
        expectEqual(await delivery.deliver(request(purchases(1...1, username: Self.id.uuidString))), .accepted)
        let other = request(purchases(2...2, username: UUID().uuidString))
        _ = await delivery.deliver(other)
        expectEqual(other.journal.answers["paid-2"]?.evidence, .nothingSent)
        let withoutSession = try scene.delivery(to: server.url) { $0.session = { _ in nil } }
        let none = request(purchases(3...3))
        _ = await withoutSession.deliver(none)
        expectEqual(none.journal.answers["paid-3"]?.evidence, .nothingSent)
        expectEqual(sentKeys(server), ["paid-1"])
    }

    private static let id = UUID()

    @Test func `the time limit also ends the wait for header fields`() async throws {
        let server = try LoopbackServer([.accepted])
        let hold = Promise<Void>()
        let delivery = try scene.delivery(to: server.url) { options in
            options.timeout = 20
            options.session = { _ in
                await hold.value()
                return HTTPDeliverySession()
            }
        }
        let request = request(purchases(1...1))
        async let decision = delivery.deliver(request)
        try await scene.deadline.waitForSleepers(1)
        scene.deadline.advance(by: 20)
        expectEqual(await decision, .retryLater)
        #expect(server.requests.isEmpty)
        #expect(request.journal.answers["paid-1"]?.summary.hasPrefix("no response") == true)
        hold.fulfill(())
    }

    @Test func `the header fields know the status of the last response, and a button sends again at once`() async throws
    {
        let server = try LoopbackServer([
            .body("", status: 401, headers: ["Retry-After": "86400"]), .accepted,
        ])
        let statuses = Recorder<Int?>()
        let store = try scene.launch(delivering: server) { options in
            options.session = { payload in
                statuses.record(payload.request.lastStatus)
                return HTTPDeliverySession(
                    headers: ["Authorization": payload.request.lastStatus == 401 ? "renewed" : "old"])
            }
        }
        let updates = StreamListener(store.transactions)
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        store.retryDeliveries()
        expectEqual(try await updates.next()?.isHandledElsewhere, true)
        expectEqual(statuses.elements, [nil, 401])
        expectEqual(server.requests.map { $0.headers["authorization"] }, ["old", "renewed"])
    }
}
