import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct AppStoreServerNotificationTests {
    typealias N = AppStoreServerNotification
    private let fixture = SignedTransactionFixture()

    private func issue(_ payload: String) -> String {
        fixture.issuer.issue(payload: Data(payload.utf8))
    }

    private func decode(_ payload: String) throws -> N {
        try #require(try SignedPayload.unverified(jws: UnsignedToken.around(payload)).notification)
    }

    private var renewal: String { SignedTransactionFixture.renewal.replacing("\"Production\"", with: "\"Sandbox\"") }

    @Test func `a notification is verified and decoded with the texts inside`() throws {
        let (transaction, renewal) = (fixture.token(), issue(renewal))
        let token = issue(SignedPayloadSamples.notification(transaction: transaction, renewal: renewal))
        let notification = try fixture.verifier.notification(signedPayload: token)
        expectEqual(notification.type, .didRenew)
        expectEqual(notification.subtype, .billingRecovery)
        expectEqual(notification.version, "2.0")
        expectEqual(notification.id, UUID(uuidString: "002E14D5-51F5-4503-B5A8-C3A1AF68EB20"))
        expectEqual(notification.bundleID, "com.example.app")
        expectEqual(notification.environment, .sandbox)
        expectEqual(notification.bundleVersion, "42")
        expectEqual(notification.transaction?.transactionID, "2000000123456790")
        expectEqual(notification.renewalInfo?.willAutoRenew, false)
        expectEqual(notification.signedTransactionInfo, transaction)
        expectEqual(notification.signedRenewalInfo, renewal)
        expectEqual(notification.unknownFields, ["tomorrow": .array([.number("1")])])
        let body = Data("{\"signedPayload\":\"\(token)\"}".utf8)
        expectEqual(try fixture.verifier.notification(requestBody: body), notification)
    }

    @Test func `a text inside must be genuine and belong to the app and subscription`() throws {
        let (transaction, renewal) = (fixture.token(), issue(renewal))
        let spoiled = String(transaction.dropLast(8)) + "AAAAAAAA"
        let foreign = issue(
            SignedTransactionFixture.transaction.replacing("com.example.app", with: "com.example.other"))
        let production = issue(SignedTransactionFixture.transaction.replacing("\"Sandbox\"", with: "\"Production\""))
        let stranger = issue(self.renewal.replacing("2000000123456789", with: "2000000123456788"))
        for (transaction, renewal, code) in [
            (spoiled, renewal, ReceiptVerificationError.Code.signatureInvalid), (foreign, renewal, .bundleIDMismatch),
            (production, renewal, .environmentMismatch), (transaction, stranger, .subscriptionMismatch),
            (renewal, renewal, .bundleIDMissing),
            (transaction, transaction, .unexpectedPayload),
            (transaction, String(renewal.dropLast(8)) + "AAAAAAAA", .signatureInvalid),
        ] as [(String?, String?, ReceiptVerificationError.Code)] {
            let token = issue(SignedPayloadSamples.notification(transaction: transaction, renewal: renewal))
            #expect { try fixture.verifier.notification(signedPayload: token) } throws: {
                ($0 as? ReceiptVerificationError)?.code == code
            }
            #expect(throws: ReceiptVerificationError.self) { try fixture.verifier.payload(jws: token) }
        }
        let outer = issue(SignedPayloadSamples.notification(transaction: transaction, renewal: renewal))
        #expect(throws: ReceiptVerificationError.self) {
            try fixture.verifier.notification(signedPayload: outer.dropLast(8) + "AAAAAAAA")
        }
        #expect(
            try fixture.verifier.notification(
                signedPayload: issue(SignedPayloadSamples.notification(transaction: nil, renewal: renewal))
            )
            .renewalInfo != nil)
    }

    @Test(arguments: [
        "{}", "[]", "", "{\"signedPayload\":5}", "{\"signedPayload\":null}", "{\"signedPayload\":\"a.b.c\"}",
        "{\"signedPayload\":\"\",",
    ])
    func `a body without a notification is rejected`(body: String) {
        #expect(throws: ReceiptVerificationError.self) {
            try fixture.verifier.notification(requestBody: Data(body.utf8))
        }
    }

    @Test(arguments: [
        ("SUBSCRIBED", N.Kind.subscribed), ("DID_CHANGE_RENEWAL_PREF", .didChangeRenewalPreference),
        ("DID_CHANGE_RENEWAL_STATUS", .didChangeRenewalStatus), ("OFFER_REDEEMED", .offerRedeemed),
        ("DID_RENEW", .didRenew),
        ("EXPIRED", .expired), ("DID_FAIL_TO_RENEW", .didFailToRenew), ("GRACE_PERIOD_EXPIRED", .gracePeriodExpired),
        ("PRICE_INCREASE", .priceIncrease), ("PRICE_CHANGE", .priceChange), ("REFUND", .refund),
        ("REFUND_DECLINED", .refundDeclined),
        ("REFUND_REVERSED", .refundReversed), ("CONSUMPTION_REQUEST", .consumptionRequest),
        ("RENEWAL_EXTENDED", .renewalExtended),
        ("RENEWAL_EXTENSION", .renewalExtension), ("REVOKE", .revoke),
        ("EXTERNAL_PURCHASE_TOKEN", .externalPurchaseToken),
        ("ONE_TIME_CHARGE", .oneTimeCharge), ("RESCIND_CONSENT", .rescindConsent), ("METADATA_UPDATE", .metadataUpdate),
        ("MIGRATION", .migration), ("TEST", .test), ("TOMORROW", N.Kind(rawValue: "TOMORROW")),
    ])
    func `every notification type is read, and unknown ones are kept`(word: String, type: N.Kind) throws {
        expectEqual(
            try decode(SignedPayloadSamples.notification(type: word, subtype: nil, data: SignedPayloadSamples.data))
                .type, type)
    }

    @Test(arguments: [
        ("INITIAL_BUY", N.Subtype.initialBuy), ("RESUBSCRIBE", .resubscribe), ("DOWNGRADE", .downgrade),
        ("UPGRADE", .upgrade),
        ("AUTO_RENEW_ENABLED", .autoRenewEnabled), ("AUTO_RENEW_DISABLED", .autoRenewDisabled),
        ("VOLUNTARY", .voluntary),
        ("BILLING_RETRY", .billingRetry), ("PRICE_INCREASE", .priceIncrease), ("GRACE_PERIOD", .gracePeriod),
        ("PENDING", .pending),
        ("ACCEPTED", .accepted), ("BILLING_RECOVERY", .billingRecovery), ("PRODUCT_NOT_FOR_SALE", .productNotForSale),
        ("SUMMARY", .summary), ("FAILURE", .failure), ("UNREPORTED", .unreported),
        ("TOMORROW", N.Subtype(rawValue: "TOMORROW")),
    ])
    func `every notification subtype is read, and unknown ones are kept`(word: String, subtype: N.Subtype) throws {
        expectEqual(
            try decode(SignedPayloadSamples.notification(subtype: word, data: SignedPayloadSamples.data)).subtype,
            subtype)
    }

    @Test func `every subject of a notification is read`() throws {
        let about = try decode(SignedPayloadSamples.notification(data: SignedPayloadSamples.data))
        expectEqual(about.appStoreID, 1_234_567_890)
        expectEqual(about.status, .active)
        expectEqual(about.consumptionRequestReason, .other)
        expectEqual(about.transaction, nil)
        expectEqual(about.unknownFields, ["tomorrow": .array([.number("1")]), "later": .bool(true)])

        let summary = try decode(
            SignedPayloadSamples.notification(
                type: "RENEWAL_EXTENSION", subtype: "SUMMARY",
                data: """
                    "summary":{"environment":"Production","appAppleId":5,"bundleId":"com.example.app","productId":"weekly","requestIdentifier":"r",
                    "storefrontCountryCodes":["DEU","USA"],"succeededCount":5,"failedCount":2}
                    """))
        expectEqual(summary.summary?.succeededCount, 5)
        expectEqual(summary.summary?.failedCount, 2)
        expectEqual(summary.summary?.requestID, "r")
        expectEqual(summary.summary?.storefrontCountryCodes, ["DEU", "USA"])
        expectEqual(summary.summary?.productID, "weekly")
        expectEqual(summary.environment, .production)
        expectEqual(summary.bundleID, "com.example.app")

        for (id, environment) in [("SANDBOX_1", ReceiptEnvironment.sandbox), ("1", .production)] {
            let token = try decode(
                SignedPayloadSamples.notification(
                    type: "EXTERNAL_PURCHASE_TOKEN", subtype: "UNREPORTED",
                    data: """
                        "externalPurchaseToken":{"externalPurchaseId":"\(id)","tokenCreationDate":1700000000000,"appAppleId":5,
                        "bundleId":"com.example.app"}
                        """))
            expectEqual(token.externalPurchaseToken?.id, id)
            expectEqual(token.environment, environment)
            expectEqual(token.bundleID, "com.example.app")
            expectEqual(token.externalPurchaseToken?.creationDate, Date(timeIntervalSince1970: 1_700_000_000))
        }

        let text = issue(SignedPayloadSamples.appTransaction.replacing("\"Production\"", with: "\"Sandbox\""))
        let consent = issue(
            SignedPayloadSamples.notification(
                type: "RESCIND_CONSENT", subtype: nil,
                data:
                    "\"appData\":{\"bundleId\":\"com.example.app\",\"environment\":\"Sandbox\",\"signedAppTransactionInfo\":\"\(text)\"}"
            )
        )
        let notification = try fixture.verifier.notification(signedPayload: consent)
        expectEqual(notification.appTransaction?.appTransactionID, "704000000000000001")
        expectEqual(notification.type, .rescindConsent)

        let bare = try decode(
            "{\"notificationType\":\"TEST\",\"notificationUUID\":\"002e14d5-51f5-4503-b5a8-c3a1af68eb20\",\"signedDate\":1}"
        )
        expectEqual(bare.bundleID, nil)
        expectEqual(bare.environment, nil)
        expectEqual(bare.transaction, nil)
    }

    @Test func `an error in a text inside has its name and offset`() throws {
        let payload = SignedPayloadSamples.notification(transaction: "value", renewal: nil)
        let token = UnsignedToken.around(payload)
        let error = try #require(
            #expect(throws: MalformedReceiptError.self) { try SignedPayload.unverified(jws: token) })
        expectEqual(error.expected, "a token of three parts, in signedTransactionInfo")
        expectEqual(error.code, .unexpectedElement)
        let place = try #require(payload.utf8.firstRange(of: "\"value\"".utf8))
        let decoded = payload.utf8.distance(from: payload.utf8.startIndex, to: place.lowerBound)
        let start = try #require(token.firstIndex(of: ".")).utf16Offset(in: token) + 1
        expectEqual(error.offset, start + decoded / 3 * 4 + decoded % 3)
    }

    @Test func `an error in a notification has its offset in the signed text`() throws {
        let payload = SignedPayloadSamples.notification(transaction: nil, renewal: nil)
            .replacing("\"DID_RENEW\"", with: "[]")
        let token = UnsignedToken.around(payload)
        let read = try SignedPayload.unverified(jws: token)
        let error = try #require(#expect(throws: MalformedReceiptError.self) { try read.notification })
        expectEqual(error.code, .invalidValue)
        let place = try #require(payload.utf8.firstRange(of: "[]".utf8))
        let decoded = payload.utf8.distance(from: payload.utf8.startIndex, to: place.lowerBound)
        let start = try #require(token.firstIndex(of: ".")).utf16Offset(in: token) + 1
        expectEqual(error.offset, start + decoded / 3 * 4 + decoded % 3)
    }

    @Test func `a notification must be readable before the texts inside are verified`() throws {
        let foreign = issue(
            SignedTransactionFixture.transaction.replacing("com.example.app", with: "com.example.other"))
        let payload = SignedPayloadSamples.notification(transaction: foreign, renewal: nil)
        let (token, malformed) = (issue(payload), issue(payload.replacing("notificationUUID", with: "other")))
        let verifier = fixture.verifier
        for (token, code) in [(token, ReceiptVerificationError.Code.bundleIDMismatch), (malformed, .malformed)] {
            let error = #expect(throws: ReceiptVerificationError.self) {
                try verifier.notification(signedPayload: token)
            }
            expectEqual(error?.code, code)
            let body = Data("{\"signedPayload\":\"\(token)\"}".utf8)
            expectEqual(
                #expect(throws: ReceiptVerificationError.self) {
                    try fixture.server().notification(requestBody: body)
                }, error)
        }
        // The module of the verifier knows the texts inside, but not the other fields.
        for token in [token, malformed] {
            expectEqual(verifier.report(on: token).failures, [.content: .bundleIDMismatch])
        }
    }

    @Test func `a notification without an app belongs to another app`() {
        let token = issue(
            "{\"notificationType\":\"TEST\",\"notificationUUID\":\"002e14d5-51f5-4503-b5a8-c3a1af68eb20\",\"signedDate\":1700000000500}"
        )
        var verifier = fixture.verifier
        expectEqual(verifier.report(on: token).failures, [.environment: .environmentMismatch])
        verifier.environment = nil
        expectEqual(verifier.report(on: token).failures, [.bundleID: .bundleIDMissing])
    }
}
