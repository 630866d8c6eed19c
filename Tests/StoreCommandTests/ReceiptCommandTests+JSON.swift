import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@testable import store

/// The JSON that servers receive and store.
extension ReceiptCommandTests {
    private func transaction(_ id: Int, original: Int = 8) -> String {
        token(
            """
            {"transactionId":"\(id)","originalTransactionId":"\(original)","bundleId":"com.example.app","productId":"weekly",
            "purchaseDate":1767139200000,"expiresDate":1767744000000,"signedDate":1767139200000,"environment":"Sandbox","quantity":1}
            """)
    }

    @Test func `a transaction history of the App Store Server API is printed and verified`() throws {
        let reply = """
            {"revision":"1","bundleId":"com.example.app","environment":"Sandbox","hasMore":false,
            "signedTransactions":["\(transaction(9))","\(transaction(10, original: 10))"]}
            """
        let run = try run(reply.utf8, "--allow-local-testing", "--bundle-id", "com.example.app")
        expect(run, .success, "reply of the App Store Server API (JSON), ", lines: ["Transactions (2)"])
        #expect(run.words.contains { $0.hasPrefix("✓ signedTexts 2 in the reply") })
        let other = try self.run(reply.utf8, "--allow-local-testing", "--bundle-id", "com.example.other")
        expect(other, .failure, "", ["signed text 1: it belongs to com.example.app"])
    }

    @Test func `one wrong signature in a reply is named`() throws {
        let forged = String(transaction(10).dropLast(8)) + "AAAAAAAA"
        let reply = "{\"signedTransactions\":[\"\(transaction(9))\",\"\(forged)\"]}"
        let run = try run(reply.utf8, "--allow-local-testing")
        expect(run, .failure, "", ["signed text 2: the signature isn't valid"])
        #expect(!run.output.contains(" trust"), "only the first text has reached the check")
    }

    @Test func `subscription statuses of the App Store Server API are printed with their renewals`() throws {
        let reply = """
            {"environment":"Sandbox","bundleId":"com.example.app","data":[{"subscriptionGroupIdentifier":"1","lastTransactions":[
            {"originalTransactionId":"8","status":4,"signedTransactionInfo":"\(transaction(9))","signedRenewalInfo":"\(token(Self.renewal))"}]}]}
            """
        let run = try run(reply.utf8, "--allow-local-testing", "--bundle-id", "com.example.app")
        expect(run, .success, lines: ["weekly 8 yes monthly yes 2026-01-07T00:00:00Z 2"])
        let alone = "{\"signedRenewalInfo\":\"\(token(Self.renewal))\"}"
        expectEqual(
            try self.run(alone.utf8, "--allow-local-testing", "--bundle-id", "com.example.app").code, .failure,
            "renewal information without its transaction names no app")
    }

    @Test(arguments: [
        "{\"signedTransactionInfo\":\"T\"}", "{\"status\":0,\"signedTransactions\":[\"T\"]}",
        "{\"notificationHistory\":[{\"signedPayload\":\"N\",\"sendAttempts\":[]}],\"hasMore\":false}",
    ])
    func `other replies with signed data are read`(reply: String) throws {
        let text = reply.replacing("\"T\"", with: "\"\(transaction(9))\"").replacing(
            "\"N\"", with: "\"\(notification())\"")
        let run = try run(text.utf8, "--allow-local-testing", "--bundle-id", "com.example.app")
        expect(run, .success, lines: ["Transactions (1)"])
    }

    @Test(arguments: ["{\"signedTransactions\":[],\"hasMore\":false}", "{\"data\":[],\"environment\":\"Sandbox\"}"])
    func `a reply without signed data is not verified`(reply: String) throws {
        expect(try run(reply.utf8), .failure, "", ["✗ signedTexts"])
    }

    @Test func `a notification of version 1 is read without its signature`() throws {
        let body = """
            {"notification_type":"DID_RENEW","environment":"PROD","bid":"com.example.app","bvrs":"7","unified_receipt":{"status":0,
            "environment":"Production","latest_receipt_info":[{"product_id":"pro","transaction_id":"5","purchase_date_ms":"1767000000000"}],
            "pending_renewal_info":[]}}
            """
        let run = try run(body.utf8, "--bundle-id", "com.example.app")
        expect(
            run, .failure, "App Store Server Notification, version 1 (JSON), ", ["✗ signature", "✓ bundleID"],
            lines: ["app com.example.app", "Transactions (1)"])
        let spoiled = try self.run(Data(body.replacing("\"5\"", with: "[5]").utf8))
        expectEqual(spoiled.code, .malformed)
        let place = try #require(body.utf8.firstRange(of: "\"5\"".utf8)).lowerBound.utf16Offset(in: body)
        #expect(spoiled.errors.contains("at byte \(place): expected transaction_id"))
    }

    @Test(arguments: [false, true]) func `a receipt in the style of iOS 6 is named`(isBase64: Bool) throws {
        let text = "{\n\t\"signature\" = \"AjA=\";\n\t\"purchase-info\" = \"ewo=\";\n\t\"pod\" = \"100\";\n}"
        let data = Data(text.utf8)
        let run = try run(isBase64 ? data.base64EncodedData() : data)
        expectEqual(run.code, .malformed)
        #expect(run.errors.contains("style of iOS 6 (property list)"))
    }

    @Test func `the reason is named why a request's body is refused`() throws {
        let text = notification()
        let long = String(repeating: "a", count: 1_500_000)
        for (body, reason) in [
            ("{\"signedPayload\":\"\(text)\",\"signedPayload\":\"\(text)\"}", "each name once"),
            ("{\"signedPayload\":\"\(long)\"}", "bytes of JSON"), ("{\"signedPayload\":null}", "signedPayload"),
        ] {
            let run = try run(body.utf8)
            #expect(run.code == .malformed && run.errors.contains(reason), "\(run.errors)")
        }
    }

    @Test func `a signed transaction of Xcode's local testing is verified if that is allowed`() throws {
        let payload = """
            {"transactionId":"9","originalTransactionId":"8","bundleId":"com.example.app","productId":"weekly","purchaseDate":1767139200000,
            "signedDate":1767139200000,"environment":"Xcode","type":"Consumable","quantity":1}
            """
        let key = SimulatedKey.ellipticCurve(try #require(SimulatedSigningKeys.transactionLeaf))
        let name = "StoreKit Testing in Xcode"
        let certificate = SimulatedCertificate(
            subject: name, issuer: name, serialNumber: 1, key: key, isAuthority: true)
        var chain = SimulatedCertificateChain(root: certificate, intermediate: certificate, leaf: certificate)
        chain.leafKey = key
        let encoded = Data(chain.leaf).base64EncodedString()
        let text = SimulatedJWSIssuer().sign(
            header: Data("{\"alg\":\"ES256\",\"x5c\":[\"\(encoded)\"]}".utf8), payload: Data(payload.utf8), chain)
        expectEqual(try run(text.utf8, "--allow-local-testing").code, .success)
        expectEqual(try self.run(text.utf8).code, .failure)
    }
}
