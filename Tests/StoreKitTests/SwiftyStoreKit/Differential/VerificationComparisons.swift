import AppReceipt
import AppStoreServer
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import LoopbackHTTP
import StoreKit
import Support
import SwiftyStoreKit

/// Verification of a receipt.
enum VerificationComparisons {
    typealias Row = Comparison

    private static func verified(
        _ answers: [LoopbackServer.Answer], sandbox: [LoopbackServer.Answer] = [.body(#"{"status":21007}"#)],
        calls: Int = 1
    ) async throws -> (words: [String], production: LoopbackServer) {
        let (production, sandbox) = (try LoopbackServer(answers), try LoopbackServer(sandbox))
        let validator = AppleReceiptValidator(
            sharedSecret: "hush", endpoints: VerifyReceiptEndpoints(production: production.url, sandbox: sandbox.url),
            transport: URLSessionReceiptTransport(timeout: 30), clock: NoPauses())
        var words: [String] = []
        for _ in 0..<calls {
            let call = ReceiptCall()
            validator.validate(receiptData: Data([1])) { call.record($0) }
            words.append(try await call.result().map(\.word).joined(separator: "; "))
        }
        return (words, production)
    }

    private static func verifying(
        _ scenario: String, _ answers: LoopbackServer.Answer..., gives outcome: String, was original: String,
        _ why: Difference
    ) -> Row {
        .differs(scenario, was: original, is: outcome, why) {
            try await verified(answers).words.joined(separator: ", ")
        }
    }

    private static func status(_ status: Int) -> LoopbackServer.Answer { .body("{\"status\":\(status)}") }

    private static let valid = LoopbackServer.Answer.body(#"{"status":0,"environment":"P","receipt":{}}"#)

    static let all: [Row] =
        [
            verifying("an empty answer", .body(""), gives: "no answer", was: "not JSON: ", .emptyAnswer),
            verifying(
                "an answer that is a list", .body("[]"), gives: "not JSON: []", was: "invalid none, no status",
                .oddAnswer),
            verifying(
                "an expired subscription with its receipt", .body(#"{"status":21006,"environment":"P","receipt":{}}"#),
                gives: "valid P",
                was: "invalid subscriptionExpired, 21006 status", .expiredReceipt),
            verifying(
                "a server that is unavailable once", status(21_005), valid, gives: "valid P",
                was: "invalid receiptServerUnavailable, 21005 status", .retries),
            verifying(
                "a server that fails twice", status(21_009), status(21_009), valid, gives: "valid P",
                was: "invalid unknown, 21009 status", .retries),
            verifying(
                "HTTP 503 once", .body("busy", status: 503), valid, gives: "valid P", was: "not JSON: busy", .retries),
            verifying(
                "a sandbox that sends the receipt back", status(21_007), gives: "invalid testReceipt, 21007 status",
                was: "…",
                .endlessSandbox),
            .differs(
                "two receipts, the first of the sandbox", was: "production is asked once",
                is: "production is asked twice", .stickySandbox
            ) {
                let production = try await verified([status(21_007), valid], sandbox: [valid], calls: 2).production
                return "production is asked \(production.requests.count == 2 ? "twice" : "once")"
            },
            .differs(
                "the content type of the request", was: "application/x-www-form-urlencoded", is: "application/json",
                .contentType
            ) { try await verified([valid]).production.requests.first?.headers["content-type"] ?? "none" },
            .differs("a redirection to another host", was: "followed", is: "NSURLErrorDomain -1011", .foreignRedirect) {
                let other = try LoopbackServer([valid])
                let words = try await verified([.redirect(to: "http://localhost:\(other.port)/")]).words
                return other.requests.isEmpty ? words.joined() : "followed"
            },
            .same("the thread of a validation that is asked for directly", "not main") {
                let server = try LoopbackServer([valid])
                let validator = AppleReceiptValidator(
                    endpoints: VerifyReceiptEndpoints(production: server.url, sandbox: server.url))
                let call = ReceiptCall()
                validator.validate(receiptData: Data([1])) { call.record($0) }
                return try await call.result().allSatisfy { !$0.isOnMainQueue } ? "not main" : "main"
            },
        ]
}

/// A clock that doesn't wait.
private struct NoPauses: RetryClock {
    func sleep(for seconds: TimeInterval) async throws {}
}
