import AsyncStoreKit
import AsyncStoreKitHTTP
import Foundation
import TestHarness
import Testing

/// Responses that a delivery gets from the app's server and from everything between the server and the app.
@Suite(.bounded) struct HTTPDeliveryAnswersTests {
    /// What a response does with a purchase.
    enum Verdict: Sendable {
        case accepted, rejected, retried
    }

    struct Answer: CustomTestStringConvertible, Sendable {
        let sender: String
        let status: Int
        let contentType: String?
        let body: String
        let verdict: Verdict

        init(_ sender: String, _ status: Int, _ contentType: String?, _ body: String, _ verdict: Verdict) {
            self.sender = sender
            self.status = status
            self.contentType = contentType
            self.body = body
            self.verdict = verdict
        }

        var decided: Verdict {
            let response = HTTPDeliveryResponse(
                statusCode: status, headers: contentType.map { ["Content-Type": $0] } ?? [:], body: Data(body.utf8))
            return switch response.decision() {
            case .accepted: .accepted
            case .rejected: .rejected
            case .retryLater, .each: .retried
            }
        }

        var testDescription: String { "\(sender): \(status) \(contentType ?? "-") \(body.prefix(60))" }
    }

    private static let json = "application/json"
    private static let problem = "application/problem+json"
    private static let html = "text/html; charset=utf-8"
    private static let page = "<!doctype html><html><head><title>Welcome</title></head><body>It works!</body></html>"

    private static let server = [
        Answer("the server", 200, json, #"{"decision":"accepted"}"#, .accepted),
        Answer("the server", 201, json, #"{"decision":"accepted","coins":100}"#, .accepted),
        Answer("a server without a content type", 200, nil, #"{"decision":"accepted"}"#, .accepted),
        Answer(
            "a server with a charset", 200, "application/json; charset=utf-8", #"{"decision":"accepted"}"#, .accepted),
        Answer(
            "a server with its own type", 200, "application/vnd.example+json", #"{"decision":"accepted"}"#, .accepted),
        Answer("a server with a queue", 202, json, #"{"decision":"accepted"}"#, .accepted),
        Answer("the server", 200, json, #"{"decision":"rejected","message":"Another account."}"#, .rejected),
        Answer("the server", 409, json, #"{"decision":"rejected"}"#, .rejected),
        Answer("the server", 422, problem, #"{"decision":"rejected","detail":"No."}"#, .rejected),
        Answer("the server", 200, json, #"{"decision":"retryLater"}"#, .retried),
        Answer("the server", 503, json, #"{"decision":"retryLater","retryAfter":60}"#, .retried),
        Answer("a server that fails while it accepts", 500, json, #"{"decision":"accepted"}"#, .retried),
        Answer("a server that fails while it rejects", 500, json, #"{"decision":"rejected"}"#, .retried),
        Answer("a server with two decisions", 200, json, #"{"decision":"accepted","decision":"rejected"}"#, .retried),
        Answer("a server with two decisions", 200, json, #"{"decision":"rejected","decision":"accepted"}"#, .retried),
        Answer("a server with a newer vocabulary", 200, json, #"{"decision":"deferred"}"#, .retried),
        Answer("a server with another spelling", 200, json, #"{"decision":"Accepted"}"#, .retried),
        Answer(
            "a server with a nested decision", 200, json, #"{"data":{"decision":"accepted"}}"#, .retried),
        Answer("a server with a list", 200, json, #"[{"decision":"accepted"}]"#, .retried),
    ]

    private static let frameworks = [
        Answer("an empty handler", 200, nil, "", .retried),
        Answer("an empty handler", 204, nil, "", .retried),
        Answer("Express, res.json({})", 200, json, "{}", .retried),
        Answer("Express, res.json(undefined)", 200, json, "", .retried),
        Answer("a handler that returns null", 200, json, "null", .retried),
        Answer("a handler that returns a list", 200, json, "[]", .retried),
        Answer("a handler that returns true", 200, json, "true", .retried),
        Answer("a handler that returns false", 200, json, "false", .retried),
        Answer("a handler that returns a text", 200, "text/plain", "OK", .retried),
        Answer("a handler that reports success", 200, json, #"{"status":"ok"}"#, .retried),
        Answer("a handler that reports success", 200, json, #"{"success":true}"#, .retried),
        Answer(
            "a handler that catches errors", 200, json, #"{"status":"error","message":"database down"}"#,
            .retried),
        Answer("a handler that catches errors", 200, json, #"{"ok":false}"#, .retried),
        Answer("a handler that catches errors", 200, json, #"{"code":500}"#, .retried),
        Answer("a handler that catches errors", 200, json, #"{"success":false}"#, .retried),
        Answer("a handler that catches errors", 200, json, #"{"error":"no such table"}"#, .retried),
        Answer(
            "a handler with problem details", 200, problem, #"{"title":"Out of memory","status":500}"#,
            .retried),
        Answer("GraphQL", 200, json, #"{"data":null,"errors":[{"message":"no such field"}]}"#, .retried),
        Answer("GraphQL", 200, json, #"{"data":{"deliver":null}}"#, .retried),
        Answer("a job queue", 202, json, #"{"id":"b7c1","state":"queued"}"#, .retried),
        Answer("a partial response", 206, json, "{}", .retried),
        Answer("AWS Lambda", 200, json, #"{"errorMessage":"Task timed out after 3.00 seconds"}"#, .retried),
        Answer(
            "AWS Lambda, a wrong proxy format", 200, json, #"{"statusCode":500,"body":"{}"}"#, .retried),
        Answer("Rails", 500, json, #"{"status":500,"error":"Internal Server Error"}"#, .retried),
        Answer("Spring", 404, json, #"{"status":404,"error":"Not Found","path":"/deliver"}"#, .retried),
        Answer("Django, CSRF", 403, html, "<h1>Forbidden</h1>", .retried),
        Answer("FastAPI", 422, json, #"{"detail":[{"loc":["body"],"msg":"field required"}]}"#, .retried),
        Answer("Laravel", 419, json, #"{"message":"CSRF token mismatch."}"#, .retried),
        Answer(
            "an idempotency middleware", 409, json, #"{"message":"A request with this key is running."}"#,
            .retried),
        Answer(
            "an idempotency middleware", 422, problem, #"{"title":"Idempotency-Key is already used"}"#,
            .retried),
    ]

    private static let between = [
        Answer("AWS API Gateway", 403, json, #"{"message":"Forbidden"}"#, .retried),
        Answer("AWS API Gateway", 413, json, #"{"message":"Request Too Long"}"#, .retried),
        Answer("AWS API Gateway", 429, json, #"{"message":"Limit Exceeded"}"#, .retried),
        Answer("AWS API Gateway", 504, json, #"{"message":"Endpoint request timed out"}"#, .retried),
        Answer("an API gateway's mock", 200, json, "", .retried),
        Answer("an API gateway in maintenance", 200, json, #"{"maintenance":true}"#, .retried),
        Answer("nginx, a default page", 200, html, page, .retried),
        Answer("nginx", 413, html, "<html><h1>413 Request Entity Too Large</h1></html>", .retried),
        Answer("nginx", 502, html, "<html><h1>502 Bad Gateway</h1></html>", .retried),
        Answer("a balancer's health check", 200, "text/plain", "healthy", .retried),
        Answer("a static site, a new deploy", 200, html, "", .retried),
        Answer("a single-page app's fallback", 200, html, page, .retried),
        Answer(
            "a firewall", 403, problem, #"{"title":"Blocked","detail":"By the firewall."}"#, .retried),
        Answer("a firewall that hides itself", 200, html, "<p>Request rejected. Your support ID is 17.</p>", .retried),
        Answer("a content network", 503, html, page, .retried),
        Answer("a content network's challenge", 403, html, "<title>Just a moment...</title>", .retried),
        Answer("a captive portal", 200, html, "<meta http-equiv=refresh content='0;url=/login'>", .retried),
        Answer("a captive portal", 302, nil, "", .retried),
        Answer("a captive portal", 511, html, "<p>Network authentication required.</p>", .retried),
        Answer("a captive portal's API", 200, "application/captive+json", #"{"captive":true}"#, .retried),
        Answer("a proxy of a company", 407, html, "<p>Proxy authentication required.</p>", .retried),
        Answer(
            "an echo service", 200, json, #"{"deliveryKey":"2000","cause":"requested","transactions":[]}"#,
            .retried),
        Answer("a wrong host's API", 200, json, #"{"data":[],"page":1}"#, .retried),
    ]

    @Test(arguments: server + frameworks + between)
    func `only the server's explicit decision ends a purchase`(answer: Answer) {
        expectEqual(answer.decided, answer.verdict)
    }

    @Test func `nothing that isn't the server's decision has finished a purchase`() {
        let all = Self.server + Self.frameworks + Self.between
        #expect(all.count >= 60)
        let finishing = all.filter { $0.decided != .retried }
        #expect(finishing.allSatisfy { $0.sender.contains("server") && $0.body.contains(#""decision":""#) })
    }
}
