import AppReceipt
import AppStoreServer
import Foundation
import LoopbackHTTP
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct AppleServerReceiptVerifierTests {
    private typealias F = ReceiptFixtures

    private let data = Data([0x30, 0x80, 0xFF, 0xFB])
    private let clock = RecordingRetryClock()
    private let receipt = Self.receipt
    private static let receipt = String(decoding: F.answer(inApp: F.row("pro")), as: UTF8.self)

    private static func status(_ status: Int, _ members: String = "") -> LoopbackServer.Answer {
        .body("{\"status\":\(status)\(members)}")
    }

    private func service(
        _ production: LoopbackServer, _ sandbox: LoopbackServer? = nil, limit: Int = 1 << 20, secret: String? = nil,
        bundleID: ExpectedBundleID = .any, environment: ReceiptEnvironment? = nil,
        policy: VerifyReceiptRetryPolicy = VerifyReceiptRetryPolicy(), clock: (any RetryClock)? = nil
    ) -> AppleServerReceiptVerifier {
        AppleServerReceiptVerifier(
            bundleID: bundleID, environment: environment, sharedSecret: secret, maximumResponseSize: limit,
            retryPolicy: policy,
            endpoints: VerifyReceiptEndpoints(production: production.url, sandbox: (sandbox ?? production).url),
            transport: URLSessionReceiptTransport(), clock: clock ?? self.clock)
    }

    private func failure(_ service: AppleServerReceiptVerifier) async -> VerifyReceiptError? {
        await #expect(throws: VerifyReceiptError.self) { try await service.verify(data) }
    }

    /// A result is the product of the receipt, or the code and the statuses of an error.
    typealias Case = TwoServerCase<LoopbackServer.Answer>

    private static let valid = LoopbackServer.Answer.body(receipt)
    private static let retryable = status(21_100, ",\"is-retryable\":true")
    private static let retryableByOtherName = status(21_101, ",\"is_retryable\":true")
    private static let retryableAsText = status(21_199, ",\"is-retryable\":\"1\"")

    /// Returns a response with a receipt and another status than 0.
    private static func refused(_ status: Any) -> LoopbackServer.Answer {
        .body(receipt.replacing("\"status\":0", with: "\"status\":\(status)"))
    }

    static let environments = [
        Case(
            "A1: a sandbox receipt changes its own request to the sandbox, and the next request starts in production",
            [status(21_007), valid], sandbox: [valid], "pro", "pro", requests: [2, 1]),
        Case(
            "A2: a sandbox that answers 21007 too ends the request", [status(21_007)], sandbox: [status(21_007)],
            "wrongEnvironment 21007", requests: [1, 1]),
        Case(
            "a verifier of the sandbox doesn't send production receipts to production", startsInSandbox: true, [valid],
            sandbox: [status(21_008)], "wrongEnvironment 21008", requests: [0, 1]),
    ]

    static let retries = [
        Case("A3: 21005", [status(21_005), status(21_005), valid], "pro", requests: [3, 0], delays: [1, 2]),
        Case("A3: 21009", [status(21_009), status(21_009), valid], "pro", requests: [3, 0], delays: [1, 2]),
        Case(
            "A3: 21100 if the response allows a retry", [retryable, retryable, valid], "pro", requests: [3, 0],
            delays: [1, 2]),
        Case(
            "A3: 21101 if the response allows a retry with an underscore", [retryableByOtherName, valid], "pro",
            requests: [2, 0], delays: [1]),
        Case(
            "21002 once, because the problem may be temporary", [status(21_002), valid], "pro", requests: [2, 0],
            delays: [1]),
        Case(
            "21002 again after another failure", [status(21_002), status(21_005), status(21_002), valid],
            "malformedReceipt 21002", requests: [3, 0], delays: [1, 2]),
        Case(
            "A3: 21199 if the response allows a retry", [retryableAsText, retryableAsText, valid], "pro",
            requests: [3, 0], delays: [1, 2]),
        Case(
            "three retries at most", [status(21_005)], "serverUnavailable 21005", requests: [4, 0], delays: [1, 2, 4]),
        Case(
            "HTTP 503, 500 and 429, even with a receipt",
            [.body("<html>", status: 503), .body(receipt, status: 500), .body("", status: 429), valid], "pro",
            requests: [4, 0], delays: [1, 2, 4]),
        Case("a truncated response", [.cutOff("{\"status\":0,"), valid], "pro", requests: [2, 0], delays: [1]),
    ]

    static let rejections = [
        Case("21003 with a receipt", [refused(21_003)], "notAuthentic 21003"),
        Case("21010 with a receipt", [refused(21_010)], "accountNotFound 21010"),
        Case(
            "a receipt without a status", [.body(receipt.replacing("\"status\":0,", with: ""))], "malformedResponse"),
        Case("a receipt with the status null", [refused("null")], "malformedResponse"),
        Case("21100", [status(21_100)], "internalError 21100"),
        Case(
            "21150 if the response allows no retry", [status(21_150, ",\"is-retryable\":false")], "internalError 21150"),
        Case("HTTP 403, even with a receipt", [.body(receipt, status: 403)], "httpStatus 403"),
    ]

    @Test(arguments: environments) func `a receipt is verified in its environment`(test: Case) async throws {
        try await verify(test)
    }

    @Test(arguments: retries) func `temporary errors are retried with growing delays`(test: Case) async throws {
        try await verify(test)
    }

    @Test(arguments: rejections) func `a rejection has Apple's status`(test: Case) async throws {
        try await verify(test)
    }

    private func verify(_ test: Case) async throws {
        let production = try LoopbackServer(test.production)
        let sandbox = try LoopbackServer(test.sandbox.isEmpty ? [.body("")] : test.sandbox)
        let service = service(production, sandbox, environment: test.startsInSandbox ? .sandbox : nil)
        for expected in test.results {
            do {
                #expect(try await service.verify(data).owns(expected, at: .now), "\(expected)")
            } catch let error as VerifyReceiptError {
                let statuses = [error.status, error.httpStatus].compactMap { $0.map { "\($0)" } }
                expectEqual(([error.code.rawValue] + statuses).joined(separator: " "), expected)
            }
        }
        expectEqual([production.requests.count, sandbox.requests.count], test.requests)
        expectEqual(await clock.delays, test.delays)
    }

    @Test func `verify returns the receipt, and the request contains receipt and secret`() async throws {
        let server = try LoopbackServer([.body(receipt)])
        let answer = try await service(server, secret: "s\"3\\cret", bundleID: "com.example.app").verify(data)
        #expect(answer.owns("pro", at: .now))
        let body = try #require(server.requests.first?.body)
        let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: String])
        expectEqual(object, ["receipt-data": data.base64EncodedString(), "password": "s\"3\\cret"])
    }

    @Test func `delays have a maximum, and retries can be turned off`() async throws {
        let server = try LoopbackServer([Self.status(21_009)])
        expectEqual(await failure(service(server, policy: .never))?.code, .internalError)
        expectEqual(server.requests.count, 1)
        #expect(await clock.delays.isEmpty)
        let policy = VerifyReceiptRetryPolicy(maximumRetries: 5, firstDelay: 3, longestDelay: 10)
        _ = await failure(service(server, policy: policy))
        expectEqual(server.requests.count, 7)
        expectEqual(await clock.delays, [3, 6, 10, 10, 10])
    }

    @Test func `A5: an expired subscription's receipt is a receipt`() async throws {
        let server = try LoopbackServer([.body(receipt.replacing("\"status\":0", with: "\"status\":21006"))])
        let response = try await service(server).response(for: data)
        expectEqual(response.status, 21_006)
        expectEqual(response.receipt?.owns("pro", at: .now), true)
    }

    @Test func `a redirection is not followed`() async throws {
        let other = try LoopbackServer([.body(receipt)])
        let server = try LoopbackServer([.redirect(to: other.url.absoluteString)])
        let error = await failure(service(server, secret: "hidden"))
        expectEqual(error?.code, .httpStatus)
        expectEqual(error?.httpStatus, 307)
        #expect(other.requests.isEmpty)
    }

    @Test func `an unreachable server is retried, then reported as a network error`() async throws {
        let server = try LoopbackServer([.body(receipt)])
        server.stop()
        let error = await failure(service(server))
        #expect(error?.code == .network && error?.underlying is URLError)
        expectEqual(await clock.delays, [1, 2, 4])
    }

    @Test func `a response beyond the limit fails, with and without a content length`() async throws {
        for answer in [LoopbackServer.Answer.promise(length: 1_000_001), .endless(bytes: 1_500_000)] {
            let server = try LoopbackServer([answer])
            expectEqual(await failure(service(server, limit: 1_000_000))?.code, .responseTooLarge)
            expectEqual(server.requests.count, 1)
        }
        let exact = try LoopbackServer([.body(receipt)])
        _ = try await service(exact, limit: receipt.utf8.count).verify(data)
        expectEqual(await failure(service(exact, limit: receipt.utf8.count - 1))?.code, .responseTooLarge)
    }

    @Test func `an invalid body fails with the offset`() async throws {
        let server = try LoopbackServer([.body("{\"status\":0,}")])
        let error = await failure(service(server))
        expectEqual(error?.code, .malformedResponse)
        let malformed = error?.underlying as? MalformedReceiptError
        expectEqual(malformed?.offset, 12)
    }

    @Test func `a receipt for another app is rejected if a bundle identifier is required`() async throws {
        let server = try LoopbackServer([.body(receipt)])
        expectEqual(await failure(service(server, bundleID: "com.example.other"))?.code, .bundleIDMismatch)
    }

    @Test(
        arguments: [
            (ReceiptEnvironment.production, "Sandbox", "wrongEnvironment"), (.production, "Production", nil),
            (.production, nil, nil), (.sandbox, "Sandbox", nil), (.sandbox, "Production", "wrongEnvironment"),
            (.sandbox, nil, nil), (.xcode, "Sandbox", "wrongEnvironment"), (nil, "Sandbox", nil),
            (nil, "Production", nil),
        ] as [(ReceiptEnvironment?, String?, String?)])
    func `a receipt of another environment is rejected if an environment is required`(
        environment: ReceiptEnvironment?, named: String?, code: String?
    ) async throws {
        let member = named.map { "\"environment\":\"\($0)\"," } ?? ""
        let server = try LoopbackServer([.body(receipt.replacing("\"environment\":\"Sandbox\",", with: member))])
        let verifier = service(server, environment: environment)
        if let code {
            expectEqual(await failure(verifier)?.code.rawValue, code)
        } else {
            #expect(try await verifier.verify(data).owns("pro", at: .now))
        }
    }

    @Test func `a verifier of production doesn't send sandbox receipts to the sandbox`() async throws {
        let (production, sandbox) = (try LoopbackServer([Self.status(21_007)]), try LoopbackServer([Self.valid]))
        expectEqual(await failure(service(production, sandbox, environment: .production))?.code, .wrongEnvironment)
        expectEqual(sandbox.requests.count, 0)
    }

    @Test func `an empty receipt isn't sent`() async throws {
        let server = try LoopbackServer([.body(receipt)])
        await expectError(\VerifyReceiptError.code, .emptyReceipt) { try await service(server).verify(Data()) }
        #expect(server.requests.isEmpty)
    }

    @Test func `descriptions, dumps and errors don't contain the secret`() async throws {
        let server = try LoopbackServer([.body("password=hunter2", status: 400)])
        let service = service(server, secret: "hunter2")
        var dumped = ""
        dump(service, to: &dumped)
        let error = try #require(await failure(service))
        var dumpedError = ""
        dump(error, to: &dumpedError)
        let mirrored = Mirror(reflecting: service).children.map { "\($0)" }.joined()
        for text in [
            "\(service)", String(reflecting: service), dumped, mirrored, "\(error)", String(reflecting: error),
            dumpedError,
        ] {
            #expect(!text.contains("hunter2"))
        }
        let sent = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
        #expect(sent.contains("hunter2"))
    }

    @Test func `a request that is cancelled before it starts sends nothing`() async throws {
        let server = try LoopbackServer([.body(receipt)])
        let service = service(server)
        let gate = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in gate.stream {}
            return try await service.verify(data)
        }
        task.cancel()
        gate.continuation.finish()
        await expectError(\VerifyReceiptError.code, .cancelled) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test func `cancelling a request without a response ends it`() async throws {
        let server = try LoopbackServer([.hang])
        let service = service(server)
        let task = Task { try await service.verify(data) }
        for await _ in server.arrivals { break }
        task.cancel()
        await expectError(\VerifyReceiptError.code, .cancelled) { try await task.value }
        expectEqual(server.requests.count, 1)
    }

    @Test func `cancelling a request during a delay ends it`() async throws {
        let server = try LoopbackServer([Self.status(21_005)])
        let hanging = HangingRetryClock()
        let service = service(server, clock: hanging)
        let task = Task { try await service.verify(data) }
        for await _ in hanging.began { break }
        task.cancel()
        await expectError(\VerifyReceiptError.code, .cancelled) { try await task.value }
        expectEqual(server.requests.count, 1)
    }

    @Test func `simultaneous requests are independent`() async throws {
        let production = try LoopbackServer([Self.status(21_007)])
        let sandbox = try LoopbackServer([.body(receipt)])
        let service = service(production, sandbox)
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { try await service.verify(data).owns("pro", at: .now) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        expectEqual(count, 20)
        expectEqual(production.requests.count, 20)
        expectEqual(sandbox.requests.count, 20)
    }
}
