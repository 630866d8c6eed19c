import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct VerifyReceiptTests {
    // Signing takes long in a debug build.
    private let store = SimulatedAppStore.stepped { $0.signsReceipts = false }

    private func answer(
        _ receipt: Data, password: String? = nil, excludesOld: Bool? = nil, isProduction: Bool = false
    ) throws -> [String: Any] {
        var body: [String: Any] = ["receipt-data": receipt.base64EncodedString()]
        body["password"] = password
        body["exclude-old-transactions"] = excludesOld
        return try answer(to: JSONSerialization.data(withJSONObject: body), isProduction: isProduction)
    }

    private func answer(to body: Data, isProduction: Bool = false) throws -> [String: Any] {
        let response = try store.verifyReceipt(body, isProduction: isProduction)
        return try #require(try JSONSerialization.jsonObject(with: response) as? [String: Any])
    }

    private func status(_ response: [String: Any]) -> Int? { response["status"] as? Int }

    private func rows(_ response: [String: Any], _ name: String) -> [[String: String]] {
        (response[name] as? [[String: Any]] ?? []).map { $0.compactMapValues { $0 as? String } }
    }

    /// Returns the receipt on the device after purchases were finished.
    private func receipt(_ products: String...) throws -> Data {
        for product in products { store.own(product) }
        return try #require(store.launch().receipt)
    }

    @Test func `a receipt without subscriptions is answered with its purchases, in Apple's fields`() throws {
        let response = try answer(receipt("pro"))
        expectEqual(status(response), 0)
        #expect(response["environment"] as? String == "Sandbox")
        let object = try #require(response["receipt"] as? [String: Any])
        #expect(object["receipt_type"] as? String == "ProductionSandbox")
        #expect(object["bundle_id"] as? String == "com.example.app")
        #expect(object["receipt_creation_date"] as? String == "2026-01-01 00:00:00 Etc/GMT")
        #expect(object["receipt_creation_date_ms"] as? String == "1767225600000")
        #expect(object["receipt_creation_date_pst"] as? String == "2025-12-31 16:00:00 America/Los_Angeles")
        let row = try #require(rows(object, "in_app").first)
        expectEqual(row["product_id"], "pro")
        expectEqual(row["quantity"], "1")
        expectEqual(row["is_trial_period"], "false")
        expectEqual(row["transaction_id"], store.allTransactions().first?.transactionID)
        expectEqual(row["original_transaction_id"], row["transaction_id"])
        expectEqual(row["expires_date"], nil)
        expectEqual(row["cancellation_date"], nil)
        #expect(response["latest_receipt_info"] == nil)
        #expect(response["pending_renewal_info"] == nil)
    }

    @Test func `subscriptions have the App Store's current state, newest first`() throws {
        let old = try receipt("monthly")
        store.advance(by: .months(2))
        let response = try answer(old)
        let object = try #require(response["receipt"] as? [String: Any])
        expectEqual(rows(object, "in_app").count, 1)
        let latest = rows(response, "latest_receipt_info")
        expectEqual(latest.map { $0["transaction_id"] }, store.allTransactions().map(\.transactionID).reversed())
        expectEqual(latest.first?["expires_date"], "2026-04-01 00:00:00 Etc/GMT")
        #expect(latest.allSatisfy { $0["subscription_group_identifier"] == "club" })
        expectEqual(
            rows(response, "pending_renewal_info"),
            [
                [
                    "product_id": "monthly", "auto_renew_product_id": "monthly", "auto_renew_status": "1",
                    "original_transaction_id": try #require(latest.last?["transaction_id"]),
                ]
            ])
        let fresh = try #require(Data(base64Encoded: response["latest_receipt"] as? String ?? ""))
        let again = try answer(fresh)
        expectEqual(rows(try #require(again["receipt"] as? [String: Any]), "in_app").count, 3)
        expectEqual(rows(try answer(old, excludesOld: true), "latest_receipt_info").count, 1)
    }

    @Test func `a grace period, billing retry and expiry are in the response`() throws {
        let receipt = try receipt("monthly")
        store.behavior.billingGracePeriodIsEnabled = true
        store.behavior.shouldEnterBillingRetryOnRenewal = true
        func renewal() throws -> [String: String] {
            try #require(rows(try answer(receipt), "pending_renewal_info").first)
        }
        store.advance(by: .months(1))
        expectEqual(try renewal()["grace_period_expires_date"], "2026-02-17 00:00:00 Etc/GMT")
        expectEqual(try renewal()["is_in_billing_retry_period"], "1")
        expectEqual(try renewal()["expiration_intent"], "2")
        expectEqual(try renewal()["auto_renew_status"], "1")
        store.advance(by: .days(16))
        expectEqual(try renewal()["grace_period_expires_date"], nil)
        expectEqual(try renewal()["is_in_billing_retry_period"], "1")
        store.advance(by: .days(60))
        expectEqual(try renewal()["is_in_billing_retry_period"], "0")
        expectEqual(try renewal()["expiration_intent"], "2")
        expectEqual(try renewal()["auto_renew_status"], "0")
    }

    @Test func `a canceled subscription and a removed product have their expiration reasons`() throws {
        let receipt = try receipt("monthly", "trial")
        try store.disableAutoRenew(of: "monthly")
        store.catalog.products.removeAll { $0.productID == "trial" }
        store.advance(by: .months(3))
        let reasons = rows(try answer(receipt), "pending_renewal_info").map { $0["expiration_intent"] }
        expectEqual(reasons, ["1", "4"])
    }

    @Test func `an upgrade, a refund, an offer and an account token are in the response`() throws {
        let token = UUID()
        store.own("monthly")
        let observer = RecordingObserver.finishing()
        let launch = store.launch(observer)
        launch.add(SimulatedPayment(productID: "premium", applicationUsername: token.uuidString))
        launch.buy("trial")
        let receipt = try #require(launch.receipt)
        try store.refund("premium")
        let latest = rows(try answer(receipt), "latest_receipt_info")
        expectEqual(latest.map { $0["product_id"] }, ["trial", "premium", "monthly"])
        expectEqual(latest[0]["is_trial_period"], "true")
        expectEqual(latest[1]["app_account_token"], token.uuidString.lowercased())
        expectEqual(latest[1]["cancellation_reason"], "0")
        expectEqual(latest[1]["cancellation_date"], "2026-01-01 00:00:00 Etc/GMT")
        expectEqual(latest[2]["is_upgraded"], "true")
        expectEqual(latest[2]["original_transaction_id"], latest[1]["original_transaction_id"])
        let object = try #require(try answer(receipt)["receipt"] as? [String: Any])
        expectEqual(rows(object, "in_app").count { $0["cancellation_date"] != nil }, 2)
    }

    @Test func `finished consumables are not listed, unfinished ones are`() throws {
        let observer = RecordingObserver()
        let launch = store.launch(observer)
        launch.buy("monthly", "coins")
        let receipt = try #require(launch.receipt)
        expectEqual(rows(try answer(receipt), "latest_receipt_info").map { $0["product_id"] }, ["coins", "monthly"])
        for transaction in launch.transactions { launch.finishTransaction(transaction.id) }
        expectEqual(rows(try answer(receipt), "latest_receipt_info").map { $0["product_id"] }, ["monthly"])
    }

    @Test(arguments: [
        "", "x", "{}", "[]", "{\"receipt-data\": 5}", "{\"receipt-data\": \"AAAA\"}", "{\"receipt-data\": \"MIIB\"}",
    ])
    func `data that isn't a receipt is rejected with 21002`(body: String) throws {
        expectEqual(status(try answer(to: Data(body.utf8))), 21_002)
    }

    @Test func `a receipt of another issuer is rejected with 21003`() throws {
        var receipt = try receipt("pro")
        expectEqual(status(try answer(receipt)), 0)
        receipt[receipt.count - 1] ^= 1
        expectEqual(status(try answer(receipt)), 21_003)
        store.behavior.signsReceipts = true
        receipt = try self.receipt()
        expectEqual(status(try answer(receipt)), 0)
        receipt[receipt.count - 1] ^= 1
        expectEqual(status(try answer(receipt)), 21_003)
    }

    @Test func `no prefix of a receipt is accepted, or crashes the service`() throws {
        let receipt = try receipt("pro")
        for length in 0..<receipt.count {
            let code = status(try answer(receipt.prefix(length)))
            #expect(code == 21_002 || code == 21_003)
        }
    }

    @Test func `a receipt without a signature is rejected if receipts are signed`() throws {
        let receipt = try receipt("pro")
        store.behavior.signsReceipts = true
        expectEqual(status(try answer(receipt)), 21_003)
    }

    @Test func `receipts with subscriptions require the shared secret`() throws {
        store.behavior.sharedSecret = "secret"
        let plain = try receipt("pro")
        expectEqual(status(try answer(plain)), 0)
        let receipt = try receipt("monthly")
        expectEqual(status(try answer(receipt)), 21_004)
        expectEqual(status(try answer(receipt, password: "other")), 21_004)
        expectEqual(status(try answer(receipt, password: "secret")), 0)
    }

    @Test func `each service accepts the receipts of its own environment`() throws {
        expectEqual(status(try answer(receipt("pro"), isProduction: true)), 21_007)
        var issuer = SimulatedReceiptIssuer()
        issuer.signs = false
        let production = SimulatedReceipt(bundleID: "com.example.app", creationDate: store.now)
        expectEqual(status(try answer(issuer.issue(production))), 21_008)
        expectEqual(status(try answer(issuer.issue(production), isProduction: true)), 0)
    }

    @Test func `the service can be unavailable`() throws {
        store.behavior.verifyReceiptStatus = 21_005
        expectEqual(try answer(to: Data()).keys.sorted(), ["status"])
        store.behavior.verifyReceiptStatus = 21_104
        #expect(try answer(to: Data())["is-retryable"] as? Bool == true)
    }
}
