import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitHTTP
import AsyncStoreKitTesting
import Foundation
import LoopbackHTTP
import Support
import TestHarness
import Testing

@Suite(.bounded) struct HTTPPurchaseDeliveryTests {
    private let scene = HTTPDeliveryScene()
    private let refusal = LoopbackServer.Answer.body(
        #"{"decision":"rejected","message":"This Apple ID belongs to another account."}"#, status: 409)

    @Test func `a purchase that the server accepts is finished, and was sent with every known field`() async throws {
        let server = try LoopbackServer([.accepted])
        let store = try scene.launch(delivering: server) {
            $0.session = { _ in HTTPDeliverySession(account: .username("ann"), headers: ["Authorization": "Bearer abc"])
            }
        }
        let outcome = try await store.purchase(
            StoreWorld.coins, options: PurchaseOptions(quantity: 3, account: .username("ann")))
        let purchase = try scene.world.success(outcome)
        #expect(purchase.isHandledElsewhere)
        try await scene.world.expectFinished(store)

        let request = try #require(server.requests.first)
        expectEqual(server.requests.count, 1)
        expectEqual(request.headers["idempotency-key"], "\"\(purchase.deliveryKey)\"")
        expectEqual(request.headers["delivery-cause"], "requested")
        expectEqual(request.headers["delivery-attempt"], "0")
        expectEqual(request.headers["authorization"], "Bearer abc")
        expectEqual(request.headers["content-type"], "application/json")
        let body = try #require(server.posted.first)
        expectEqual(body["deliveryKey"] as? String, purchase.deliveryKey)
        let text = try #require(body["receipt"] as? String)
        let file = try #require(Data(base64Encoded: text))
        #expect(try Receipt.unverified(pkcs7: file).transaction(id: purchase.deliveryKey) != nil)
        let transaction = try #require(server.postedTransactions.first)
        expectEqual(server.postedTransactions.count, 1)
        expectEqual(transaction["transactionID"] as? String, purchase.transaction.id)
        expectEqual(transaction["deliveryKey"] as? String, purchase.deliveryKey)
        expectEqual(transaction["productID"] as? String, StoreWorld.coins)
        expectEqual(transaction["quantity"] as? Int, 3)
        expectEqual(transaction["state"] as? String, "purchased")
        expectEqual(transaction["account"] as? String, "ann")
        expectEqual(transaction["isInReceipt"] as? Bool, true)
        let date = try #require(purchase.transaction.purchaseDate)
        expectEqual(transaction["date"] as? String, ISO8601DateFormatter().string(from: date))
    }

    @Test func `a purchase that the server rejects is finished, and the caller gets the server's message`() async throws
    {
        let server = try LoopbackServer([refusal])
        let store = try scene.launch(delivering: server)
        let error = try await scene.failure(of: store)
        expectEqual(error, StoreError(.deliveryRejected, "This Apple ID belongs to another account."))
        try await scene.world.expectFinished(store)
        expectEqual(server.requests.count, 1)
    }

    @Test func `a server that fails ten times gets every attempt under one key, and the purchase is pending meanwhile`()
        async throws
    {
        let trouble = LoopbackServer.Answer.body(#"{"message":"out of order"}"#, status: 500)
        let server = try LoopbackServer(Array(repeating: trouble, count: 10) + [.accepted])
        let store = try scene.launch(delivering: server)
        let updates = StreamListener(store.transactions)
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        for attempt in 1...10 {
            try await scene.untilPending(afterAttempts: attempt)
            expectEqual(try await store.diagnostics().pendingRetries, 1)
            expectEqual(scene.world.appStore.allTransactions().map(\.isFinished), [false])
            try await scene.passPause(of: store, afterAttempts: attempt)
        }
        let update = try #require(await updates.next())
        #expect(update.isHandledElsewhere)
        expectEqual(server.requests.map { $0.headers["delivery-attempt"] }, (0...10).map { "\($0)" })
        expectEqual(Set(server.deliveryKeys).count, 1)
        expectEqual(Set(server.requests.map(\.body)).count, 1, "the same key has the same body")
        expectEqual(Set(server.requests.map { $0.headers["x-request-id"] }).count, 11)
        expectEqual(server.deliveryKeys.count, 11)
        try await scene.world.expectFinished(store)
        expectEqual(try await store.diagnostics().pendingRetries, 0)
    }

    @Test(arguments: [
        LoopbackServer.Answer.cutOff("{}"), .raw("\u{1}\u{2} this is no HTTP\r\n\r\n"), .raw(""),
        .large(bytes: 10 << 20), .promise(length: 10 << 20), .endless(bytes: 10 << 20),
        .body("{\"message\":\"Forbidden\"}", status: 403), .body("{\"message\":\"Request Too Long\"}", status: 413),
        .body("<html>Conflict</html>", status: 409), .body("", status: 400), .body("\u{0}}{garbage", status: 202),
        .body("{\"decision\":\"retryLater\"}", status: 200), .body("{}"), .body("{\"message\":\"no\"}", status: 503),
        .raw(typed("text/html; charset=utf-8", "<!doctype html><title>Welcome</title>")),
        .raw(typed("text/plain", "OK")),
        .redirect(to: "http://127.0.0.1:9/"),
    ])
    func `a response that decides nothing leaves the purchase pending, and the next one decides`(
        answer: LoopbackServer.Answer
    ) async throws {
        let server = try LoopbackServer([answer, .accepted])
        let store = try scene.launch(delivering: server)
        let updates = StreamListener(store.transactions)
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        expectEqual(scene.world.appStore.allTransactions().map(\.isFinished), [false])
        try await scene.passPause(of: store)
        let update = try #require(await updates.next())
        #expect(update.isHandledElsewhere && update.isRedelivery)
        try await scene.world.expectFinished(store)
    }

    /// A response with a content type of its own, and status 200.
    private static func typed(_ contentType: String, _ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: \(contentType)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    @Test(arguments: [
        (
            LoopbackServer.Answer.body("{\"message\":\"Forbidden\"}", status: 403),
            "HTTP 403, application/json, which decides nothing"
        ),
        (.raw(typed("Text/HTML; charset=utf-8", "<p>hello</p>")), "HTTP 200, text/html, which decides nothing"),
        (.raw(typed("a b\u{1B}[2J", "hello")), "HTTP 200, an unusual content type, which decides nothing"),
        (
            .raw(typed("text/" + String(repeating: "x", count: 200), "a")),
            "HTTP 200, an unusual content type, which decides nothing"
        ),
        (.raw(typed("key/HUNTER2secret", "hello")), "HTTP 200, an unusual content type, which decides nothing"),
        (.redirect(to: "http://127.0.0.1:9/"), "HTTP 307, no content type, which decides nothing"),
        (.body("{\"decision\":\"retryLater\"}"), "HTTP 200, application/json"),
    ])
    func `the reason for another attempt is logged with status and content type`(
        answer: LoopbackServer.Answer, text: String
    ) async throws {
        let server = try LoopbackServer([answer])
        let store = try scene.launch(delivering: server) {
            $0.session = { _ in HTTPDeliverySession(headers: ["X-Key": "Hunter2Secret"]) }
        }
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        // The log is written after the call has thrown.
        let logged = try await scene.log.first { $0.message.contains("attempt 1 failed") }
        let requestID = try #require(server.requests.first?.headers["x-request-id"])
        #expect(
            logged.message.contains("attempt 1 failed (\(text), request \(requestID)), the next is in "), "\(logged)")
    }

    @Test func `an acceptance and a rejection are logged with product, transaction and status`() async throws {
        let server = try LoopbackServer([.accepted, refusal])
        let store = try scene.launch(delivering: server)
        let purchase = try scene.world.success(try await store.purchase(StoreWorld.coins))
        _ = try await scene.failure(of: store)
        let ids = scene.world.appStore.allTransactions().compactMap(\.transactionID)
        expectEqual(ids.first, purchase.transaction.id)
        let name = "The purchase of \"\(StoreWorld.coins)\" (transaction \(ids[0]))"
        let requests = server.requests.compactMap { $0.headers["x-request-id"] }
        let accepted = try await scene.log.first { $0.message.contains("was accepted") }
        expectEqual(
            accepted,
            StoreLogEvent(.notice, "\(name) was accepted: HTTP 200, application/json, request \(requests[0])."))
        let rejected = try await scene.log.first { $0.message.contains("was rejected") }
        expectEqual(
            rejected,
            StoreLogEvent(
                .error,
                "The purchase of \"\(StoreWorld.pro)\" (transaction \(ids[1])) was rejected and is finished: "
                    + "HTTP 409, application/json, request \(requests[1])."))
    }

    @Test func `the wait for a silent server ends after the time limit`() async throws {
        let server = try LoopbackServer([.hang, .accepted])
        let store = try scene.launch(delivering: server) { $0.timeout = 20 }
        let updates = StreamListener(store.transactions)
        let purchase = Task { try await scene.failure(of: store) }
        for await _ in server.arrivals { break }
        try await scene.deadline.waitForSleepers(1)
        scene.deadline.advance(by: 20)
        expectEqual(try await purchase.value.code, .deliveryPending)
        try await scene.passPause(of: store)
        expectEqual(try await updates.next()?.isHandledElsewhere, true)
    }

    @Test func `an unreachable server is asked again later`() async throws {
        let down = try LoopbackServer([.hang])
        let port = down.port
        down.stop()
        let store = try scene.launch(delivering: down)
        let updates = StreamListener(store.transactions)
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        let server = try LoopbackServer([.accepted], port: port)
        try await scene.passPause(of: store)
        expectEqual(try await updates.next()?.isHandledElsewhere, true)
        expectEqual(server.requests.count, 1)
        try await scene.world.expectFinished(store)
    }

    @Test func `the pause is the one that the server requests, spread by up to its own length`() async throws {
        let server = try LoopbackServer([.body("", status: 503, headers: ["Retry-After": "120"]), .accepted])
        let store = try scene.launch(delivering: server)
        let updates = StreamListener(store.transactions)
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        try await scene.untilPending(afterAttempts: 1)
        scene.world.clock.advance(by: 119)
        expectEqual(try await store.diagnostics().pendingRetries, 1)
        scene.world.clock.advance(by: 121)
        expectEqual(try await updates.next()?.isHandledElsewhere, true)
    }

    @Test func `a small restore is sent as one request with one receipt`() async throws {
        let server = try LoopbackServer([.accepted])
        let owner = scene.launch()
        for product in [StoreWorld.pro, StoreWorld.news] { try await owner.purchase(product) { _ in } }
        let store = try scene.launch(delivering: server)
        let restored = try await store.restore()
        expectEqual(restored.purchases.count, 2)
        expectEqual(server.requests.count, 1)
        expectEqual(server.requests.first?.headers["delivery-cause"], "restored")
        expectEqual(server.postedTransactions.count, 2)
        #expect(
            server.postedTransactions.allSatisfy {
                $0["state"] as? String == "restored" && $0["isInReceipt"] as? Bool == true
            })
        expectEqual(
            Set(server.postedTransactions.compactMap { $0["deliveryKey"] as? String }),
            Set(scene.world.appStore.allTransactions().compactMap(\.originalTransactionID)))
        try await scene.world.expectFinished(store)
    }

    @Test func `the body and the decision can be replaced`() async throws {
        let server = try LoopbackServer([.body("no", status: 200), .body("yes", status: 500)])
        let store = try scene.launch(delivering: server) { options in
            options.body = { Data($0.request.purchases.map(\.productID).joined(separator: ",").utf8) }
            options.decision = { $0.body == Data("yes".utf8) ? .accepted : .retryLater }
            options.session = { _ in HTTPDeliverySession(headers: ["content-type": "text/csv"]) }
        }
        let updates = StreamListener(store.transactions)
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        try await scene.passPause(of: store)
        expectEqual(try await updates.next()?.isHandledElsewhere, true)
        expectEqual(server.requests.map(\.body), Array(repeating: Data(StoreWorld.pro.utf8), count: 2))
        expectEqual(server.requests.first?.headers["content-type"], "text/csv")
    }

    @Test func `a delivery whose body can't be created isn't sent, and is tried again`() async throws {
        let server = try LoopbackServer([.accepted])
        let tries = Locked(0)
        let store = try scene.launch(delivering: server) { options in
            options.session = { _ in
                let count = tries.withLock { count in
                    count += 1
                    return count
                }
                if count == 1 { throw CocoaError(.userCancelled) }
                return HTTPDeliverySession()
            }
        }
        let updates = StreamListener(store.transactions)
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        #expect(server.requests.isEmpty)
        try await scene.passPause(of: store)
        expectEqual(try await updates.next()?.isHandledElsewhere, true)
    }

    @Test func `redirections aren't followed`() async throws {
        let other = try LoopbackServer([.accepted])
        let server = try LoopbackServer([.redirect(to: other.url.absoluteString)])
        let store = try scene.launch(delivering: server)
        expectEqual(try await scene.failure(of: store).code, .deliveryPending)
        #expect(other.requests.isEmpty)
    }

    @Test func `logs and descriptions contain no secret and no message, even if the server repeats them`() async throws
    {
        let echo = #""message":"token hunter2secret and key k-1234567 refused, Bearer hunter2secret""#
        let server = try LoopbackServer([
            .body("{\(echo)}", status: 500), .body("{\"decision\":\"rejected\",\(echo)}", status: 403),
        ])
        let secrets: @Sendable () -> [String: String] = {
            ["Authorization": "Bearer hunter2secret", "X-Key": "k-1234567"]
        }
        let url = try #require(URL(string: server.url.absoluteString + "deliver?key=k-1234567"))
        let delivery = try scene.delivery(to: url) {
            $0.session = { _ in HTTPDeliverySession(headers: secrets()) }
        }
        let store = scene.launch()
        store.setDelivery(delivery)
        let failures = StreamListener(store.purchaseFailures)
        let pending = try await scene.failure(of: store)
        try await scene.passPause(of: store)
        // The message is for the app's code.
        expectEqual(try await failures.next()?.error.code, .deliveryRejected)
        var texts = [
            "\(pending)", "\(delivery)", String(reflecting: delivery), "\(HTTPDeliverySession(headers: secrets()))",
        ]
        texts += scene.log.elements.map(\.message) + Mirror(reflecting: delivery).children.map { "\($0)" }
        var dumped = ""
        dump(delivery, to: &dumped)
        texts.append(dumped)
        let receipt = try store.receipt.data().base64EncodedString()
        for text in texts {
            #expect(!text.contains("hunter2") && !text.contains("k-1234567") && !text.contains(receipt))
        }
        #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer hunter2secret" }, "they were sent")
        expectEqual(server.requests.count, 2)
    }
}
