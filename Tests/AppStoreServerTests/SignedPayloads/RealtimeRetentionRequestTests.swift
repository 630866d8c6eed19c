import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct RealtimeRetentionRequestTests {
    private let verifier = SignedTransactionVerifier(
        bundleID: "com.example.app", environment: .sandbox, appStoreID: 1_234_567_890,
        trustAnchors: SignedTransactionFixture().verifier.trustAnchors)

    private func token(_ payload: String = SignedPayloadSamples.realtimeRequest) -> String {
        SignedTransactionFixture().issuer.issue(payload: Data(payload.utf8))
    }

    @Test func `a request for a retention message is verified and decoded`() throws {
        let body = Data("{\"signedPayload\":\"\(token())\"}".utf8)
        let request = try verifier.realtimeRequest(requestBody: body)
        expectEqual(request.id, UUID(uuidString: "3DB5C98D-8ACF-4E29-831E-8E1F82F9F6E9"))
        expectEqual(request.originalTransactionID, "2000000123456789")
        expectEqual(request.productID, "weekly")
        expectEqual(request.appStoreID, 1_234_567_890)
        expectEqual(request.userLocale, "de-DE")
        expectEqual(request.environment, .sandbox)
        expectEqual(request.signedDate, SignedTransactionFixture.signedDate)
        expectEqual(request.unknownFields, ["tomorrow": .number("1")])
        expectEqual(try verifier.payload(jws: token()).kind, .realtimeRequest)
        expectEqual(try verifier.payload(jws: token()).realtimeRequest, request)
        expectEqual(try SignedPayload.unverified(jws: token()).realtimeRequest, request)
    }

    @Test func `a request isn't accepted as a notification or a transaction`() throws {
        var error = #expect(throws: ReceiptVerificationError.self) { try verifier.notification(signedPayload: token()) }
        expectEqual(error?.code, .unexpectedPayload)
        error = #expect(throws: ReceiptVerificationError.self) {
            try verifier.realtimeRequest(signedPayload: SignedTransactionFixture().token())
        }
        expectEqual(error?.code, .unexpectedPayload)
        error = #expect(throws: ReceiptVerificationError.self) {
            try verifier.realtimeRequest(requestBody: Data("{}".utf8))
        }
        expectEqual(error?.code, .malformed)
    }

    @Test(arguments: ["requestIdentifier", "originalTransactionId", "appAppleId", "productId", "signedDate"])
    func `a request without one of its identifiers is malformed`(name: String) {
        let payload = SignedPayloadSamples.realtimeRequest.replacing("\"\(name)\"", with: "\"other\"")
        let error = #expect(throws: ReceiptVerificationError.self) {
            try verifier.realtimeRequest(signedPayload: token(payload))
        }
        let expected: [String: ReceiptVerificationError.Code] = [
            "requestIdentifier": .bundleIDMissing, "appAppleId": .appStoreIDMismatch,
        ]
        expectEqual(error?.code, expected[name] ?? .malformed)
    }

    @Test func `a request names its app only by the Apple ID`() {
        var other = verifier
        other.appStoreID = 1
        expectEqual(other.report(on: token()).failures, [.bundleID: .appStoreIDMismatch])
        other.appStoreID = nil
        expectEqual(other.report(on: token()).failures, [.bundleID: .appStoreIDMissing])
        other.bundleID = .any
        expectEqual(other.report(on: token()).failures, [:])
        other.appStoreID = 1
        expectEqual(other.report(on: token()).failures, [.bundleID: .appStoreIDMismatch])
        other = verifier
        other.environment = .production
        expectEqual(other.report(on: token()).failures, [.environment: .environmentMismatch])
    }

    @Test func `a request with an unreadable locale is valid`() throws {
        let payload = SignedPayloadSamples.realtimeRequest.replacing("\"de-DE\"", with: "{}")
        let request = try verifier.realtimeRequest(signedPayload: token(payload))
        expectEqual(request.userLocale, nil)
        expectEqual(request.unknownFields["userLocale"], .object([:]))
    }
}
