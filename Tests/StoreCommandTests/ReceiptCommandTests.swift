import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@testable import store

@Suite(.bounded) struct ReceiptCommandTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    /// Runs the command on a file, at a fixed time.
    func run(_ contents: some Sequence<UInt8>, _ options: String...) throws -> CommandRun {
        let file = try TemporaryFile(Data(contents))
        return CommandRun.recording { console throws(CommandFailure) in
            try ReceiptCommand.run(
                try ReceiptCommand.grammar.parse([file.path] + options), console: console, now: now)
        }
    }

    /// Expects an exit code, the beginning of the output, parts of it, and whole lines with single spaces.
    func expect(
        _ run: CommandRun, _ code: ExitCode, _ kind: String = "", _ parts: [String] = [], lines: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectEqual(run.code, code, sourceLocation: sourceLocation)
        #expect(run.output.hasPrefix(kind), sourceLocation: sourceLocation)
        for part in parts { #expect(run.output.contains(part), "\(part)", sourceLocation: sourceLocation) }
        for line in lines { #expect(run.words.contains(line), "\(line)", sourceLocation: sourceLocation) }
    }

    private func receipt(_ change: (inout SimulatedReceipt) -> Void = { _ in }) -> Data {
        var receipt = SimulatedReceipt(
            bundleID: "com.example.app", appVersion: "7", creationDate: now.addingTimeInterval(-3_600),
            environment: .sandbox)
        var pro = SimulatedReceiptTransaction(
            productID: "com.example.pro", transactionID: "1001", purchaseDate: now.addingTimeInterval(-86_400))
        pro.additionalAttributes = [1710: [5, 0]]
        var weekly = SimulatedReceiptTransaction(
            productID: "weekly", transactionID: "1002", purchaseDate: now.addingTimeInterval(-86_400))
        weekly.expirationDate = now.addingTimeInterval(6 * 86_400)
        weekly.isTrialPeriod = true
        receipt.transactions = [pro, weekly]
        change(&receipt)
        return SimulatedReceiptIssuer().issue(receipt)
    }

    @Test func `a receipt of the simulator needs --allow-local-testing`() throws {
        let run = try run(receipt())
        expect(run, .failure, "", ["✗ trust"])
        expectEqual(run.lines.dropLast().last, "Not verified.")
        #expect(run.errors.isEmpty)
    }

    @Test func `a receipt is verified and printed with its purchases and subscriptions`() throws {
        let run = try run(receipt(), "--allow-local-testing", "--bundle-id", "com.example.app")
        expect(
            run, .success, "App Store receipt (PKCS#7), ",
            lines: [
                "app com.example.app", "environment Sandbox", "Transactions (2)",
                "com.example.pro 1 1001 1001 2025-12-31T00:00:00Z unknown: 1710",
                "weekly 1 1002 1002 2025-12-31T00:00:00Z 2026-01-07T00:00:00Z free trial",
                "weekly subscribed 2026-01-07T00:00:00Z",
            ])
        for check in ["✓ signature", "– device"] { #expect(run.words.contains { $0.hasPrefix(check) }, "\(check)") }
        expectEqual(run.lines.dropLast().last, "Verified.")
    }

    @Test(arguments: [0, 64, 76])
    func `base64 is read with and without line breaks`(lineLength: Int) throws {
        var text = receipt().base64EncodedString()
        if lineLength > 0 {
            text = stride(from: 0, to: text.count, by: lineLength)
                .map { String(text.dropFirst($0).prefix(lineLength)) }.joined(separator: "\r\n")
        }
        let run = try run("\(text)\n".utf8, "--allow-local-testing")
        expect(run, .success, "App Store receipt (PKCS#7 in base64)")
    }

    @Test func `URL-safe base64 is read, and incomplete base64 is malformed`() throws {
        let text = SimulatedJWSIssuer.base64URL(receipt())
        expectEqual(try run(text.utf8, "--allow-local-testing").code, .success)
        expectEqual(try run(text.dropLast(text.count % 4 + 3).utf8, "--allow-local-testing").code, .malformed)
    }

    @Test func `a receipt can be in PEM`() throws {
        let text =
            "-----BEGIN PKCS7-----\n\(receipt().base64EncodedString(options: .lineLength64Characters))\n-----END PKCS7-----\n"
        expectEqual(try run(text.utf8, "--allow-local-testing").code, .success)
    }

    @Test func `another bundle identifier and another device are named`() throws {
        let data = receipt { $0.deviceIdentifier = [0, 1, 2, 3, 4, 5] }
        for (option, value, check) in [
            ("--bundle-id", "com.example.other", "bundleID"), ("--device-id", "00:01:02:03:04:06", "device"),
        ] {
            expect(try run(data, "--allow-local-testing", option, value), .failure, "", ["✗ \(check)"])
        }
    }

    @Test(arguments: [
        ("00:01:02:03:04:05", 6), ("AAECAwQF", 6), ("00010203-0405-0607-0809-0A0B0C0D0E0F", 16 as UInt8),
    ])
    func `a device is given as a MAC address, in base64, or as a UUID`(device: String, count: UInt8) throws {
        let data = receipt { $0.deviceIdentifier = Array(0..<count) }
        expectEqual(try run(data, "--allow-local-testing", "--device-id", device).code, .success)
    }

    @Test func `a verifyReceipt response is printed, and not verified without a signature`() throws {
        let json = """
            {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.app","in_app":[{"product_id":"pro","transaction_id":"5",
            "purchase_date_ms":"1767000000000"}]},"pending_renewal_info":[]}
            """
        let run = try run(json.utf8, "--bundle-id", "com.example.app")
        expect(run, .failure, "verifyReceipt response (JSON)", ["✗ signature", "✓ bundleID", "pro"])
    }

    @Test func `a refusal of verifyReceipt is printed with its status`() throws {
        expect(try run("{\"status\":21003}".utf8), .failure, "", ["✗ status", "21003"])
    }

    @Test func `a signed transaction is printed and verified`() throws {
        let payload = """
            {"transactionId":"9","originalTransactionId":"8","bundleId":"com.example.app","productId":"weekly","purchaseDate":1767139200000,
            "expiresDate":1767744000000,"signedDate":1767139200000,"environment":"Sandbox","type":"Auto-Renewable Subscription","quantity":1}
            """
        let token = token(payload).utf8
        expectEqual(try run(token).code, .failure, "the simulator's root isn't trusted")
        let run = try run(token, "--allow-local-testing", "--bundle-id", "com.example.app")
        expect(run, .success, "signed transaction (JWS)", ["subscribed"])
    }

    static let renewal = """
        {"originalTransactionId":"8","signedDate":1767139200000,"productId":"weekly","autoRenewProductId":"monthly","autoRenewStatus":1,
        "isInBillingRetryPeriod":true,"gracePeriodExpiresDate":1767744000000,"expirationIntent":2,"environment":"Sandbox"}
        """

    private static let appTransaction = """
        {"receiptType":"Sandbox","bundleId":"com.example.app","applicationVersion":"42","originalApplicationVersion":"1.0",
        "receiptCreationDate":1767139200000,"originalPurchaseDate":1767052800000}
        """

    private func object(_ run: CommandRun) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    func token(_ payload: String) -> String { SimulatedJWSIssuer().issue(payload: Data(payload.utf8)) }

    func notification(_ type: String = "DID_FAIL_TO_RENEW") -> String {
        let transaction = token(
            """
            {"transactionId":"9","originalTransactionId":"8","bundleId":"com.example.app","productId":"weekly","purchaseDate":1767139200000,
            "expiresDate":1767222000000,"signedDate":1767139200000,"environment":"Sandbox","quantity":1}
            """)
        return token(
            """
            {"notificationType":"\(type)","subtype":"GRACE_PERIOD","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20",
            "signedDate":1767139200000,"tomorrow":1,"data":{"bundleId":"com.example.app","environment":"Sandbox","status":4,
            "signedTransactionInfo":"\(transaction)","signedRenewalInfo":"\(token(Self.renewal))"}}
            """)
    }

    @Test func `signed renewal information is printed, and names no app`() throws {
        let text = token(Self.renewal).utf8
        expect(
            try run(text, "--allow-local-testing"), .success, "signed renewal information (JWS), ",
            lines: ["weekly 8 yes monthly yes 2026-01-07T00:00:00Z 2"])
        let asked = try run(text, "--allow-local-testing", "--bundle-id", "com.example.app")
        expect(asked, .failure, "", ["✗ bundleID"])
    }

    @Test func `a signed app transaction is printed and verified`() throws {
        let run = try run(
            token(Self.appTransaction).utf8, "--allow-local-testing", "--bundle-id", "com.example.app")
        expect(
            run, .success, "signed app transaction (JWS), ",
            lines: ["app com.example.app", "version 42", "first version 1.0", "first bought 2025-12-30T00:00:00Z"])
    }

    @Test(arguments: [false, true])
    func `a notification is printed with its signed data, and verified, also as a request body`(isPosted: Bool) throws {
        let text = isPosted ? "{\"signedPayload\":\"\(notification())\"}\n" : notification()
        let run = try run(text.utf8, "--allow-local-testing", "--bundle-id", "com.example.app")
        expect(
            run, .success, "App Store Server Notification (JWS), ", ["✓ content"],
            lines: [
                "type DID_FAIL_TO_RENEW", "subtype GRACE_PERIOD", "id 002E14D5-51F5-4503-B5A8-C3A1AF68EB20", "status 4",
                "unknown fields tomorrow", "weekly 1 9 8 2025-12-31T00:00:00Z 2025-12-31T23:00:00Z",
                "weekly inGracePeriod 2026-01-07T00:00:00Z yes", "weekly 8 yes monthly yes 2026-01-07T00:00:00Z 2",
            ])
    }

    @Test func `a notification of an unknown type is printed as JSON`() throws {
        let run = try run(notification("TOMORROW").utf8, "--allow-local-testing", "--json")
        expectEqual(run.code, .success)
        let object = try object(run)
        let notification = try #require(object["notification"] as? [String: Any])
        #expect(notification["type"] as? String == "TOMORROW" && notification["status"] as? Int == 4)
        expectEqual((notification["unknownFields"] as? [String: Any])?.keys.sorted(), ["tomorrow"])
    }

    @Test func `a notification of production is verified without an Apple ID`() throws {
        let payload = """
            {"notificationType":"TEST","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20","version":"2.0",
            "signedDate":1767139200000,"data":{"bundleId":"com.example.app","appAppleId":5,"environment":"Production"}}
            """
        let run = try run(token(payload).utf8, "--allow-local-testing", "--bundle-id", "com.example.app")
        expectEqual(run.code, .success)
    }

    @Test func `a notification with signed data for another app is not verified`() throws {
        let run = try run(notification().utf8, "--allow-local-testing", "--bundle-id", "com.example.other")
        expect(run, .failure, "", ["✗ bundleID"])
    }

    @Test func `a signed payload of an unknown kind is verified`() throws {
        let run = try run(token("{\"signedDate\":1767139200000,\"news\":1}").utf8, "--allow-local-testing")
        expect(run, .success, "signed payload (JWS), ")
    }

    @Test(arguments: ["", " \n", "hello", "{\"status\":", "a.b.c", "MIIB", "0", "{}", "[1]", "PGh0bWw+"])
    func `a file that is not a receipt is malformed`(text: String) throws {
        let run = try run(text.utf8)
        expectEqual(run.code, .malformed)
        #expect(run.errors.contains("expected"))
        #expect(run.output.isEmpty)
    }

    @Test func `JSON has the same results`() throws {
        let run = try run(receipt(), "--allow-local-testing", "--json")
        expectEqual(run.code, .success)
        let object = try object(run)
        #expect(object["isVerified"] as? Bool == true)
        let subscriptions = try #require(object["subscriptions"] as? [[String: Any]])
        #expect(subscriptions.first?["state"] as? String == "subscribed")
        #expect(subscriptions.first?["expires"] as? String == "2026-01-07T00:00:00Z")
        let steps = try #require(object["verification"] as? [[String: String]])
        #expect(steps.contains { $0["check"] == "signature" && $0["outcome"] == "passed" })
    }

    @Test func `control characters in a receipt do not reach the terminal`() throws {
        let run = try run(receipt { $0.transactions[0].productID = "evil\u{1B}[2J\u{202E}\u{7}\u{0}" })
        let controls: [UInt32] = [0, 0x1B, 0x202E, 7]
        #expect(!run.output.unicodeScalars.contains { controls.contains($0.value) })
        #expect(run.output.contains("evil�[2J���"))
    }

    @Test func `control characters in a receipt are escaped in JSON`() throws {
        let run = try run(receipt { $0.transactions[0].productID = "evil\u{1B}[2J\u{202E}\u{7}\u{9B}" }, "--json")
        let controls: [UInt32] = [0x1B, 0x202E, 7, 0x9B]
        #expect(!run.output.unicodeScalars.contains { controls.contains($0.value) })
        let object = try object(run)
        let transactions = try #require((object["receipt"] as? [String: Any])?["transactions"] as? [[String: Any]])
        #expect(transactions.contains { $0["productID"] as? String == "evil\u{1B}[2J\u{202E}\u{7}\u{9B}" })
    }

    @Test func `a long identifier is printed in full`() throws {
        let id = "com.example.app.subscription.premium.monthly.with-a-trial"
        #expect(try run(receipt { $0.transactions[0].productID = id }).output.contains("  \(id)  "))
    }

    @Test func `a wrong device identifier is named`() async {
        let run = await CommandRun.of("receipt", "file", "--device-id", "xyz!")
        let line =
            "store receipt: --device-id takes a UUID, a MAC address or base64, not \"xyz!\". See 'store receipt --help'.\n"
        expectEqual(run, CommandRun(code: .usage, output: "", errors: line))
    }

    @Test func `a malformed file is one line on standard error`() async throws {
        let file = try TemporaryFile("hello")
        let run = await CommandRun.of("receipt", file.path)
        expectEqual(run.code, .malformed)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("store receipt: \(file.path) is malformed at byte 0: expected "))
        expectEqual(run.errors.count { $0 == "\n" }, 1)
    }

    @Test func `a receipt can come from standard input`() async throws {
        let text = Data(receipt().base64EncodedString().utf8)
        let run = await CommandRun.of(["receipt", "-", "--allow-local-testing"], input: text)
        #expect(run.errors.isEmpty && run.output.hasPrefix("App Store receipt (PKCS#7 in base64), \(text.count) bytes"))
        let empty = await CommandRun.of(["receipt", "-"])
        #expect(
            empty.code == .malformed && empty.errors == "store receipt: standard input is empty; expected a receipt.\n")
        let device = await CommandRun.of(["receipt", "/dev/zero"])
        #expect(device.errors.hasSuffix("not a receipt. To read standard input, use - as the file.\n"))
    }

    @Test func `on a narrow terminal a table becomes a list`() async throws {
        let file = try TemporaryFile(receipt())
        let run = await CommandRun.of(["receipt", file.path, "--allow-local-testing"], columns: 40)
        #expect(run.lines.contains("  product      com.example.pro"))
        #expect(run.lines.contains("  transaction  1001"))
        for line in run.lines { #expect(line.columnCount <= 40, "\(line)") }
    }
}
