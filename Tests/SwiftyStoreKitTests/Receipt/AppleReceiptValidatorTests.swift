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
    private let receipt = LoopbackServer.Answer.body(#"{"status":0,"environment":"P","receipt":{"in_app":[]}}"#)
    private let sandboxReceipt = LoopbackServer.Answer.body(#"{"status":0,"environment":"S","receipt":{"in_app":[]}}"#)

    private func status(_ status: Int, _ members: String = "") -> LoopbackServer.Answer {
        .body("{\"status\":\(status)\(members)}")
    }

    private func validator(
        _ production: LoopbackServer, _ sandbox: LoopbackServer? = nil,
        service: AppleReceiptValidator.VerifyReceiptURLType = .production,
        secret: String? = nil
    ) -> AppleReceiptValidator {
        AppleReceiptValidator(
            service: service, sharedSecret: secret,
            endpoints: VerifyReceiptEndpoints(production: production.url, sandbox: (sandbox ?? production).url),
            transport: URLSessionReceiptTransport(timeout: 30), clock: pauses)
    }

    private func result(_ validator: AppleReceiptValidator) async throws -> [ReceiptCall.Completion] {
        let call = ReceiptCall()
        validator.validate(receiptData: data) { call.record($0) }
        return try await call.result()
    }

    /// Returns the result of one response of the production server.
    private func result(_ answer: LoopbackServer.Answer) async throws -> [ReceiptCall.Completion] {
        let server = try LoopbackServer([answer])
        defer { server.stop() }
        return try await result(validator(server))
    }

    @Test func `the validator asks Apple's servers, production first, by default`() {
        expectEqual(AppleReceiptValidator().service, .production)
        expectEqual(AppleReceiptValidator(service: .sandbox, sharedSecret: "s").service, .sandbox)
        typealias Kind = AppleReceiptValidator.VerifyReceiptURLType
        expectEqual(Kind.production.rawValue, VerifyReceiptEndpoints.apple.production.absoluteString)
        expectEqual(Kind.sandbox.rawValue, VerifyReceiptEndpoints.apple.sandbox.absoluteString)
    }

    @Test func `the validator sends receipt and secret, and returns the whole response`() async throws {
        let server = try LoopbackServer([receipt])
        expectEqual(try await result(validator(server, secret: "hush")), .onceElsewhere("valid P"))
        let body = try #require(server.requests.first?.body)
        let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: String])
        expectEqual(object, ["receipt-data": data.base64EncodedString(), "password": "hush"])
    }

    @Test func `A1: a sandbox receipt goes to the sandbox for its own request only`() async throws {
        let (production, sandbox) = (
            try LoopbackServer([status(21_007), receipt]), try LoopbackServer([sandboxReceipt])
        )
        let validator = validator(production, sandbox)
        expectEqual(try await result(validator), .onceElsewhere("valid S"))
        expectEqual(validator.service, .production)
        expectEqual(try await result(validator), .onceElsewhere("valid P"))
        expectEqual(production.requests.count, 2)
        expectEqual(sandbox.requests.count, 1)
    }

    @Test func `A2: a sandbox that rejects the environment ends the request`() async throws {
        let (production, sandbox) = (try LoopbackServer([status(21_007)]), try LoopbackServer([status(21_007)]))
        expectEqual(
            try await result(validator(production, sandbox)), .onceElsewhere("invalid testReceipt, 21007 status"))
        expectEqual(production.requests.count, 1)
        expectEqual(sandbox.requests.count, 1)
    }

    @Test func `a service that is set later is used, and a production receipt isn't sent back from the sandbox`()
        async throws
    {
        let (production, sandbox) = (
            try LoopbackServer([receipt]), try LoopbackServer([sandboxReceipt, status(21_008)])
        )
        let validator = validator(production, sandbox)
        validator.service = .sandbox
        expectEqual(try await result(validator), .onceElsewhere("valid S"))
        expectEqual(try await result(validator), .onceElsewhere("invalid productionEnvironment, 21008 status"))
        #expect(production.requests.isEmpty)
    }

    @Test(arguments: [(21_009, ""), (21_150, ",\"is-retryable\":true"), (21_199, ",\"is-retryable\":\"1\"")])
    func `A3: server errors are retried with growing pauses`(code: Int, members: String) async throws {
        let server = try LoopbackServer([status(code, members), status(code, members), receipt])
        expectEqual(try await result(validator(server)), .onceElsewhere("valid P"))
        expectEqual(pauses.recorded, [1, 2])
    }

    @Test func `A3: retries end, and the number of an unlisted status is in the response`() async throws {
        let server = try LoopbackServer([status(21_009)])
        expectEqual(try await result(validator(server)), .onceElsewhere("invalid unknown, 21009 status"))
        expectEqual(server.requests.count, 4)
        expectEqual(pauses.recorded, [1, 2, 4])
    }

    @Test func `an unavailable server is retried once, and its second response counts`() async throws {
        let server = try LoopbackServer([status(21_005), receipt])
        expectEqual(try await result(validator(server)), .onceElsewhere("valid P"))
        let unavailable = try LoopbackServer([status(21_005)])
        expectEqual(
            try await result(validator(unavailable)), .onceElsewhere("invalid receiptServerUnavailable, 21005 status"))
        expectEqual(unavailable.requests.count, 2)
        expectEqual(pauses.recorded, [1, 1])
    }

    @Test func `a permanent error is returned immediately`() async throws {
        expectEqual(try await result(status(21_004)), .onceElsewhere("invalid secretNotMatching, 21004 status"))
        expectEqual(pauses.recorded, [])
    }

    @Test(arguments: [400, 403, 429, 500, 503])
    func `a JSON response counts with any HTTP status`(code: Int) async throws {
        expectEqual(
            try await result(.body(#"{"status":0,"environment":"P","receipt":{}}"#, status: code)),
            .onceElsewhere("valid P"))
        expectEqual(
            try await result(.body(#"{"status":21003}"#, status: code)),
            .onceElsewhere(
                "invalid receiptCouldNotBeAuthenticated, 21003 status"))
        expectEqual(pauses.recorded, [])
    }

    @Test func `a response that isn't JSON is returned with its text, after retries of server errors`() async throws {
        expectEqual(try await result(.body("<h1>busy</h1>", status: 503)), .onceElsewhere("not JSON: <h1>busy</h1>"))
        expectEqual(pauses.recorded, [1, 2, 4])
        expectEqual(try await result(.body("", status: 403)), .onceElsewhere("no answer"))
        expectEqual(pauses.recorded, [1, 2, 4])
    }

    @Test func `a redirection on the same server is followed, with the receipt`() async throws {
        let target = try LoopbackServer([receipt], isUp: false)
        let port = target.port
        target.stop()
        let server = try LoopbackServer([.redirect(to: "http://127.0.0.1:\(port)/elsewhere"), receipt], port: port)
        expectEqual(try await result(validator(server, secret: "hush")), .onceElsewhere("valid P"))
        expectEqual(server.requests.map(\.path).last, "/elsewhere")
        expectEqual(server.requests.map(\.body).first, server.requests.map(\.body).last)
    }

    @Test(arguments: [
        (21_000, "jsonNotReadable"), (21_002, "malformedOrMissingData"), (21_003, "receiptCouldNotBeAuthenticated"),
        (21_004, "secretNotMatching"), (21_006, "subscriptionExpired"), (21_010, "unknown"), (21_100, "unknown"),
        (7, "unknown"),
    ])
    func `a rejection is returned immediately with Apple's status`(code: Int, word: String) async throws {
        expectEqual(try await result(status(code)), .onceElsewhere("invalid \(word), \(code) status"))
        expectEqual(pauses.recorded, [])
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

    @Test func `an empty response is an error`() async throws {
        expectEqual(try await result(.body("")), .onceElsewhere("no answer"))
        expectEqual(try await result(.body("<html>")), .onceElsewhere("not JSON: <html>"))
        expectEqual(try await result(.body("[]")), .onceElsewhere("not JSON: []"))
        expectEqual(try await result(.body("{}")), .onceElsewhere("invalid none, no status"))
        expectEqual(try await result(.body("busy", status: 403)), .onceElsewhere("not JSON: busy"))
        expectEqual(try await result(.redirect(to: "http://127.0.0.1:1/")), .onceElsewhere("NSURLErrorDomain -1011"))
    }

    @Test func `a valid response is returned although one of its rows can't be read`() async throws {
        let odd = #"{"status":0,"environment":"Odd","receipt":{"in_app":[{"product_id":7}]}}"#
        expectEqual(try await result(.body(odd)), .onceElsewhere("valid Odd"))
    }

    @Test func `a network failure is returned immediately with the network's error`() async throws {
        let server = try LoopbackServer([receipt], isUp: false)
        expectEqual(try await result(validator(server)), .onceElsewhere("NSURLErrorDomain -1004"))
        expectEqual(pauses.recorded, [])
    }

    @Test func `an empty receipt isn't sent`() async throws {
        let server = try LoopbackServer([receipt])
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
        let (production, sandbox) = (try LoopbackServer([status(21_007)]), try LoopbackServer([sandboxReceipt]))
        let validator = Held(validator(production, sandbox))
        try await withThrowingTaskGroup(of: [ReceiptCall.Completion].self) { group in
            for _ in 0..<8 { group.addTask { try await result(validator.value) } }
            for try await completions in group { expectEqual(completions, .onceElsewhere("valid S")) }
        }
        expectEqual(production.requests.count, 8)
        expectEqual(sandbox.requests.count, 8)
    }
}
