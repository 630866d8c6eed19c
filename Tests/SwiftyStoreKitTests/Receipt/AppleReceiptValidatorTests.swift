import AppReceipt
import AppStoreServer
import AsyncStoreKit
import Foundation
import LoopbackHTTP
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct AppleReceiptValidatorTests {
    private let call = ReceiptCall()
    private let pauses = PauseRecorder()
    private let data = Data([0x30, 0x80, 0xFF])
    private static let valid = body(#"{"status":0,"environment":"P","receipt":{"in_app":[]}}"#)
    private static let validInSandbox = body(#"{"status":0,"environment":"S","receipt":{"in_app":[]}}"#)

    private static func body(_ text: String, http status: Int = 200) -> LoopbackServer.Answer {
        .body(text, status: status)
    }

    private static func status(_ status: Int, _ members: String = "") -> LoopbackServer.Answer {
        .body("{\"status\":\(status)\(members)}")
    }

    private func validator(
        _ production: LoopbackServer, _ sandbox: LoopbackServer? = nil,
        secret: String? = nil
    ) -> AppleReceiptValidator {
        AppleReceiptValidator(
            sharedSecret: secret,
            endpoints: VerifyReceiptEndpoints(production: production.url, sandbox: (sandbox ?? production).url),
            transport: URLSessionReceiptTransport(timeout: 30), clock: pauses)
    }

    private func result(_ validator: AppleReceiptValidator) async throws -> [ReceiptCall.Completion] {
        let call = ReceiptCall()
        validator.validate(receiptData: data) { call.record($0) }
        return try await call.result()
    }

    typealias Case = TwoServerCase<LoopbackServer.Answer>

    static let environments = [
        Case(
            "A1: a sandbox receipt goes to the sandbox for its own request only", [status(21_007), valid],
            sandbox: [validInSandbox], "valid S", "valid P", requests: [2, 1]),
        Case(
            "A2: a sandbox that rejects the environment ends the request", [status(21_007)], sandbox: [status(21_007)],
            "invalid testReceipt, 21007 status", requests: [1, 1]),
        Case(
            "a production receipt isn't sent back from the sandbox", startsInSandbox: true, [valid],
            sandbox: [validInSandbox, status(21_008)], "valid S", "invalid productionEnvironment, 21008 status",
            requests: [0, 2]),
    ]

    static let retries = [
        Case("A3: 21009", [status(21_009), status(21_009), valid], "valid P", requests: [3, 0], delays: [1, 2]),
        Case(
            "A3: 21150 if the response allows a retry",
            [status(21_150, ",\"is-retryable\":true"), status(21_150, ",\"is-retryable\":true"), valid], "valid P",
            requests: [3, 0], delays: [1, 2]),
        Case(
            "A3: 21199 if the response allows a retry",
            [status(21_199, ",\"is-retryable\":\"1\""), status(21_199, ",\"is-retryable\":\"1\""), valid], "valid P",
            requests: [3, 0], delays: [1, 2]),
        Case(
            "A3: retries end, and the number of an unlisted status is in the response", [status(21_009)],
            "invalid unknown, 21009 status", requests: [4, 0], delays: [1, 2, 4]),
        Case(
            "an unavailable server is retried once", [status(21_005), valid], "valid P", requests: [2, 0], delays: [1]),
        Case(
            "the second response of an unavailable server is used", [status(21_005)],
            "invalid receiptServerUnavailable, 21005 status", requests: [2, 0], delays: [1]),
        Case(
            "a server error without JSON is retried, and its text is returned", [body("<h1>busy</h1>", http: 503)],
            "not JSON: <h1>busy</h1>", requests: [4, 0], delays: [1, 2, 4]),
    ]

    static let responses =
        [400, 403, 429, 500, 503].flatMap { code in
            [
                Case(
                    "a receipt is used with HTTP status \(code)",
                    [body(#"{"status":0,"environment":"P","receipt":{}}"#, http: code)], "valid P"),
                Case(
                    "a rejection is used with HTTP status \(code)", [body(#"{"status":21003}"#, http: code)],
                    "invalid receiptCouldNotBeAuthenticated, 21003 status"),
            ]
        } + [
            Case("21000", [status(21_000)], "invalid jsonNotReadable, 21000 status"),
            Case("21002", [status(21_002)], "invalid malformedOrMissingData, 21002 status"),
            Case("21003", [status(21_003)], "invalid receiptCouldNotBeAuthenticated, 21003 status"),
            Case("21004", [status(21_004)], "invalid secretNotMatching, 21004 status"),
            Case("21006 without a receipt", [status(21_006)], "invalid subscriptionExpired, 21006 status"),
            Case("21010", [status(21_010)], "invalid unknown, 21010 status"),
            Case("21100", [status(21_100)], "invalid unknown, 21100 status"),
            Case("an unlisted status", [status(7)], "invalid unknown, 7 status"),
            Case("no status", [body("{}")], "invalid none, no status"),
            Case("an empty body", [body("")], "no answer"),
            Case("an empty body with HTTP status 403", [body("", http: 403)], "no answer"),
            Case("a page", [body("<html>")], "not JSON: <html>"),
            Case("a text with HTTP status 403", [body("busy", http: 403)], "not JSON: busy"),
            Case("a list", [body("[]")], "not JSON: []"),
            Case("a redirection to another host", [.redirect(to: "http://127.0.0.1:1/")], "NSURLErrorDomain -1011"),
            Case(
                "a row that can't be read",
                [body(#"{"status":0,"environment":"Odd","receipt":{"in_app":[{"product_id":7}]}}"#)], "valid Odd"),
        ]

    @Test(arguments: environments) func `a receipt is validated in its environment`(test: Case) async throws {
        try await validate(test)
    }

    @Test(arguments: retries) func `temporary errors are retried with growing pauses`(test: Case) async throws {
        try await validate(test)
    }

    @Test(arguments: responses) func `other responses are returned immediately`(test: Case) async throws {
        try await validate(test)
    }

    private func validate(_ test: Case) async throws {
        let production = try LoopbackServer(test.production)
        let sandbox = try LoopbackServer(test.sandbox.isEmpty ? [.body("")] : test.sandbox)
        defer {
            production.stop()
            sandbox.stop()
        }
        let validator = validator(production, sandbox)
        if test.startsInSandbox { validator.service = .sandbox }
        for expected in test.results { expectEqual(try await result(validator), .onceElsewhere(expected)) }
        expectEqual(validator.service == .sandbox, test.startsInSandbox, "a receipt never changes the service")
        expectEqual([production.requests.count, sandbox.requests.count], test.requests)
        expectEqual(pauses.recorded, test.delays)
    }

    @Test func `the validator asks Apple's servers, production first, by default`() {
        expectEqual(AppleReceiptValidator().service, .production)
        expectEqual(AppleReceiptValidator(service: .sandbox, sharedSecret: "s").service, .sandbox)
        typealias Kind = AppleReceiptValidator.VerifyReceiptURLType
        expectEqual(Kind.production.rawValue, VerifyReceiptEndpoints.apple.production.absoluteString)
        expectEqual(Kind.sandbox.rawValue, VerifyReceiptEndpoints.apple.sandbox.absoluteString)
    }

    @Test func `the validator sends receipt and secret, and returns the whole response`() async throws {
        let server = try LoopbackServer([Self.valid])
        expectEqual(try await result(validator(server, secret: "hush")), .onceElsewhere("valid P"))
        let body = try #require(server.requests.first?.body)
        let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: String])
        expectEqual(object, ["receipt-data": data.base64EncodedString(), "password": "hush"])
    }

    @Test func `a redirection on the same server is followed, with the receipt`() async throws {
        let target = try LoopbackServer([Self.valid], isUp: false)
        let port = target.port
        target.stop()
        let server = try LoopbackServer([.redirect(to: "http://127.0.0.1:\(port)/elsewhere"), Self.valid], port: port)
        expectEqual(try await result(validator(server, secret: "hush")), .onceElsewhere("valid P"))
        expectEqual(server.requests.map(\.path).last, "/elsewhere")
        expectEqual(server.requests.map(\.body).first, server.requests.map(\.body).last)
    }

    @Test func `A5: 21006 with a receipt is a valid receipt with an expired subscription`() async throws {
        let row = ReceiptExamples.row("weekly", "1", ["expires_date": ReceiptExamples.milliseconds(30)])
        let answer = ReceiptExamples.info(["status": 21_006, "receipt": row, "latest_expired_receipt_info": row])
        let server = try LoopbackServer([.body(try ReceiptExamples.json(answer))])
        let ends = Recorder<Date?>()
        validator(server).validate(receiptData: data) { result in
            guard case .success(let receipt) = result else { return ends.record(nil) }
            ends.record(ReceiptQueries.subscription(["weekly"], receipt, until: 31).expiredAt)
        }
        expectEqual(try await ends.first(1), [ReceiptExamples.day(30)])
    }

    @Test func `a network failure is returned immediately with the network's error`() async throws {
        let server = try LoopbackServer([Self.valid], isUp: false)
        expectEqual(try await result(validator(server)), .onceElsewhere("NSURLErrorDomain -1004"))
        expectEqual(pauses.recorded, [])
    }

    @Test func `an empty receipt isn't sent`() async throws {
        let server = try LoopbackServer([Self.valid])
        validator(server).validate(receiptData: Data()) { call.record($0) }
        expectEqual(try await call.result(), .onceElsewhere("no receipt"))
        #expect(server.requests.isEmpty)
    }

    @Test
    func `V2: canceling a verification ends the request to Apple`() async throws {
        let transport = HangingTransport()
        let validator = AppleReceiptValidator(endpoints: .apple, transport: transport)
        let receipts = LegacyReceipts(store: PurchaseStore(over: ReceiptBackend(receipt: data)))
        let request = receipts.verifyReceipt(using: validator, forceRefresh: false) { call.record($0) }
        expectEqual(try await transport.posts.first(1), [.begun])
        request.cancel()
        expectEqual(try await call.result(), .cancelledOnce)
        expectEqual(try await transport.posts.first(2), [.begun, .cancelled])
    }

    @Test func `concurrent validations don't affect each other`() async throws {
        let (production, sandbox) = (
            try LoopbackServer([Self.status(21_007)]), try LoopbackServer([Self.validInSandbox])
        )
        let validator = Held(validator(production, sandbox))
        try await withThrowingTaskGroup(of: [ReceiptCall.Completion].self) { group in
            for _ in 0..<8 { group.addTask { try await result(validator.value) } }
            for try await completions in group { expectEqual(completions, .onceElsewhere("valid S")) }
        }
        expectEqual(production.requests.count, 8)
        expectEqual(sandbox.requests.count, 8)
    }
}
