import AsyncStoreKit
import AsyncStoreKitHTTP
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct HTTPDeliveryResponseTests {
    /// Sunday, 6 November 1994, 08:49:37 UTC: the example of RFC 9110, 5.6.7.
    private let example = Date(timeIntervalSince1970: 784_111_777)

    private func response(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> HTTPDeliveryResponse {
        HTTPDeliveryResponse(
            statusCode: status, headers: retryAfter.map { ["RETRY-After": $0] } ?? [:], body: Data(body.utf8))
    }

    @Test(arguments: [
        ("application/json", "application/json"), (" Text/HTML ; charset=utf-8", "text/html"), ("", nil), (" ", nil),
        (";charset=utf-8", nil),
        (nil, nil),
    ])
    func `the content type is the media type alone`(field: String?, type: String?) {
        let headers = field.map { ["CONTENT-TYPE": $0] } ?? [:]
        expectEqual(HTTPDeliveryResponse(statusCode: 200, headers: headers).contentType, type)
    }

    @Test(arguments: [
        ("120", 120.0), (" 7 ", 7), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
        ("Sun Nov  6 08:50:37 1994", 60), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
    ])
    func `Retry-After is a number of seconds, or a date in one of three formats`(text: String, seconds: TimeInterval) {
        expectEqual(response(503, retryAfter: text).retryAfter(now: example), seconds)
        expectEqual(response(429, retryAfter: text).decision(at: example), .retryLater(after: seconds))
    }

    @Test(arguments: [
        "", " ", "0", "-5", "+5", "1.5", "soon", "1e3", "0x10", "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:00:00 GMT",
        "Sun, 66 Nov 1994 08:50:37 GMT", "nan", "inf", String(repeating: "9", count: 400),
    ])
    func `a Retry-After that has passed, or can't be read, requests nothing`(text: String) {
        expectEqual(response(503, retryAfter: text).retryAfter(now: example), nil)
    }

    @Test(arguments: [
        (#"{"message":"a","detail":"b","title":"c"}"#, "a"), (#"{"detail":"b","title":"c"}"#, "b"),
        (#"{"title":"c"}"#, "c"),
        (#"{"message":"","detail":"b"}"#, "b"), (#"{"message":7,"detail":"b"}"#, "b"),
        (#"{"message":" a\nb\u001b[2J "}"#, "a b [2J"),
        (#"{"message":"a\u2028b\u2029c"}"#, "a b c"), ("\u{FEFF}{\"message\":\"a\"}", "a"),
    ])
    func `the message is the first text for people`(body: String, message: String) {
        expectEqual(response(409, body).message, message)
    }

    @Test(arguments: [
        "", "null", "7", "\"a\"", "[\"message\"]", "{", "{\"message\":null}", "{\"message\":{\"a\":1}}", "\u{0}\u{1}",
    ])
    func `a body without a text for people has no message`(body: String) {
        expectEqual(response(409, body).message, nil)
    }

    @Test func `a message has at most a thousand characters`() throws {
        let text = String(repeating: "é", count: 5_000)
        expectEqual(response(409, "{\"message\":\"\(text)\"}").message?.count, 1_000)
        let combining = "e" + String(repeating: "\u{301}", count: 50_000)
        let message = try #require(response(409, "{\"message\":\"\(combining)\"}").message)
        #expect(message.unicodeScalars.count <= 4_000, "a character may have any length")
    }
}
