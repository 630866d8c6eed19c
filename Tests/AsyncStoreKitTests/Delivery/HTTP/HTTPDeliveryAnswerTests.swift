import AsyncStoreKit
import Foundation
import Testing

@Suite struct HTTPDeliveryAnswerTests {
    /// Sunday, 6 November 1994, 08:49:37 UTC: the example of RFC 9110, 5.6.7.
    private let example = Date(timeIntervalSince1970: 784_111_777)

    private func answer(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> HTTPDeliveryAnswer {
        HTTPDeliveryAnswer(statusCode: status, headers: retryAfter.map { ["RETRY-After": $0] } ?? [:], body: Data(body.utf8))
    }

    @Test(arguments: [200, 201, 202, 204, 299]) func `2xx accepts, whatever else is said`(status: Int) {
        #expect(answer(status, #"{"message":"no"}"#, retryAfter: "5").decision() == .accepted)
    }

    @Test(arguments: [400, 402, 403, 406, 409, 410, 413, 422, 451, 499]) func `4xx with a message refuses for good`(status: Int) {
        #expect(answer(status, #"{"message":"expired"}"#).decision() == .rejected(reason: "expired"))
        #expect(answer(status, #"{"error":"expired"}"#).decision() == .retryLater, "it has no message")
        #expect(answer(status).decision() == .retryLater)
    }

    @Test(arguments: [401, 404, 405, 407, 408, 425, 429])
    func `what is said of a request before anybody has looked at the receipt refuses nothing`(status: Int) {
        #expect(answer(status, #"{"message":"expired"}"#, retryAfter: "7").decision() == .retryLater(after: 7))
    }

    @Test(arguments: [Int.min, -1, 0, 100, 199, 300, 302, 307, 500, 502, 503, 599, 600, 999, Int.max])
    func `everything else is tried again`(status: Int) {
        #expect(answer(status, #"{"message":"expired"}"#).decision() == .retryLater)
    }

    @Test(arguments: [
        ("120", 120.0), (" 7 ", 7), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
        ("Sun Nov  6 08:50:37 1994", 60), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
    ])
    func `Retry-After is a number of seconds, or a date in one of three formats`(text: String, seconds: TimeInterval) {
        #expect(answer(503, retryAfter: text).retryAfter(now: example) == seconds)
        #expect(answer(429, retryAfter: text).decision(at: example) == .retryLater(after: seconds))
    }

    @Test(arguments: [
        "", " ", "0", "-5", "+5", "1.5", "soon", "1e3", "0x10", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:00:00 GMT",
        "Sun, 66 Nov 1994 08:50:37 GMT", "nan", "inf", String(repeating: "9", count: 400),
    ])
    func `Retry-After that is over, or cannot be read, asks for nothing`(text: String) {
        #expect(answer(503, retryAfter: text).retryAfter(now: example) == nil)
    }

    @Test(arguments: [
        (#"{"message":"a","detail":"b","title":"c"}"#, "a"), (#"{"detail":"b","title":"c"}"#, "b"), (#"{"title":"c"}"#, "c"),
        (#"{"message":"","detail":"b"}"#, "b"), (#"{"message":7,"detail":"b"}"#, "b"), (#"{"message":" a\nb\u001b[2J "}"#, "a b [2J"),
    ])
    func `the message is the first text for people that there is`(body: String, message: String) {
        #expect(answer(409, body).message == message)
    }

    @Test(arguments: ["", "null", "7", "\"a\"", "[\"message\"]", "{", "{\"message\":null}", "{\"message\":{\"a\":1}}", "\u{0}\u{1}"])
    func `a body without a text for people has no message`(body: String) {
        #expect(answer(409, body).message == nil)
    }

    @Test func `a message is never longer than a thousand characters`() throws {
        let text = String(repeating: "é", count: 5_000)
        #expect(answer(409, "{\"message\":\"\(text)\"}").message?.count == 1_000)
        let combining = "e" + String(repeating: "\u{301}", count: 50_000)
        let message = try #require(answer(409, "{\"message\":\"\(combining)\"}").message)
        #expect(message.unicodeScalars.count <= 4_000, "a character may be as long as it likes")
    }
}
