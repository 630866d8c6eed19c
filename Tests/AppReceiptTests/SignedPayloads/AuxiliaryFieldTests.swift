import AppReceipt
import AppStoreServer
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// An unreadable field makes the payload malformed if access depends on it. Otherwise, the field is unknown.
@Suite(.bounded) struct AuxiliaryFieldTests {
    /// A value that no field accepts, and values that only some fields reject.
    private static let unreadable = ["{\"a\":[]}", "[[]]"]

    private static func payload(_ payload: String, _ name: String, _ value: String) throws -> String {
        let object = try #require(JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any])
        var members = object
        members[name] = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
        return String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
    }

    private static let auxiliary: [String: [String]] = [
        "transaction": [
            "price", "currency", "storefront", "storefrontId", "transactionReason", "offerType", "offerIdentifier",
            "offerDiscountType", "offerPeriod", "billingPlanType", "commitmentInfo", "bundleProductId",
            "previousOriginalTransactionId", "invitationManagement", "revocationType", "revocationPercentage",
            "appAccountToken", "additionalTransactionReason", "webOrderLineItemId", "revocationReason",
            "deviceVerification", "deviceVerificationNonce",
        ],
        "renewal": [
            "priceIncreaseStatus", "offerType", "recentSubscriptionStartDate", "renewalDate", "renewalPrice",
            "currency",
            "renewalBillingPlanType", "eligibleWinBackOfferIds", "commitmentInfo", "bundleProductId", "willUnbundle",
            "renewalQuantity", "appAccountToken", "expirationIntent", "deviceVerification",
            "deviceVerificationNonce",
        ],
        "appTransaction": [
            "preorderDate", "originalPlatform", "versionExternalIdentifier", "applicationVersion",
            "originalApplicationVersion", "deviceVerification", "deviceVerificationNonce",
        ],
        "notification": ["version"],
    ]

    private static let decisive: [String: [String]] = [
        "transaction": [
            "transactionId", "originalTransactionId", "bundleId", "productId", "purchaseDate", "signedDate",
            "originalPurchaseDate", "expiresDate", "quantity", "type", "inAppOwnershipType", "environment",
            "subscriptionGroupIdentifier", "appTransactionId", "isUpgraded", "revocationDate",
        ],
        "renewal": [
            "originalTransactionId", "signedDate", "productId", "autoRenewProductId", "autoRenewStatus",
            "isInBillingRetryPeriod", "gracePeriodExpiresDate", "environment", "appTransactionId",
        ],
        "appTransaction": [
            "bundleId", "receiptCreationDate", "receiptType", "originalPurchaseDate", "appTransactionId", "appAppleId",
            "storeType", "appRevocationDate",
        ],
        "notification": ["notificationType", "subtype", "notificationUUID", "signedDate"],
    ]

    @Test(arguments: auxiliary.keys.sorted()) func `an unreadable auxiliary field is kept unchanged`(
        kind: String
    ) throws {
        let sample = try #require(SignedPayloadSamples.all[kind])
        for name in Self.auxiliary[kind] ?? [] {
            for value in Self.unreadable {
                let payload = try Self.decode(Self.payload(sample, name, value))
                let unknown = try payload.unknownFields
                #expect(unknown[name] != nil, "\(name) of a \(kind)")
                expectEqual(payload.kind, SignedPayload.Kind(rawValue: kind == "renewal" ? "renewalInfo" : kind))
            }
        }
    }

    @Test(arguments: decisive.keys.sorted()) func `a field that determines access must be readable`(kind: String)
        throws
    {
        let sample = try #require(SignedPayloadSamples.all[kind])
        for name in Self.decisive[kind] ?? [] {
            for value in Self.unreadable {
                let payload = try Self.payload(sample, name, value)
                let error = #expect(throws: MalformedReceiptError.self, "\(name) of a \(kind)") {
                    try Self.decode(payload).unknownFields
                }
                expectEqual(error?.code, .invalidValue, "\(name) of a \(kind)")
            }
        }
    }

    @Test(arguments: [
        ("transaction", ["transactionId", "originalTransactionId", "bundleId", "productId"]),
        ("renewal", ["originalTransactionId"]), ("appTransaction", ["bundleId"]),
        ("notification", ["notificationType"]),
    ])
    func `an identifier that names the purchase isn't empty`(kind: String, names: [String]) throws {
        let sample = try #require(SignedPayloadSamples.all[kind])
        for name in names {
            let error = #expect(throws: MalformedReceiptError.self, "\(name)") {
                try Self.decode(Self.payload(sample, name, "\"\"")).unknownFields
            }
            expectEqual(error?.code, .invalidValue, "\(name)")
        }
    }

    /// The fields whose values the app, its developer, its server or its customer chooses.
    private static let chosen: [(kind: String, name: String)] = [
        ("transaction", "appAccountToken"), ("transaction", "offerIdentifier"), ("renewal", "appAccountToken"),
        ("renewal", "offerIdentifier"), ("renewal", "eligibleWinBackOfferIds"),
        ("appTransaction", "applicationVersion"), ("appTransaction", "originalApplicationVersion"),
    ]

    @Test(arguments: chosen) func `a chosen value never costs a purchase`(kind: String, name: String) throws {
        let sample = try #require(SignedPayloadSamples.all[kind])
        let long = String(repeating: "x", count: 10_000)
        for value in ["\"\"", "\"no UUID\"", "\"\(long)\"", "\"\\u0000\"", "7", "true", "[\"\"]", "{}", "null"] {
            let payload = try Self.decode(Self.payload(sample, name, value))
            expectEqual(payload.kind.rawValue, kind == "renewal" ? "renewalInfo" : kind, "\(value)")
        }
    }

    @Test(
        arguments: [
            ("\"\"", nil), ("null", nil), ("\"no UUID\"", .string("no UUID")), ("7", .number("7")), ("[]", .array([])),
        ] as [(String, ReceiptValue?)])
    func `an account token that isn't a UUID is nil and kept as unknown`(value: String, kept: ReceiptValue?) throws {
        for kind in ["transaction", "renewal"] {
            let sample = try #require(SignedPayloadSamples.all[kind])
            let payload = try Self.decode(Self.payload(sample, "appAccountToken", value))
            let token = payload.transaction?.appAccountToken ?? payload.renewalInfo?.appAccountToken
            expectEqual(token, nil)
            expectEqual(try payload.unknownFields["appAccountToken"], kept)
        }
    }

    @Test(arguments: [
        ("transaction", "deviceVerificationNonce", "\"\""), ("transaction", "deviceVerification", "\"%\""),
        ("renewal", "expirationIntent", "\"2\""), ("transaction", "revocationReason", "\"1\""),
    ])
    func `a field that decides nothing is lost, not the purchase`(kind: String, name: String, value: String) throws {
        let sample = try #require(SignedPayloadSamples.all[kind])
        let payload = try Self.decode(Self.payload(sample, name, value))
        #expect(try payload.unknownFields[name] != nil)
    }

    @Test func `a line item may be a number`() throws {
        let sample = try #require(SignedPayloadSamples.all["transaction"])
        let payload = try Self.decode(Self.payload(sample, "webOrderLineItemId", "1234"))
        expectEqual(payload.transaction?.webOrderLineItemID, "1234")
    }

    @Test func `a transaction with an unreadable price is valid`() throws {
        var fixture = SignedTransactionFixture()
        fixture.payload = fixture.payload.replacing("\"price\":1990", with: "\"price\":1.5")
        let transaction = try fixture.verifier.transaction(jws: fixture.token())
        expectEqual(transaction.price, nil)
        expectEqual(transaction.unknownFields["price"], .number("1.5"))
        expectEqual(transaction.transactionID, "2000000123456790")
        expectEqual(transaction.currency, "EUR", "readable fields are read")
    }

    @Test func `a notification with unreadable details is valid`() throws {
        let summary = """
            "summary":{"bundleId":"com.example.app","environment":"Sandbox","requestIdentifier":[],"succeededCount":1.5,
            "failedCount":2}
            """
        let payload = try Self.decode(SignedPayloadSamples.notification(data: summary))
        let notification = try payload.notification
        expectEqual(notification?.summary?.failedCount, 2)
        expectEqual(notification?.summary?.succeededCount, nil)
        expectEqual(notification?.unknownFields["succeededCount"], .number("1.5"))
        for name in ["environment", "bundleId", "appAppleId", "status", "signedTransactionInfo"] {
            let data = "\"data\":{\"\(name)\":[]}"
            #expect(throws: MalformedReceiptError.self, "\(name)") {
                try Self.decode(SignedPayloadSamples.notification(data: data)).notification
            }
        }
    }

    private static func decode(_ payload: String) throws -> SignedPayload {
        try SignedPayload.unverified(jws: UnsignedToken.around(payload))
    }
}

extension SignedPayload {
    fileprivate var unknownFields: [String: ReceiptValue] {
        get throws {
            let server = try notification?.unknownFields
            return transaction?.unknownFields ?? renewalInfo?.unknownFields ?? appTransaction?.unknownFields ?? server
                ?? [:]
        }
    }
}
