import AppReceipt
import AppStoreServer
import Foundation
import LoopbackHTTP
import TestHarness
import Testing

@testable import AppReceiptTests

@Suite(.bounded) struct AppleServerReceiptVerifierTests {
    private typealias F = ReceiptFixtures

    private let data = Data([0x30, 0x80, 0xFF, 0xFB])
    private let clock = RecordingRetryClock()
    private let receipt = String(decoding: F.answer(inApp: F.row("pro")), as: UTF8.self)

    private func status(_ status: Int, _ members: String = "") -> LoopbackServer.Answer {
        .body("{\"status\":\(status)\(members)}")
    }

    private func service(
        _ production: LoopbackServer, _ sandbox: LoopbackServer? = nil, limit: Int = 1 << 20, secret: String? = nil,
        bundleID: ExpectedBundleID = .any, clock: (any RetryClock)? = nil, startsInSandbox: Bool = false
    ) -> AppleServerReceiptVerifier {
        AppleServerReceiptVerifier(
            bundleID: bundleID, sharedSecret: secret, startsInSandbox: startsInSandbox, maximumResponseSize: limit,
            endpoints: VerifyReceiptEndpoints(production: production.url, sandbox: (sandbox ?? production).url),
            transport: URLSessionReceiptTransport(), clock: clock ?? self.clock)
    }

    private func failure(_ service: AppleServerReceiptVerifier) async -> VerifyReceiptError? {
        await #expect(throws: VerifyReceiptError.self) { try await service.verify(data) }
    }

    @Test func `verify returns the receipt, and the request contains receipt and secret`() async throws {
        let server = try LoopbackServer([.body(receipt)])
        let answer = try await service(server, secret: "s\"3\\cret", bundleID: "com.example.app").verify(data)
        #expect(answer.owns("pro", at: .now))
        let body = try #require(server.requests.first?.body)
        let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: String])
        expectEqual(object, ["receipt-data": data.base64EncodedString(), "password": "s\"3\\cret"])
    }

    @Test
    func `A1: a sandbox receipt changes its own request to the sandbox, and the next request starts in production`()
        async throws
    {
        let production = try LoopbackServer([status(21_007), .body(receipt)])
        let sandbox = try LoopbackServer([.body(receipt)])
        let service = service(production, sandbox)
        _ = try await service.verify(data)
        expectEqual(production.requests.count, 1)
        expectEqual(sandbox.requests.count, 1)
        _ = try await service.verify(data)
        expectEqual(production.requests.count, 2)
        expectEqual(sandbox.requests.count, 1)
    }

    @Test func `A2: a sandbox that answers 21007 too ends the request`() async throws {
        let (production, sandbox) = (try LoopbackServer([status(21_007)]), try LoopbackServer([status(21_007)]))
        let error = await failure(service(production, sandbox))
        expectEqual(error?.code, .wrongEnvironment)
        expectEqual(error?.status, 21_007)
        expectEqual(production.requests.count, 1)
        expectEqual(sandbox.requests.count, 1)
    }

    @Test func `a request that starts in the sandbox changes to production once`() async throws {
        let (production, sandbox) = (try LoopbackServer([.body(receipt)]), try LoopbackServer([status(21_008)]))
        _ = try await service(production, sandbox, startsInSandbox: true).verify(data)
        expectEqual(production.requests.count, 1)
        expectEqual(sandbox.requests.count, 1)
    }

    @Test(arguments: [
        (21_005, ""), (21_009, ""), (21_100, ",\"is-retryable\":true"), (21_199, ",\"is-retryable\":\"1\""),
    ])
    func `A3: temporary errors from Apple's server are retried with growing delays`(code: Int, members: String)
        async throws
    {
        let server = try LoopbackServer([status(code, members), status(code, members), .body(receipt)])
        _ = try await service(server).verify(data)
        expectEqual(server.requests.count, 3)
        expectEqual(await clock.delays, [1, 2])
    }

    @Test(arguments: [
        (21_000, "", VerifyReceiptError.Code.malformedRequest), (21_002, "", .malformedReceipt),
        (21_003, "", .notAuthentic),
        (21_004, "", .wrongSharedSecret), (21_010, "", .accountNotFound), (21_100, "", .internalError),
        (21_150, ",\"is-retryable\":false", .internalError), (29_999, "", .unknownStatus), (0, "", .malformedResponse),
    ])
    func `A3: a rejection has Apple's status and isn't retried`(
        code: Int, members: String, expected: VerifyReceiptError.Code
    )
        async throws
    {
        let server = try LoopbackServer([status(code, members)])
        let error = await failure(service(server))
        expectEqual(error?.code, expected)
        expectEqual(error?.status, code)
        expectEqual(server.requests.count, 1)
    }

    @Test func `the number of retries is limited`() async throws {
        let server = try LoopbackServer([status(21_005)])
        let error = await failure(service(server))
        expectEqual(error?.code, .serverUnavailable)
        expectEqual(server.requests.count, 4)
        expectEqual(await clock.delays, [1, 2, 4])
    }

    @Test func `delays have a maximum, and retries can be turned off`() async throws {
        let server = try LoopbackServer([status(21_009)])
        func service(_ policy: VerifyReceiptRetryPolicy) -> AppleServerReceiptVerifier {
            AppleServerReceiptVerifier(
                bundleID: .any, retryPolicy: policy,
                endpoints: VerifyReceiptEndpoints(production: server.url, sandbox: server.url),
                transport: URLSessionReceiptTransport(), clock: clock)
        }
        expectEqual(await failure(service(.never))?.code, .internalError)
        expectEqual(server.requests.count, 1)
        #expect(await clock.delays.isEmpty)
        _ = await failure(service(VerifyReceiptRetryPolicy(maximumRetries: 5, firstDelay: 3, longestDelay: 10)))
        expectEqual(server.requests.count, 7)
        expectEqual(await clock.delays, [3, 6, 10, 10, 10])
    }

    @Test func `A5: an expired subscription's receipt is a receipt`() async throws {
        let server = try LoopbackServer([.body(receipt.replacing("\"status\":0", with: "\"status\":21006"))])
        let response = try await service(server).response(for: data)
        expectEqual(response.status, 21_006)
        expectEqual(response.receipt?.owns("pro", at: .now), true)
    }

    @Test func `the HTTP status is checked before the body`() async throws {
        let refusing = try LoopbackServer([.body(receipt, status: 403)])
        let error = await failure(service(refusing))
        expectEqual(error?.code, .httpStatus)
        expectEqual(error?.httpStatus, 403)
        expectEqual(refusing.requests.count, 1)
        let ailing = try LoopbackServer([
            .body("<html>", status: 503), .body(receipt, status: 500), .body("", status: 429), .body(receipt),
        ])
        _ = try await service(ailing).verify(data)
        expectEqual(ailing.requests.count, 4)
    }

    @Test func `a redirection is not followed`() async throws {
        let other = try LoopbackServer([.body(receipt)])
        let server = try LoopbackServer([.redirect(to: other.url.absoluteString)])
        let error = await failure(service(server, secret: "hidden"))
        expectEqual(error?.code, .httpStatus)
        expectEqual(error?.httpStatus, 307)
        #expect(other.requests.isEmpty)
    }

    @Test func `a truncated response is retried`() async throws {
        let server = try LoopbackServer([.cutOff("{\"status\":0,"), .body(receipt)])
        #expect(try await service(server).verify(data).owns("pro", at: .now))
        expectEqual(server.requests.count, 2)
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

    @Test func `an empty receipt isn't sent`() async throws {
        let server = try LoopbackServer([.body(receipt)])
        let error = await #expect(throws: VerifyReceiptError.self) { try await service(server).verify(Data()) }
        expectEqual(error?.code, .emptyReceipt)
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
        let error = await #expect(throws: VerifyReceiptError.self) { try await task.value }
        expectEqual(error?.code, .cancelled)
        #expect(server.requests.isEmpty)
    }

    @Test func `cancelling a request without a response ends it`() async throws {
        let server = try LoopbackServer([.hang])
        let service = service(server)
        let task = Task { try await service.verify(data) }
        for await _ in server.arrivals { break }
        task.cancel()
        let error = await #expect(throws: VerifyReceiptError.self) { try await task.value }
        expectEqual(error?.code, .cancelled)
        expectEqual(server.requests.count, 1)
    }

    @Test func `cancelling a request during a delay ends it`() async throws {
        let server = try LoopbackServer([status(21_005)])
        let hanging = HangingRetryClock()
        let service = service(server, clock: hanging)
        let task = Task { try await service.verify(data) }
        for await _ in hanging.began { break }
        task.cancel()
        let error = await #expect(throws: VerifyReceiptError.self) { try await task.value }
        expectEqual(error?.code, .cancelled)
        expectEqual(server.requests.count, 1)
    }

    @Test func `simultaneous requests are independent`() async throws {
        let production = try LoopbackServer([status(21_007)])
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

    @Test func `the default endpoints are Apple's servers`() {
        expectEqual(
            VerifyReceiptEndpoints.apple.production.absoluteString, "https://buy.itunes.apple.com/verifyReceipt")
        expectEqual(
            VerifyReceiptEndpoints.apple.sandbox.absoluteString, "https://sandbox.itunes.apple.com/verifyReceipt")
    }
}
