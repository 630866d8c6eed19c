import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// Runs of combining marks in any text of any format cost no more than other texts of the same length.
@Suite(.bounded, .serialized) struct NormalizationCostTests {
    private typealias F = ReceiptFixtures

    /// Returns `json` with each text and each name replaced by `text`, one at a time, with the name of the member.
    private func variants(_ json: String, with text: String) throws -> [(name: String, isName: Bool, json: String)] {
        let pattern = try NSRegularExpression(pattern: #""([^"\\]+)":"([^"\\]*)""#)
        return pattern.matches(in: json, range: NSRange(json.startIndex..., in: json)).flatMap { match in
            guard let name = Range(match.range(at: 1), in: json), let value = Range(match.range(at: 2), in: json) else {
                return [(name: String, isName: Bool, json: String)]()
            }
            return [
                (String(json[name]), false, json.replacingCharacters(in: value, with: text)),
                (String(json[name]), true, json.replacingCharacters(in: name, with: text)),
            ]
        }
    }

    /// Texts that are never compared may have any length.
    private static let free: Set<String> = ["kid", "typ", "latest_receipt", "SKU"]

    /// Auxiliary fields of payloads and responses. A text beyond the limit is treated as unknown.
    private static let auxiliary: Set<String> = [
        "currency", "storefront", "storefrontId", "transactionReason", "offerIdentifier", "offerDiscountType",
        "offerPeriod",
        "billingPlanType", "revocationType", "renewalBillingPlanType", "eligibleWinBackOfferIds",
        "commitmentAutoRenewProductId", "commitmentRenewalBillingPlanType", "originalPlatform", "version",
        "bundleVersion",
        "consumptionRequestReason", "appAccountToken", "applicationVersion",
        "originalApplicationVersion", "app_account_token", "application_version", "original_application_version",
        "promotional_offer_id", "offer_code_ref_name", "webOrderLineItemId", "deviceVerification",
        "deviceVerificationNonce",
    ]

    private func isRefused(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return error is MalformedReceiptError
        }
    }

    @Test(arguments: ["transaction", "renewal", "appTransaction", "notification"])
    func `long texts and names of a payload are rejected or kept unchanged`(kind: String) throws {
        let payload = try #require(SignedPayloadSamples.all[kind])
        let variants = try variants(payload, with: CombiningMarks.run(70))
        #expect(variants.count >= 10)
        for (name, isName, json) in variants {
            let expected = isName || !Self.free.union(Self.auxiliary).contains(name)
            expectEqual(
                isRefused {
                    let payload = try SignedPayload.unverified(jws: UnsignedToken.around(json))
                    _ = try payload.notification
                }, expected, "\(name), \(isName)")
        }
    }

    @Test func `long texts and names of a token's header are rejected or never read`() throws {
        let header = #"{"alg":"ES256","kid":"key","typ":"JWT","x5c":["AAAA"]}"#
        for (name, isName, json) in try variants(header, with: CombiningMarks.run(70)) {
            let token = UnsignedToken.around(SignedTransactionFixture.transaction, header: json)
            let expected = isName || !Self.free.contains(name)
            expectEqual(isRefused { _ = try SignedPayload.unverified(jws: token) }, expected, "\(name), \(isName)")
        }
    }

    private var response: String {
        let row = F.row(
            "weekly",
            """
            "expires_date_ms":"1","is_trial_period":"true","is_upgraded":"false","promotional_offer_id":"a","offer_code_ref_name":"b",
            "subscription_group_identifier":"c","web_order_line_item_id":"5","in_app_ownership_type":"PURCHASED","app_account_token":"d"
            """)
        return String(
            decoding: F.answer(
                """
                "latest_receipt":"MIIB","latest_receipt_info":[\(row)],"pending_renewal_info":[{"product_id":"weekly",
                "auto_renew_product_id":"weekly","original_transaction_id":"1000","expiration_intent":"1"}]
                """,
                receipt:
                    "\"receipt_type\":\"Production\",\"application_version\":\"1\",\"original_application_version\":\"1\""
            ),
            as: UTF8.self)
    }

    @Test func `long texts and names of a response are rejected or kept unchanged`() throws {
        let variants = try variants(response, with: CombiningMarks.run(70))
        #expect(variants.count >= 40)
        for (name, isName, json) in variants {
            let expected = isName || !Self.free.union(Self.auxiliary).contains(name)
            expectEqual(
                isRefused { _ = try VerifyReceiptResponse.unverified(json: Data(json.utf8)) }, expected,
                "\(name), \(isName)")
        }
    }

    @Test func `the cost of a long run in each format`() throws {
        let (marks, plain) = (CombiningMarks.run(8_000), CombiningMarks.plain(8_000))
        let verifier = SignedTransactionVerifier(bundleID: "com.example.app", environment: .sandbox)
        func compare(_ name: String, _ input: (String) -> String, _ read: (String) -> Void) {
            let (hostile, harmless) = (input(marks), input(plain))
            let isBounded = CostComparison.isBounded(hostile: { read(hostile) }, plain: { read(harmless) })
            #expect(isBounded, "\(name)")
        }
        for field in ["weekly", "Sandbox", "tomorrow", "transactionId"] {
            compare(field) {
                UnsignedToken.around(SignedTransactionFixture.transaction.replacing("\"\(field)\"", with: "\"\($0)\""))
            } _: { token in
                _ = verifier.report(on: token)
                let payload = try? SignedPayload.unverified(jws: token)
                _ = try? payload?.notification
            }
        }
        compare("alg") {
            UnsignedToken.around("{}", header: "{\"alg\":\"\($0)\",\"x5c\":[\"AAAA\"]}")
        } _: {
            _ = verifier.report(on: $0)
        }
        for field in ["weekly", "product_id", "1000", "true"] {
            compare(field) {
                response.replacing("\"\(field)\"", with: "\"\($0)\"")
            } _: { json in
                (try? VerifyReceiptResponse.unverified(json: Data(json.utf8)))?.receipt.map(ask)
                (try? VerifyReceiptResponse(leniently: Array(json.utf8)))?.receipt.map(ask)
            }
        }
        let local = LocalReceiptVerifier(bundleID: "com.example.app", environment: .production, device: nil)
        for type in [0, 2, 3, 17] as [Int64] {
            compare("attribute \(type)") { text in
                var value = DEREncoding.utf8String(text)
                if type == 17 { value = DEREncoding.element(0x31, UnsignedContainer.attribute(1702, value)) }
                let content = DEREncoding.element(0x31, UnsignedContainer.attribute(type, value))
                return Data(UnsignedContainer.around(content)).base64EncodedString()
            } _: { file in
                let data = Data(base64Encoded: file) ?? Data()
                _ = local.report(on: data)
                (try? Receipt.unverified(pkcs7: data)).map(ask)
            }
        }
    }

    @Test func `identifiers of the maximum length in every row cost linear time`() throws {
        func receipt(_ text: String) throws -> Receipt {
            let rows = (0..<150).map { index in
                let id = "\(text)\(index % 40)"
                return F.row(
                    "p\(id)",
                    "\"expires_date_ms\":\"\(F.milliseconds(9))\",\"subscription_group_identifier\":\"g\(id)\"",
                    transaction: "\(text)\(index)"
                ).replacing("\"original_transaction_id\":\"1000\"", with: "\"original_transaction_id\":\"o\(id)\"")
            }
            return try Receipt.unverified(verifyReceiptJSON: F.answer(inApp: rows.joined(separator: ",")))
        }
        let (hostile, harmless) = (CombiningMarks.run(61), CombiningMarks.plain(61))
        expectEqual(try receipt(hostile).transactions.count, 150)
        #expect(
            CostComparison.isBounded(
                hostile: { (try? receipt(hostile)).map(ask) }, plain: { (try? receipt(harmless)).map(ask) }))
    }

    @Test func `comparing and hashing unknown fields costs linear time`() {
        func value(_ text: String) -> ReceiptValue { .object(["a": .array([.string(text), .number(text)])]) }
        let (hostile, harmless) = (CombiningMarks.run(8_000), CombiningMarks.plain(8_000))
        func compare(_ text: String) {
            let copy = String(decoding: Array(text.utf8), as: UTF8.self)
            expectEqual(value(text), value(copy))
            expectEqual(value(text).hashValue, value(copy).hashValue)
        }
        #expect(CostComparison.isBounded(hostile: { compare(hostile) }, plain: { compare(harmless) }))
        #expect(value("caf\u{E9}") != value("cafe\u{301}"))
        let all: [ReceiptValue] = [
            .null, .bool(true), .bool(false), .number("1"), .string("1"), .array([]), .object([:]), .data(Data()),
        ]
        expectEqual(Set(all).count, all.count)
        expectEqual(Set(all + all), Set(all))
    }

    /// Calls all functions of a receipt that look up identifiers.
    private func ask(_ receipt: Receipt) {
        _ = receipt.subscriptionStatuses(at: .now)
        for product in receipt.distinctProductIDs {
            _ = receipt.subscriptionStatus(of: product, at: .now)
            _ = receipt.owns(product, at: .now)
        }
        for row in receipt.transactions.prefix(20) {
            _ = receipt.transaction(id: row.transactionID)
            _ = receipt.transactions(originalTransactionID: row.originalTransactionID)
        }
        for group in receipt.subscriptionGroups.keys { _ = receipt.subscriptionStatus(ofGroup: group, at: .now) }
    }
}
