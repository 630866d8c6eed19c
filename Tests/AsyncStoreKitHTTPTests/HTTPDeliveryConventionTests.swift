import AsyncStoreKit
import AsyncStoreKitHTTP
import Foundation
import TestHarness
import Testing

/// Every row of the table of `HTTPDeliveryConvention`, and responses that others have sent instead of the
/// app's server.
@Suite(.bounded) struct HTTPDeliveryConventionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let status: Int
        let contentType: String?
        let body: Data
        let expected: DeliveryDecision

        init(_ status: Int, _ contentType: String?, _ body: String, _ expected: DeliveryDecision) {
            self.init(status, contentType, Data(body.utf8), expected)
        }

        init(_ status: Int, _ contentType: String?, _ body: Data, _ expected: DeliveryDecision) {
            self.status = status
            self.contentType = contentType
            self.body = body
            self.expected = expected
        }

        func decision(by convention: HTTPDeliveryConvention) -> DeliveryDecision {
            let headers = contentType.map { ["Content-Type": $0] } ?? [:]
            return HTTPDeliveryResponse(statusCode: status, headers: headers, body: body).decision(by: convention)
        }

        var testDescription: String {
            "\(status) \(contentType ?? "-") \(String(decoding: body.prefix(60), as: UTF8.self))"
        }
    }

    private static let json = "application/json"
    private static let page = "<!doctype html><html><head><title>Welcome</title></head><body>It works!</body></html>"
    private static let statuses = [
        -1, 0, 100, 200, 204, 299, 301, 304, 307, 400, 401, 403, 404, 409, 413, 422, 429, 499, 500, 503, 599, 600,
    ]

    private static let conventions: [HTTPDeliveryConvention] = [
        .decisionField, .field("status", accepts: ["ok"]), .anySuccess, .locSubscription,
    ]

    @Test(arguments: conventions, statuses)
    func `the decision rejected refuses, and retryLater requests another attempt, with any status`(
        convention: HTTPDeliveryConvention, status: Int
    ) {
        let rejected = Row(
            status, Self.json, #"{"decision":"rejected","message":"Bought for another account."}"#, .accepted)
        expectEqual(rejected.decision(by: convention), .rejected(reason: "Bought for another account."))
        let later = Row(status, Self.json, #"{"decision":"retryLater","message":"Busy.","retryAfter":90.5}"#, .accepted)
        expectEqual(later.decision(by: convention), .retryLater(after: 90.5, reason: "Busy."))
    }

    @Test(arguments: [
        #"{"decision":"rejected"}"#, #"{"decision":"rejected","message":null}"#,
        #"{"decision":"rejected","message":" \n"}"#,
        #"{"decision":"rejected","message":7}"#,
    ])
    func `a rejection doesn't need a message`(body: String) {
        let row = Row(200, Self.json, body, .accepted)
        expectEqual(
            row.decision(by: .decisionField),
            .rejected(reason: "The app's server refused the purchase without a reason."))
    }

    @Test(arguments: ["0", "-1", "null", "\"60\"", "[60]", "{}", "true"])
    func `an invalid retryAfter leaves the decision to the header field`(seconds: String) {
        let body = Data(#"{"decision":"retryLater","retryAfter":\#(seconds)}"#.utf8)
        let headers = ["Content-Type": Self.json]
        expectEqual(HTTPDeliveryResponse(statusCode: 200, headers: headers, body: body).decision(), .retryLater)
        let withField = HTTPDeliveryResponse(
            statusCode: 200, headers: headers.merging(["Retry-After": "7"]) { $1 }, body: body)
        expectEqual(withField.decision(), .retryLater(after: 7))
    }

    private static let accepting = [
        Row(200, nil, "", .accepted), Row(204, nil, "", .accepted), Row(200, json, "", .accepted),
        Row(200, "text/html; charset=UTF-8", "", .accepted), Row(200, "text/plain", "\r\n", .accepted),
        Row(202, json, "{}", .accepted),
        Row(200, json, #"{"decision":"accepted"}"#, .accepted), Row(299, json, #"{"message":"no"}"#, .accepted),
        Row(201, json, #"{"id":17,"entitlements":["pro"],"expires":1e400}"#, .accepted),
        Row(200, nil, #"{"status":"ok"}"#, .accepted),
        Row(200, "application/json;charset=utf-8", "{}", .accepted),
        Row(200, "APPLICATION/JSON ; charset=\"UTF-8\"", "{}", .accepted),
        Row(200, "application/vnd.example.v2+json", "{}", .accepted), Row(200, "text/json", "{}", .accepted),
        Row(200, json, Data([0xEF, 0xBB, 0xBF]) + Data(#"{"decision":"accepted"}"#.utf8), .accepted),
        Row(200, json, Data([0xEF, 0xBB, 0xBF]), .accepted), Row(200, json, " \n{ }\n", .accepted),
        Row(200, json, "[]", .accepted), Row(200, json, #"[{"productID":"pro"}]"#, .accepted),
        Row(200, json, #"["rejected"]"#, .accepted),
        Row(200, json, "null", .accepted), Row(200, json, "true", .accepted),
        Row(200, json, "\"delivered\"", .accepted),
        Row(200, json, "17", .accepted), Row(200, json, #"{"data":{"decision":"rejected"}}"#, .accepted),
        Row(200, json, #"{"error":null,"errors":[],"errorMessage":"","success":true}"#, .accepted),
        Row(200, json, #"{"error":false,"errors":{}}"#, .accepted),
        Row(200, json, #"{"decision":"accepted","error":"logged"}"#, .accepted),
        Row(200, json, "{\"notes\":\"" + String(repeating: "x", count: 1 << 20) + "\"}", .accepted),
    ]

    private static let gateways = [
        Row(403, json, #"{"message":"Forbidden"}"#, .retryLater),
        Row(413, json, #"{"message":"Request Too Long"}"#, .retryLater),
        Row(400, json, #"{"message":"Bad Request"}"#, .retryLater), Row(403, json, #"{"message":null}"#, .retryLater),
        Row(403, "application/problem+json", #"{"title":"Blocked","detail":"By the firewall."}"#, .retryLater),
        Row(429, json, #"{"message":"Limit Exceeded"}"#, .retryLater),
        Row(502, json, #"{"message":"Internal server error"}"#, .retryLater),
        Row(504, json, #"{"message":"Endpoint request timed out"}"#, .retryLater),
        Row(403, "text/html", "<html><body><h1>403 Forbidden</h1></body></html>", .retryLater),
        Row(413, "text/html", "<html><h1>413 Request Entity Too Large</h1></html>", .retryLater),
        Row(200, "text/html", page, .retryLater), Row(200, "text/html; charset=utf-8", page, .retryLater),
        Row(200, json, page, .retryLater), Row(200, nil, page, .retryLater),
        Row(200, json, #"{"errorMessage":"Task timed out after 3.00 seconds"}"#, .retryLater),
        Row(200, json, #"{"data":null,"errors":[{"message":"no such field"}]}"#, .retryLater),
        Row(503, "text/html", "", .retryLater), Row(302, nil, "", .retryLater),
        Row(307, "text/html", page, .retryLater),
    ]

    private static let undecided = [
        Row(200, "text/plain", "OK", .retryLater), Row(200, nil, "OK", .retryLater), Row(200, json, "OK", .retryLater),
        Row(200, "text/plain", #"{"decision":"accepted"}"#, .retryLater),
        Row(200, "text/html", #"{"decision":"rejected"}"#, .retryLater),
        Row(200, "+json", "{}", .retryLater), Row(200, "application/json, text/html", "{}", .retryLater),
        Row(200, "application/octet-stream", Data([0x00, 0xFF]), .retryLater),
        Row(200, "application/jsonp", "{}", .retryLater),
        Row(200, json, "{", .retryLater), Row(200, json, "{}garbage", .retryLater),
        Row(200, json, "\u{0}}{garbage", .retryLater),
        Row(200, json, Data([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D]), .retryLater),
        Row(200, json, Data([0x22, 0xE9, 0x22]), .retryLater),
        Row(200, json, Data([0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D]), .retryLater),
        Row(200, json, #"{"\ud800":1,"decision":"rejected"}"#, .retryLater),
        Row(200, json, #"{"decision":"\ud800"}"#, .retryLater),
        Row(200, json, String(repeating: "[", count: 100_000), .retryLater),
        Row(200, json, #"{"decision":"REJECTED"}"#, .retryLater),
        Row(200, json, #"{"decision":"refused"}"#, .retryLater),
        Row(200, json, #"{"decision":""}"#, .retryLater), Row(200, json, #"{"decision":null}"#, .retryLater),
        Row(200, json, #"{"decision":["rejected"]}"#, .retryLater), Row(200, json, #"{"decision":true}"#, .retryLater),
        Row(200, json, #"{"error":"no such table"}"#, .retryLater),
        Row(200, json, #"{"error":{"code":5}}"#, .retryLater),
        Row(200, json, #"{"error":7}"#, .retryLater), Row(200, json, #"{"errors":true}"#, .retryLater),
        Row(200, json, #"{"success":false}"#, .retryLater), Row(200, json, "false", .retryLater),
        Row(409, json, #"{"decision":"accepted"}"#, .retryLater),
        Row(500, json, #"{"decision":"accepted"}"#, .retryLater),
        Row(409, json, #"{"decision":"denied","message":"no"}"#, .retryLater), Row(409, json, "{}", .retryLater),
        Row(409, json, #"["message"]"#, .retryLater), Row(409, json, "", .retryLater),
        Row(409, "text/plain", "message", .retryLater),
        Row(401, json, #"{"message":"expired"}"#, .retryLater),
        Row(404, json, #"{"message":"Not Found"}"#, .retryLater),
        Row(500, json, #"{"message":"expired"}"#, .retryLater),
        Row(200, "text/html", #"{"message":"no"}"#, .retryLater),
    ]

    @Test(arguments: accepting + gateways + undecided)
    func `a response has the meaning of its row`(row: Row) {
        expectEqual(row.decision(by: .anySuccess), row.expected)
        // By default, only an explicit acceptance accepts.
        let isExplicit = String(decoding: row.body, as: UTF8.self).contains(#"{"decision":"accepted""#)
        expectEqual(row.decision(by: .decisionField), isExplicit ? row.expected : .retryLater)
    }

    @Test func `with LOCSubscription's convention the other rows are the same`() {
        let same = (Self.accepting + Self.undecided).filter { $0.decision(by: .locSubscription) != $0.expected }
        expectEqual(same.map(\.testDescription), [])
        let refused = Self.gateways.filter { $0.decision(by: .locSubscription) != $0.expected }
        expectEqual(refused.map(\.status), [403, 413, 400, 403])
    }

    @Test(arguments: [400, 402, 403, 406, 409, 410, 413, 422, 451, 499])
    func `with LOCSubscription's convention 4xx with a message rejects`(status: Int) {
        let row = Row(status, Self.json, #"{"message":"expired"}"#, .retryLater)
        expectEqual(row.decision(by: .locSubscription), .rejected(reason: "expired"))
        expectEqual(row.decision(by: .decisionField), .retryLater)
        expectEqual(
            Row(status, Self.json, #"{"error":"expired"}"#, .retryLater).decision(by: .locSubscription), .retryLater)
        expectEqual(
            Row(status, "text/html", #"{"message":"expired"}"#, .retryLater).decision(by: .locSubscription), .retryLater
        )
    }

    @Test(arguments: [401, 404, 405, 407, 408, 425, 429, 300, 399, 500, 599])
    func `responses about the request and responses without a client error don't reject`(status: Int) {
        expectEqual(
            Row(status, Self.json, #"{"message":"expired"}"#, .retryLater).decision(by: .locSubscription), .retryLater)
    }
}
