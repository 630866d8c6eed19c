import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppReceipt
@testable import AppStoreServer

@Suite(.bounded) struct VerifyReceiptResponseTests {
    private typealias F = ReceiptFixtures

    private func purchase(_ members: String) throws -> ReceiptTransaction {
        try #require(Receipt.unverified(verifyReceiptJSON: F.answer(inApp: F.row("pro", members))).transactions.first)
    }

    private func failure(_ json: Data) -> MalformedReceiptError? {
        #expect(throws: MalformedReceiptError.self) { try VerifyReceiptResponse.unverified(json: json) }
    }

    @Test func `every documented field of the application is read`() throws {
        let json = Data(
            """
            {"status":0,"environment":"Production","latest_receipt":"MIIB","is-retryable":"0","receipt":{"receipt_type":"ProductionVPP",
            "adam_id":123456789012,"app_item_id":123456789012,"bundle_id":"com.example.app","application_version":"42",
            "download_id":77000000000001,"version_external_identifier":880000001,
            "receipt_creation_date":"2026-01-02 00:00:00 Etc/GMT","receipt_creation_date_ms":"\(F.milliseconds(1))",
            "receipt_creation_date_pst":"2026-01-01 16:00:00 America/Los_Angeles","request_date":"2026-01-03 00:00:00 Etc/GMT",
            "request_date_ms":"\(F.milliseconds(2))","request_date_pst":"2026-01-02 16:00:00 America/Los_Angeles",
            "original_purchase_date_ms":"\(F.milliseconds(0))","original_application_version":"7","preorder_date_ms":"\(F.milliseconds(-9))",
            "expiration_date_ms":"\(F.milliseconds(90))","in_app":[],"zebra":{"stripes":[1,2.50,"many",null,true]}},"quagga":false}
            """.utf8)
        let response = try VerifyReceiptResponse.unverified(json: json)
        let receipt = try #require(response.receipt)
        #expect(response.status == 0 && response.environment == .production && !response.isRetryable)
        expectEqual(response.unknownFields, ["quagga": .bool(false)])
        let contents = receipt.contents
        #expect(contents.source == .verifyReceipt && contents.environment == .production && contents.isVolumePurchase)
        expectEqual(contents.appStoreID, 123_456_789_012)
        expectEqual(contents.downloadID, 77_000_000_000_001)
        expectEqual(contents.versionExternalIdentifier, 880_000_001)
        expectEqual(contents.bundleID, "com.example.app")
        expectEqual(contents.applicationVersion, "42")
        expectEqual(contents.originalApplicationVersion, "7")
        expectEqual(contents.creationDate, F.day(1))
        expectEqual(contents.requestDate, F.day(2))
        expectEqual(contents.originalPurchaseDate, F.day(0))
        expectEqual(contents.preorderDate, F.day(-9))
        expectEqual(contents.expirationDate, F.day(90))
        expectEqual(contents.latestReceipt, Data([0x30, 0x82, 0x01]))
        expectEqual(
            contents.unknownFields,
            [
                "zebra": .object([
                    "stripes": .array([.number("1"), .number("2.50"), .string("many"), .null, .bool(true)])
                ])
            ])
    }

    @Test func `every documented field of a purchase is read`() throws {
        let row = try purchase(
            """
            "expires_date_ms":"\(F.milliseconds(30))","cancellation_date_ms":"\(F.milliseconds(3))","cancellation_reason":"1",
            "is_trial_period":"true","is_in_intro_offer_period":"false","is_upgraded":"true","promotional_offer_id":"back",
            "offer_code_ref_name":"fair","subscription_group_identifier":"200","web_order_line_item_id":"55",
            "in_app_ownership_type":"FAMILY_SHARED","app_account_token":"7b5a5cb8-239a-4cd1-b5d8-968cc1d437f4","novelty":"new"
            """)
        expectEqual(row.expirationDate, F.day(30))
        expectEqual(row.revocationDate, F.day(3))
        expectEqual(row.revocationReason, .developerIssue)
        #expect(row.isTrialPeriod && !row.isInIntroductoryOfferPeriod && row.isUpgraded && row.isFamilyShared)
        expectEqual(row.promotionalOfferID, "back")
        expectEqual(row.offerCodeReferenceName, "fair")
        expectEqual(row.subscriptionGroupID, "200")
        expectEqual(row.webOrderLineItemID, "55")
        expectEqual(row.appAccountToken, UUID(uuidString: "7B5A5CB8-239A-4CD1-B5D8-968CC1D437F4"))
        expectEqual(row.unknownFields, ["novelty": .string("new")])
        expectEqual(row.quantity, 1)
        expectEqual(row.transactionID, "1000")
        expectEqual(row.originalTransactionID, "1000")
    }

    @Test func `every documented field of a renewal is read`() throws {
        let json = F.answer(
            """
            "pending_renewal_info":[{"auto_renew_product_id":"yearly","auto_renew_status":"1","expiration_intent":"2",
            "grace_period_expires_date_ms":"\(F.milliseconds(16))","is_in_billing_retry_period":"1","offer_code_ref_name":"fair",
            "original_transaction_id":"1000","price_consent_status":"0","price_increase_status":"1","product_id":"monthly",
            "promotional_offer_id":"back","novelty":1}]
            """)
        let renewal = try #require(Receipt.unverified(verifyReceiptJSON: json).renewals.first)
        expectEqual(renewal.productID, "monthly")
        expectEqual(renewal.autoRenewPreference, "yearly")
        expectEqual(renewal.originalTransactionID, "1000")
        #expect(renewal.willAutoRenew == true && renewal.isInBillingRetry && renewal.expirationReason == .billingError)
        expectEqual(renewal.gracePeriodExpirationDate, F.day(16))
        expectEqual(renewal.priceIncreaseStatus, .agreed)
        expectEqual(renewal.promotionalOfferID, "back")
        expectEqual(renewal.offerCodeReferenceName, "fair")
        expectEqual(renewal.unknownFields, ["novelty": .number("1")])
    }

    @Test(arguments: ["\"true\"", "true", "\"1\"", "1", "\"TRUE\""])
    func `a boolean may be a word, a digit or a string of either`(spelling: String) throws {
        #expect(try purchase("\"is_trial_period\":\(spelling)").isTrialPeriod)
    }

    @Test(arguments: ["\"false\"", "false", "\"0\"", "0", "null", "\"\""])
    func `missing values and all spellings of false are false`(spelling: String) throws {
        #expect(try !purchase("\"is_trial_period\":\(spelling)").isTrialPeriod)
    }

    @Test(arguments: [
        "\"expires_date_ms\":\"1767225600000\"", "\"expires_date_ms\":1767225600000",
        "\"expires_date_ms\":1767225600000.0",
        "\"expires_date\":\"2026-01-01 00:00:00 Etc/GMT\"", "\"expires_date\":\"1767225600000\"",
        "\"expires_date\":\"2026-01-01T00:00:00Z\"", "\"expires_date\":\"2026-01-01T02:00:00+0200\"",
        "\"expires_date_pst\":\"2025-12-31 16:00:00 America/Los_Angeles\"",
        "\"expires_date_ms\":null,\"expires_date\":\"2026-01-01 00:00:00 Etc/GMT\"",
        "\"expires_date_ms\":\"\",\"expires_date\":\"2026-01-01 00:00:00 Etc/GMT\"",
    ])
    func `a date is read from any of its spellings`(members: String) throws {
        expectEqual(try purchase(members).expirationDate, F.newYear)
    }

    @Test(arguments: [
        ("2026-03-08 01:59:59", "2026-03-08T09:59:59Z"), ("2026-03-08 03:00:00", "2026-03-08T10:00:00Z"),
        ("2026-07-01 00:00:00", "2026-07-01T07:00:00Z"), ("2026-11-01 01:59:59", "2026-11-01T08:59:59Z"),
        ("2026-11-01 02:00:00", "2026-11-01T10:00:00Z"), ("2027-03-14 03:00:00", "2027-03-14T10:00:00Z"),
        ("2027-11-07 00:00:00", "2027-11-07T07:00:00Z"), ("2025-12-31 16:00:00", "2026-01-01T00:00:00Z"),
    ])
    func `Pacific time is read before and after the change to daylight saving time`(pacific: String, expected: String)
        throws
    {
        let row = try purchase("\"expires_date_pst\":\"\(pacific) America/Los_Angeles\"")
        expectEqual(row.expirationDate?.ISO8601Format(), expected)
    }

    @Test func `Pacific time agrees with the system's time zone database`() throws {
        guard let zone = TimeZone(identifier: "America/Los_Angeles") else { return }
        for hour in stride(from: 0, to: 20 * 366 * 24, by: 11) {
            let date = Date(timeIntervalSince1970: 1_230_768_000 + Double(hour) * 3_600)
            let shown = date.addingTimeInterval(Double(zone.secondsFromGMT(for: date))).ISO8601Format()
            let text = shown.replacing("T", with: " ").replacing("Z", with: " America/Los_Angeles")
            let read = try #require(VerifyReceiptDate.date(Array(text.utf8)[...]))
            // One of the two ambiguous hours is read as the other.
            #expect(
                read == date
                    || (read == date.addingTimeInterval(-3_600) && shown.contains("-11-0") && shown.contains("T01:")))
        }
    }

    @Test func `numbers and strings are interchangeable`() throws {
        let json = F.answer(
            inApp: """
                {"quantity":2,"product_id":"pro","transaction_id":1000000123456789,"original_transaction_id":7,"purchase_date_ms":1767225600000,
                "web_order_line_item_id":9007199254740993}
                """)
        let row = try #require(Receipt.unverified(verifyReceiptJSON: json).transactions.first)
        expectEqual(row.quantity, 2)
        expectEqual(row.transactionID, "1000000123456789")
        expectEqual(row.originalTransactionID, "7")
        expectEqual(row.webOrderLineItemID, "9007199254740993", "no digit is lost")
        expectEqual(row.purchaseDate, F.newYear)
        expectEqual(row.originalPurchaseDate, F.newYear)
    }

    @Test func `latest_receipt_info may be an array, an object, null, empty or missing`() throws {
        let row = F.row("weekly")
        expectEqual(
            try Receipt.unverified(verifyReceiptJSON: F.answer("\"latest_receipt_info\":[\(row)]")).transactions.count,
            1)
        expectEqual(
            try Receipt.unverified(verifyReceiptJSON: F.answer("\"latest_receipt_info\":\(row)")).transactions.count, 1)
        for nothing in [
            "\"latest_receipt_info\":null", "\"latest_receipt_info\":[]", "\"latest_receipt_info\":\"\"", "",
        ] {
            #expect(try Receipt.unverified(verifyReceiptJSON: F.answer(nothing)).transactions.isEmpty)
        }
    }

    @Test func `a transaction in both lists comes from the newer list, and rows of one list are kept`() throws {
        let old = F.row("weekly", "\"expires_date_ms\":1767225600000")
        let new = F.row("weekly", "\"expires_date_ms\":1767225600000,\"subscription_group_identifier\":\"200\"")
        let json = F.answer("\"latest_receipt_info\":[\(new)]", inApp: old + "," + F.row("coins", transaction: "5"))
        let receipt = try Receipt.unverified(verifyReceiptJSON: json)
        expectEqual(receipt.transactions(of: "weekly").map(\.subscriptionGroupID), ["200"])
        #expect(receipt.owns("coins", at: .now))
    }

    @Test func `a receipt in the style of iOS 6 is a purchase itself`() throws {
        let json = Data(
            """
            {"status":21006,"auto_renew_status":0,"auto_renew_product_id":"weekly","expiration_intent":"1","is_in_billing_retry_period":"0",
            "receipt":{"bid":"com.example.app","bvrs":"3","item_id":"55","product_id":"weekly","quantity":"1","transaction_id":"2",
            "original_transaction_id":"1","purchase_date":"2026-01-01 00:00:00 Etc/GMT","expires_date":"\(F.milliseconds(7))",
            "original_purchase_date":"2025-01-01 00:00:00 Etc/GMT",
            "expires_date_formatted":"2026-01-08 00:00:00 Etc/GMT","unique_identifier":"abc"},
            "latest_expired_receipt_info":{"bid":"com.example.app","product_id":"weekly","quantity":"1","transaction_id":"3",
            "original_transaction_id":"1","purchase_date":"2026-01-08 00:00:00 Etc/GMT","expires_date":"\(F.milliseconds(14))"}}
            """.utf8)
        let receipt = try Receipt.unverified(verifyReceiptJSON: json)
        expectEqual(receipt.bundleID, "com.example.app")
        expectEqual(receipt.applicationVersion, "3")
        expectEqual(receipt.contents.originalPurchaseDate, nil, "the date of the purchase, not of the app")
        expectEqual(receipt.transactions.map(\.transactionID), ["3", "2"])
        expectEqual(receipt.contents.unknownFields, ["unique_identifier": .string("abc")])
        let status = receipt.subscriptionStatus(of: "weekly", at: .date(F.day(20)))
        expectEqual(status.state, .expired)
        expectEqual(status.expirationDate, F.day(14))
        expectEqual(status.willAutoRenew, false)
        expectEqual(status.renewal?.expirationReason, .autoRenewDisabled)
    }

    @Test func `a rejection has a status and no receipt`() throws {
        let response = try VerifyReceiptResponse.unverified(
            json: Data(#"{"status":"21102","is-retryable":true,"environment":"Sandbox"}"#.utf8))
        #expect(
            response.status == 21_102 && response.isRetryable && response.receipt == nil
                && response.environment == .sandbox)
        #expect(throws: MalformedReceiptError.self) {
            try Receipt.unverified(verifyReceiptJSON: Data(#"{"status":21002}"#.utf8))
        }
    }

    @Test(arguments: ["21003", "21010", "\"21000\"", "1", "-1"])
    func `a rejection has no receipt, even if it contains one`(status: String) throws {
        let json = Data(
            String(decoding: F.answer(inApp: F.row("pro")), as: UTF8.self)
                .replacing("\"status\":0", with: "\"status\":\(status)").utf8)
        expectEqual(try VerifyReceiptResponse.unverified(json: json).receipt, nil)
        #expect(throws: MalformedReceiptError.self) { try Receipt.unverified(verifyReceiptJSON: json) }
        #expect(try VerifyReceiptResponse(leniently: [UInt8](json)).receipt != nil, "an app has decided already")
    }

    @Test(arguments: ["", "\"status\":null,", "\"status\":\"\","])
    func `a receipt without a status is malformed, except in lenient reading`(status: String) throws {
        let json = Data(
            String(decoding: F.answer(inApp: F.row("pro")), as: UTF8.self)
                .replacing("\"status\":0,", with: status).utf8)
        expectEqual(failure(json)?.expected, "status in the object")
        let response = try VerifyReceiptResponse(leniently: [UInt8](json))
        #expect(response.status == 0 && response.receipt?.transactions.count == 1)
    }

    @Test func `lists without a receipt are read`() throws {
        let json = Data(
            """
            {"status":0,"environment":"Production","latest_receipt":"MIIB",\
            "latest_receipt_info":[\(F.row("weekly", "\"expires_date_ms\":\"\(F.milliseconds(7))\""))],\
            "pending_renewal_info":[{"product_id":"weekly","auto_renew_product_id":"yearly","auto_renew_status":"1"}]}
            """.utf8)
        for json in [
            json,
            Data(
                String(decoding: json, as: UTF8.self).replacing("{\"status\"", with: "{\"receipt\":null,\"status\"")
                    .utf8),
        ] {
            let receipt = try Receipt.unverified(verifyReceiptJSON: json)
            #expect(receipt.source == .verifyReceipt && receipt.environment == .production && receipt.bundleID == nil)
            let status = receipt.subscriptionStatus(of: "weekly", at: .date(F.day(3)))
            #expect(status.state == .subscribed && status.renewal?.autoRenewPreference == "yearly")
            expectEqual(receipt.contents.latestReceipt, Data([0x30, 0x82, 0x01]))
        }
        let empty = try Receipt.unverified(verifyReceiptJSON: Data(#"{"status":0,"latest_receipt_info":[]}"#.utf8))
        #expect(empty.transactions.isEmpty)
        for nothing in [#"{"status":0}"#, #"{"status":0,"latest_receipt_info":""}"#] {
            let error = #expect(throws: MalformedReceiptError.self) {
                try Receipt.unverified(verifyReceiptJSON: Data(nothing.utf8))
            }
            expectEqual(error?.found, "neither a receipt nor a list", "status 0 isn't a refusal")
        }
    }

    @Test(arguments: [
        ("\"purchase_date_ms\":\"soon\"", "purchase_date_ms as a date"),
        ("\"quantity\":\"many\"", "quantity as a whole number"),
        ("\"quantity\":-1", "quantity as a count"),
        ("\"is_trial_period\":\"perhaps\"", "is_trial_period as true or false"),
        ("\"product_id\":[1]", "product_id as a string"),
        ("\"expires_date\":\"2026-02-30 00:00:00 Etc/GMT\"", "expires_date as a date"),
        ("\"expires_date\":\"2026-02-03 00:00:00 Mars/Olympus\"", "expires_date as a date"),
        ("\"expires_date_ms\":99999999999999999999", "expires_date_ms as a date"),
        ("\"cancellation_reason\":{}", "cancellation_reason as"),
    ])
    func `a malformed value fails with its offset and the expected content`(member: String, expected: String) throws {
        let text = #"{"status":0,"receipt":{"in_app":[{"transaction_id":"1","#
        let name = try #require(member.split(separator: ":").first)
        var rest = "}]}}"
        if !name.contains("product_id") { rest = ",\"product_id\":\"pro\"" + rest }
        if !name.contains("purchase_date") { rest = ",\"purchase_date_ms\":1" + rest }
        let error = try #require(failure(Data((text + member + rest).utf8)))
        #expect(error.expected.contains(expected))
        #expect(error.expected.hasSuffix("of in_app[0]"))
        expectEqual(error.offset, text.utf8.count + name.utf8.count + 1)
    }

    @Test func `a row without a product, a transaction or a date is malformed`() throws {
        for name in ["product_id", "transaction_id", "purchase_date_ms"] {
            let row = F.row("pro").replacing("\"\(name)\"", with: "\"other\"")
            #expect(try #require(failure(F.answer(inApp: row))).expected.hasPrefix("\(name) in the object"))
        }
    }

    @Test func `a duplicate field is malformed, and a duplicate unknown field has the last value`() throws {
        #expect(failure(F.answer(inApp: F.row("pro", "\"quantity\":2"))) != nil)
        expectEqual(try purchase("\"new\":1,\"new\":2").unknownFields, ["new": .number("2")])
    }

    @Test func `a body that isn't a response is malformed`() {
        for text in [
            "", " ", "[]", "{}", "null", "\"status\"", "{\"status\":\"ok\"}", "<html>", "{\"status\":0,\"receipt\":7}",
        ] {
            #expect(failure(Data(text.utf8)) != nil, "\(text)")
        }
    }

    @Test func `names with escapes are the names they spell`() throws {
        #expect(try purchase(#""\u0069s_trial_period":true"#).isTrialPeriod)
    }

    @Test func `a decoded response is indexed`() throws {
        let json = F.answer(
            "\"pending_renewal_info\":[{\"product_id\":\"weekly\"}]",
            inApp: F.row("weekly", "\"new\":[null,{\"a\":1.5}]"))
        let receipt = try Receipt.unverified(verifyReceiptJSON: json)
        let copy = try JSONDecoder().decode(Receipt.self, from: JSONEncoder().encode(receipt))
        expectEqual(copy, receipt)
        expectEqual(copy.transactions.first?.unknownFields, receipt.transactions.first?.unknownFields)
        #expect(copy.source == .verifyReceipt && copy.owns("weekly", at: .now))
    }
}
