import AsyncStoreKit
import AsyncStoreKitHTTP
import Foundation
import TestHarness
import Testing

/// Every row of the table of `HTTPDeliveryResponse.decision(at:)`, and responses that others have sent instead of the
/// app's server.
@Suite(.bounded) struct HTTPDeliveryDecisionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let status: Int
        let contentType: String?
        let body: Data
        init(_ status: Int, _ contentType: String?, _ body: String) {
            self.init(status, contentType, Data(body.utf8))
        }

        init(_ status: Int, _ contentType: String?, _ body: Data) {
            self.status = status
            self.contentType = contentType
            self.body = body
        }

        var decision: DeliveryDecision {
            let headers = contentType.map { ["Content-Type": $0] } ?? [:]
            return HTTPDeliveryResponse(statusCode: status, headers: headers, body: body).decision()
        }

        var testDescription: String {
            "\(status) \(contentType ?? "-") \(String(decoding: body.prefix(60), as: UTF8.self))"
        }
    }

    private static let json = "application/json"
    private static let page = "<!doctype html><html><head><title>Welcome</title></head><body>It works!</body></html>"

    @Test(arguments: [
        -1, 0, 100, 200, 204, 299, 301, 304, 307, 400, 401, 403, 404, 409, 413, 422, 429, 499, 500, 503, 600,
    ])
    func `rejected refuses with a status from 200 to 499, and retryLater requests another attempt with any status`(
        status: Int
    ) {
        let rejected = Row(status, Self.json, #"{"decision":"rejected","message":"Bought for another account."}"#)
        let isRead = (200..<500).contains(status)
        expectEqual(rejected.decision, isRead ? .rejected(reason: "Bought for another account.") : .retryLater)
        let later = Row(status, Self.json, #"{"decision":"retryLater","message":"Busy.","retryAfter":90.5}"#)
        expectEqual(later.decision, .retryLater(after: 90.5, reason: "Busy."))
    }

    @Test(arguments: [
        #"{"decision":"accepted","decision":"accepted"}"#, #"{"decision":"accepted","message":"a","message":"b"}"#,
        #"{"decision":"accepted","decisions":null,"decisions":{}}"#,
    ])
    func `an object that repeats a name decides nothing`(body: String) {
        expectEqual(Row(200, Self.json, body).decision, .retryLater)
    }

    @Test(arguments: [
        #"{"decision":"rejected"}"#, #"{"decision":"rejected","message":null}"#,
        #"{"decision":"rejected","message":" \n"}"#,
        #"{"decision":"rejected","message":7}"#,
    ])
    func `a rejection doesn't need a message`(body: String) {
        let row = Row(200, Self.json, body)
        expectEqual(
            row.decision,
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

    /// Responses beside those of `HTTPDeliveryAnswersTests`.
    private static let readable = [
        Row(200, "APPLICATION/JSON ; charset=\"UTF-8\"", #"{"decision":"accepted"}"#), Row(200, "text/plain", "\r\n"),
        Row(299, json, #"{"message":"no"}"#), Row(201, json, #"{"id":17,"entitlements":["pro"],"expires":1e400}"#),
        Row(200, nil, #"{"status":"ok"}"#), Row(200, json, Data([0xEF, 0xBB, 0xBF])),
        Row(200, json, Data([0xEF, 0xBB, 0xBF]) + Data(#"{"decision":"accepted"}"#.utf8)),
        Row(200, json, " \n{ }\n"), Row(200, json, #"[{"productID":"pro"}]"#), Row(200, json, #"["rejected"]"#),
        Row(200, json, "\"delivered\""), Row(200, json, "17"), Row(200, json, #"{"data":{"decision":"rejected"}}"#),
        Row(200, json, #"{"error":null,"errors":[],"errorMessage":"","success":true}"#),
        Row(200, json, #"{"error":false,"errors":{}}"#), Row(200, json, #"{"decision":"accepted","error":"logged"}"#),
        Row(200, json, "{\"notes\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"),
        Row(403, json, #"{"message":null}"#), Row(200, json, page), Row(200, nil, page),
    ]

    private static let undecided = [
        Row(200, nil, "OK"), Row(200, json, "OK"),
        Row(200, "text/plain", #"{"decision":"accepted"}"#),
        Row(200, "text/html", #"{"decision":"rejected"}"#),
        Row(200, "+json", "{}"), Row(200, "application/json, text/html", "{}"),
        Row(200, "application/octet-stream", Data([0x00, 0xFF])),
        Row(200, "application/jsonp", "{}"),
        Row(200, json, "{"), Row(200, json, "{}garbage"),
        Row(200, json, "\u{0}}{garbage"),
        Row(200, json, Data([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D])),
        Row(200, json, Data([0x22, 0xE9, 0x22])),
        Row(200, json, Data([0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D])),
        Row(200, json, #"{"\ud800":1,"decision":"rejected"}"#),
        Row(200, json, #"{"decision":"\ud800"}"#),
        Row(200, json, String(repeating: "[", count: 100_000)),
        Row(200, json, #"{"decision":"REJECTED"}"#),
        Row(200, json, #"{"decision":"refused"}"#),
        Row(200, json, #"{"decision":""}"#), Row(200, json, #"{"decision":null}"#),
        Row(200, json, #"{"decision":["rejected"]}"#), Row(200, json, #"{"decision":true}"#),
        Row(200, json, #"{"error":{"code":5}}"#),
        Row(200, json, #"{"error":7}"#), Row(200, json, #"{"errors":true}"#),
        Row(409, json, #"{"decision":"accepted"}"#),
        Row(500, json, #"{"decision":"accepted"}"#),
        Row(409, json, #"{"decision":"denied","message":"no"}"#), Row(409, json, "{}"),
        Row(409, json, #"["message"]"#), Row(409, json, ""),
        Row(409, "text/plain", "message"),
        Row(401, json, #"{"message":"expired"}"#),
        Row(404, json, #"{"message":"Not Found"}"#),
        Row(500, json, #"{"message":"expired"}"#),
        Row(200, "text/html", #"{"message":"no"}"#),
    ]

    @Test(arguments: readable + undecided)
    func `only an explicit acceptance accepts`(row: Row) {
        let isExplicit = String(decoding: row.body, as: UTF8.self).contains(#"{"decision":"accepted""#)
        let isRead = row.status == 200 && row.contentType != "text/plain"
        expectEqual(row.decision, isExplicit && isRead ? .accepted : .retryLater)
    }
}
