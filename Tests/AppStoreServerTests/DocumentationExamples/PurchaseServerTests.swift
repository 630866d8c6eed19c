import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// The server of the article "Purchases on a server".
@Suite(.bounded) struct PurchaseServerTests {
    private typealias F = ReceiptFixtures

    private var server = PurchaseServer(
        receipts: LocalReceiptVerifier(
            bundleID: "com.example.app", environment: .sandbox, device: nil,
            trustAnchors: .pinning(SimulatedReceiptIssuer.rootCertificate)),
        payloads: Self.payloads(on: 3))

    private static let (ann, bob) = (UUID(), UUID())
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)
    /// Returns a verifier of payloads that arrive a number of days after the purchase.
    private static func payloads(on day: Double) -> AppStoreServerVerifier {
        var verifier = AppStoreServerVerifier(
            bundleID: "com.example.app", appStoreID: 1_234_567_890, environment: .sandbox,
            trustAnchors: .pinning(SimulatedJWSIssuer.rootCertificate))
        verifier.date = date.addingTimeInterval(day * 86_400)
        return verifier
    }

    private func receipt(_ change: (inout SimulatedReceipt) -> Void = { _ in }) -> Data {
        var receipt = SimulatedReceipt(bundleID: "com.example.app", creationDate: Self.date, environment: .sandbox)
        let coins = SimulatedReceiptTransaction(
            productID: "com.example.coins", transactionID: "7", purchaseDate: Self.date, quantity: 3)
        var month = SimulatedReceiptTransaction(
            productID: "com.example.monthly", transactionID: "8", purchaseDate: Self.date)
        month.expirationDate = Self.date.addingTimeInterval(30 * 86_400)
        receipt.transactions = [coins, month]
        change(&receipt)
        return SimulatedReceiptIssuer().issue(receipt)
    }

    /// A body as `HTTPDeliveryPayload.json()` describes it.
    private func body(_ receipt: Data?, key: String = "7", transaction: String = "7", original: String? = nil) throws
        -> Data
    {
        var row: [String: Any] = [
            "deliveryKey": key, "productID": "com.example.coins", "quantity": 1_000, "state": "purchased",
            "isRedelivery": false,
            "isInReceipt": true, "transactionID": transaction,
        ]
        row["originalTransactionID"] = original
        var body: [String: Any] = ["deliveryKey": key, "cause": "requested", "attempt": 0, "transactions": [row]]
        body["receipt"] = receipt?.base64EncodedString()
        return try JSONSerialization.data(withJSONObject: body)
    }

    private func notification(
        _ type: String, id: Int = 1, transaction: String = "7", product: String = "com.example.coins",
        signed: Double = 1,
        members: String = ""
    ) -> Data {
        let issuer = SimulatedJWSIssuer()
        func milliseconds(_ days: Double) -> Int64 {
            Int64(Self.date.addingTimeInterval(days * 86_400).timeIntervalSince1970 * 1_000)
        }
        let info = issuer.issue(
            payload: Data(
                """
                {"transactionId":"\(transaction)","originalTransactionId":"\(transaction)","bundleId":"com.example.app","productId":"\(product)",
                "purchaseDate":\(milliseconds(0)),"signedDate":\(milliseconds(signed)),"quantity":3,"environment":"Sandbox"\(members)}
                """.utf8))
        let payload = """
            {"notificationType":"\(type)","notificationUUID":"00000000-0000-0000-0000-\(String(format: "%012d", id))","version":"2.0",
            "signedDate":\(milliseconds(signed)),"data":{"bundleId":"com.example.app","environment":"Sandbox","signedTransactionInfo":"\(info)"}}
            """
        return Data("{\"signedPayload\":\"\(issuer.issue(payload: Data(payload.utf8)))\"}".utf8)
    }

    @Test func `a delivery is verified and credited once, with the data of the receipt`() throws {
        var server = server
        expectEqual(server.deliver(try body(receipt()), session: Self.ann), .accepted(["7"]))
        expectEqual(server.coins, [Self.ann: 3], "the receipt's quantity, not the body's")
        expectEqual(server.deliver(try body(receipt()), session: Self.ann).status, 200)
        expectEqual(server.deliver(try body(receipt(), key: "another"), session: Self.ann).status, 200)
        expectEqual(server.coins, [Self.ann: 3], "a transaction is credited once, with any key")
    }

    @Test func `a copied receipt gives another account neither coins nor a subscription`() throws {
        var server = server
        _ = server.deliver(try body(receipt()), session: Self.ann)
        _ = server.deliver(try body(receipt(), key: "8", transaction: "8"), session: Self.ann)
        for transaction in ["7", "8"] {
            let copy = server.deliver(
                try body(receipt(), key: transaction, transaction: transaction), session: Self.bob)
            expectEqual(copy, .accepted([transaction]), "it was delivered to the account that sent it first")
        }
        expectEqual(server.coins, [Self.ann: 3])
        expectEqual(server.subscription(of: Self.bob, at: Self.date).state, .neverSubscribed)
        expectEqual(
            server.notify(notification("REFUND", signed: 2, members: ",\"revocationDate\":1700000000001")).status,
            200)
        expectEqual(server.coins, [Self.ann: 0], "the refund applies to the account with the coins")
    }

    @Test func `a refund before the delivery is kept, and a newer receipt takes precedence over an older notification`()
        throws
    {
        var server = server
        let refund = notification("REFUND", id: 1, signed: 2, members: ",\"revocationDate\":1700000000001")
        expectEqual(server.notify(refund).status, 200)
        expectEqual(server.deliver(try body(receipt()), session: Self.ann), .accepted(["7"]))
        expectEqual(server.coins, [:])
        let newer = receipt { $0.creationDate = Self.date.addingTimeInterval(3 * 86_400) }
        expectEqual(server.deliver(try body(newer, key: "newer"), session: Self.ann), .accepted(["newer"]))
        expectEqual(server.coins, [Self.ann: 3])
    }

    @Test func `a purchase that can't be verified now is requested again, for whatever reason`()
        throws
    {
        var server = server
        expectEqual(server.deliver(try body(receipt(), transaction: "9"), session: Self.ann).status, 503)
        expectEqual(server.deliver(try body(nil), session: Self.ann).status, 503)
        expectEqual(server.deliver(Data("{}".utf8), session: Self.ann).status, 400)
        expectEqual(
            server.deliver(try body(receipt(), key: "r", transaction: "70", original: "7"), session: Self.ann)
                .status, 200,
            "restored")
        var spoiled = receipt()
        spoiled[spoiled.count - 1] ^= 1
        expectEqual(server.deliver(try body(spoiled, key: "s"), session: Self.ann).status, 503)
        let other = receipt { $0.bundleID = "com.example.other" }
        expectEqual(server.deliver(try body(other, key: "o"), session: Self.ann).status, 503)
        let production = receipt { $0.environment = .production }
        expectEqual(server.deliver(try body(production, key: "p"), session: Self.ann).status, 503)
        expectEqual(server.coins, [Self.ann: 3])
    }

    @Test func `a refund removes the coins, its reversal restores them, and a repeated notification has no effect`()
        throws
    {
        var server = server
        _ = server.deliver(try body(receipt()), session: Self.ann)
        let refund = notification("REFUND", id: 1, signed: 2, members: ",\"revocationDate\":1700000000001")
        expectEqual(server.notify(refund).status, 200)
        expectEqual(server.notify(refund).status, 200)
        expectEqual(server.coins, [Self.ann: 0])
        let reversal = notification("REFUND_REVERSED", id: 2, signed: 3)
        expectEqual(server.notify(reversal).status, 200)
        expectEqual(server.notify(reversal).status, 200)
        expectEqual(server.coins, [Self.ann: 3])
    }

    @Test func `the subscription follows the statement signed last, in any order`() throws {
        var server = PurchaseServer(receipts: server.receipts, payloads: Self.payloads(on: 8))
        _ = server.deliver(try body(receipt(), key: "8", transaction: "8"), session: Self.ann)
        let day = { (days: Double) in Self.date.addingTimeInterval(days * 86_400) }
        expectEqual(server.subscription(of: Self.ann, at: day(10)).state, .subscribed)
        func ends(_ days: Double) -> String { ",\"expiresDate\":\(Int64(day(days).timeIntervalSince1970 * 1_000))" }
        let revoked = notification(
            "REFUND", id: 3, transaction: "8", product: "com.example.monthly", signed: 5,
            members: ends(30) + ",\"revocationDate\":1700000000001")
        let extended = notification(
            "RENEWAL_EXTENDED", id: 4, transaction: "8", product: "com.example.monthly", signed: 6, members: ends(44))
        for order in [[revoked, extended], [extended, revoked]] {
            var copy = server
            for body in order { expectEqual(copy.notify(body).status, 200) }
            expectEqual(copy.subscription(of: Self.ann, at: day(40)).state, .subscribed)
            expectEqual(copy.subscription(of: Self.ann, at: day(45)).state, .expired)
        }
        expectEqual(server.notify(revoked).status, 200)
        expectEqual(server.subscription(of: Self.ann, at: day(10)).state, .revoked)
    }

    @Test func `a notification that Apple didn't sign is rejected, and one without a known account is accepted`() {
        var server = server
        expectEqual(server.notify(Data("{\"signedPayload\":\"a.b.c\"}".utf8)).status, 403)
        expectEqual(server.notify(Data()).status, 403)
        expectEqual(server.notify(notification("TEST")).status, 200)
        expectEqual(server.notify(notification("TOMORROW", id: 9)).status, 200)
        #expect(server.coins.isEmpty)
    }

    @Test func `a server of production accepts only receipts and notifications of production`() throws {
        var server = PurchaseServer.production()
        expectEqual(server.receipts.environment, .production)
        expectEqual(server.notify(notification("REFUND")).status, 403)
        expectEqual(
            server.deliver(try body(receipt()), session: Self.ann).status, 503, "signed by an unknown root")
    }

    @Test func `the fields that the server reads are those that the delivery documents`() throws {
        let files = DocumentedCode()
        let source = try files.text(of: "Tests/AppStoreServerTests/DocumentationExamples/PurchaseServer.swift")
        let structure = try #require(source.components(separatedBy: "private struct Delivery: Decodable {").last)
        let names = try #require(structure.components(separatedBy: "\n    }\n").first).matches(of: /let (\w+):/).map {
            String($0.1)
        }
        expectEqual(names.count, 6)
        let documentation = try files.text(of: "Sources/AsyncStoreKitHTTP/HTTPDeliveryPayload.swift")
        for name in names { #expect(documentation.contains("/// | `\(name)` |"), "\(name)") }
    }
}
