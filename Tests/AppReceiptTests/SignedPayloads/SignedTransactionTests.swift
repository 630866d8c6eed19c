import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct SignedTransactionTests {
    private let fixture = SignedTransactionFixture()

    @Test func `a token is verified with all documented fields`() throws {
        let token = fixture.token()
        let info = try fixture.verifier.transaction(jws: token)
        expectEqual(info.transactionID, "2000000123456790")
        expectEqual(info.originalTransactionID, "2000000123456789")
        expectEqual(info.bundleID, "com.example.app")
        expectEqual(info.productID, "weekly")
        expectEqual(info.purchaseDate, Date(timeIntervalSince1970: 1_699_999_000))
        expectEqual(info.originalPurchaseDate, Date(timeIntervalSince1970: 1_699_000_000))
        expectEqual(info.expirationDate, Date(timeIntervalSince1970: 1_700_604_800))
        expectEqual(info.signedDate, SignedTransactionFixture.signedDate)
        expectEqual(info.quantity, 1)
        expectEqual(info.productKind, .autoRenewable)
        expectEqual(info.ownershipType, .purchased)
        expectEqual(info.environment, .sandbox)
        expectEqual(info.subscriptionGroupID, "21000001")
        expectEqual(info.webOrderLineItemID, "2000000000000123")
        expectEqual(info.appAccountToken, UUID(uuidString: "7b5a5cb8-239a-4cd1-b5d8-968cc1d437f4"))
        expectEqual(info.appTransactionID, "704000000000000001")
        #expect(info.isUpgraded)
        expectEqual(info.revocationDate, Date(timeIntervalSince1970: 1_700_000_000))
        expectEqual(info.revocationReason, .developerIssue)
        expectEqual(info.revocationType, .proratedRefund)
        expectEqual(info.revocationPercentage, 50)
        expectEqual(
            info.offer,
            TransactionOffer(kind: .promotional, id: "spring", paymentMode: .payAsYouGo, period: "P1M"))
        expectEqual(info.storefrontCountryCode, "DEU")
        expectEqual(info.storefrontID, "143443")
        expectEqual(info.reason, .renewal)
        expectEqual(info.price, Decimal(string: "1.99"))
        expectEqual(info.currency, "EUR")
        expectEqual(info.billingPlan, .monthly)
        expectEqual(info.commitment?.billingPeriodNumber, 2)
        expectEqual(info.commitment?.totalBillingPeriods, 12)
        expectEqual(info.commitment?.expirationDate, Date(timeIntervalSince1970: 1_730_000_000))
        expectEqual(info.commitment?.price, Decimal(string: "23.88"))
        let items = ReceiptValue.array([.object(["SKU": .string("a")])])
        expectEqual(
            info.unknownFields,
            ["advancedCommerceInfo": .object(["items": items]), "tomorrow": .array([.number("1.50"), .null])])
    }

    @Test func `renewal information is verified with all documented fields`() throws {
        var fixture = fixture
        fixture.payload = SignedTransactionFixture.renewal
        fixture.verifier.environment = .production
        let transaction = try #require(
            try SignedPayload.unverified(jws: SignedTransactionFixture().token()).transaction)
        let info = try fixture.verifier.renewalInfo(jws: fixture.token(), of: transaction)
        expectEqual(info.originalTransactionID, "2000000123456789")
        expectEqual(info.signedDate, SignedTransactionFixture.signedDate)
        expectEqual(info.productID, "weekly")
        expectEqual(info.autoRenewPreference, "monthly")
        expectEqual(info.willAutoRenew, false)
        expectEqual(info.expirationReason, .billingError)
        expectEqual(info.isInBillingRetry, true)
        expectEqual(info.gracePeriodExpirationDate, Date(timeIntervalSince1970: 1_700_700_000))
        expectEqual(info.priceIncreaseStatus, .agreed)
        expectEqual(
            info.offer, TransactionOffer(kind: .winBack, id: "back", paymentMode: .freeTrial, period: "P1W"))
        expectEqual(info.environment, .production)
        expectEqual(info.recentSubscriptionStartDate, Date(timeIntervalSince1970: 1_690_000_000))
        expectEqual(info.renewalDate, Date(timeIntervalSince1970: 1_700_604_800))
        expectEqual(info.renewalPrice, Decimal(string: "0.99"))
        expectEqual(info.currency, "USD")
        expectEqual(info.renewalBillingPlan, .upFront)
        expectEqual(info.eligibleWinBackOfferIDs, ["best", "good"])
        expectEqual(info.appAccountToken, UUID(uuidString: "7b5a5cb8-239a-4cd1-b5d8-968cc1d437f4"))
        expectEqual(info.appTransactionID, "704000000000000001")
        expectEqual(info.commitment?.autoRenewPreference, "yearly")
        expectEqual(info.commitment?.willAutoRenew, true)
        expectEqual(info.commitment?.renewalDate, Date(timeIntervalSince1970: 1_740_000_000))
        expectEqual(info.commitment?.renewalPrice, Decimal(string: "9.99"))
        expectEqual(info.commitment?.renewalBillingPlan, .monthly)
        expectEqual(info.unknownFields, [:])
    }

    @Test func `optional fields may be missing or null`() throws {
        var fixture = fixture
        fixture.verifier.environment = nil
        fixture.payload = """
            {"transactionId":"1","originalTransactionId":"1","bundleId":"com.example.app","productId":"p","purchaseDate":0,
            "signedDate":1600000000000,"offerType":null,"revocationDate":null}
            """
        let info = try fixture.verifier.transaction(jws: fixture.token())
        expectEqual(info.purchaseDate, Date(timeIntervalSince1970: 0))
        expectEqual(info.quantity, 1)
        #expect(!info.isUpgraded)
        expectEqual(info.offer, nil)
        expectEqual(info.revocationDate, nil)
        expectEqual(info.unknownFields, [:])
    }

    @Test(arguments: ["transactionId", "originalTransactionId", "bundleId", "productId", "purchaseDate", "signedDate"])
    func `a missing required field is named in the error`(name: String) throws {
        var fixture = fixture
        fixture.payload = SignedTransactionFixture.transaction.replacingOccurrences(
            of: "\"\(name)\"", with: "\"other\"")
        let token = fixture.token()
        if name == "transactionId" {
            expectEqual(try SignedPayload.unverified(jws: token).kind, .other)
            #expect { try fixture.verifier.transaction(jws: token) } throws: {
                ($0 as? ReceiptVerificationError)?.code == .unexpectedPayload
            }
            return
        }
        fixture.verifier.bundleID = .any
        let failure = try #require(fixture.verifier.report(on: token).failure)
        expectEqual(failure.code, .malformed)
        expectEqual(failure.malformation?.expected.contains(name), true)
    }

    @Test(arguments: [
        ("\"quantity\":1", "\"quantity\":\"1\"", "quantity"), ("\"quantity\":1", "\"quantity\":1e40", "quantity"),
        ("\"isUpgraded\":true", "\"isUpgraded\":1", "isUpgraded"),
        ("\"purchaseDate\":1699999000000", "\"purchaseDate\":1e300", "purchaseDate"),
        ("\"environment\":\"Sandbox\"", "\"environment\":5", "environment"),
    ])
    func `a field of the wrong type is named with its offset in the token`(old: String, new: String, name: String)
        throws
    {
        var fixture = fixture
        fixture.payload = SignedTransactionFixture.transaction.replacingOccurrences(of: old, with: new)
        let token = fixture.token()
        let error = #expect(throws: MalformedReceiptError.self) { try SignedPayload.unverified(jws: token) }
        expectEqual(error?.code, .invalidValue)
        expectEqual(error?.expected.hasSuffix("as \(name)"), true)
        let payload = try #require(token.split(separator: ".", omittingEmptySubsequences: false).first).utf8.count + 1
        #expect((error?.offset ?? 0) > payload)
    }

    @Test func `a token can be decoded without verification`() throws {
        var token = fixture.token()
        token.removeLast(8)
        token += "AAAAAAAA"
        expectEqual(try SignedPayload.unverified(jws: token).transaction?.productID, "weekly")
        #expect { try fixture.verifier.transaction(jws: token) } throws: {
            ($0 as? ReceiptVerificationError)?.code == .signatureInvalid
        }
    }
}
