import AppReceipt
import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SignedTransactionTests {
    private let fixture = SignedTransactionFixture()

    @Test func `a good token is verified, and every documented field decoded`() throws {
        let token = fixture.token()
        let info = try fixture.verifier.transaction(jws: token)
        #expect(info.transactionID == "2000000123456790")
        #expect(info.originalTransactionID == "2000000123456789")
        #expect(info.bundleID == "com.example.app")
        #expect(info.productID == "weekly")
        #expect(info.purchaseDate == Date(timeIntervalSince1970: 1_699_999_000))
        #expect(info.originalPurchaseDate == Date(timeIntervalSince1970: 1_699_000_000))
        #expect(info.expirationDate == Date(timeIntervalSince1970: 1_700_604_800))
        #expect(info.signedDate == SignedTransactionFixture.signedDate)
        #expect(info.quantity == 1)
        #expect(info.productType == .autoRenewableSubscription)
        #expect(info.ownershipType == .purchased)
        #expect(info.environment == .sandbox)
        #expect(info.subscriptionGroupID == "21000001")
        #expect(info.webOrderLineItemID == "2000000000000123")
        #expect(info.appAccountToken == UUID(uuidString: "7b5a5cb8-239a-4cd1-b5d8-968cc1d437f4"))
        #expect(info.appTransactionID == "704000000000000001")
        #expect(info.isUpgraded)
        #expect(info.revocationDate == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(info.revocationReason == .developerIssue)
        #expect(info.revocationType == "REFUND_PRORATED")
        #expect(info.revocationPercentage == 50_000)
        #expect(info.offer == SignedTransactionOffer(kind: .promotional, identifier: "spring", payment: .payAsYouGo, period: "P1M"))
        #expect(info.storefrontCountryCode == "DEU")
        #expect(info.storefrontID == "143443")
        #expect(info.reason == .renewal)
        #expect(info.price == Decimal(string: "1.99"))
        #expect(info.currency == "EUR")
        #expect(info.billingPlan == "MONTHLY")
        #expect(info.commitment?.billingPeriodNumber == 2)
        #expect(info.commitment?.totalBillingPeriods == 12)
        #expect(info.commitment?.expirationDate == Date(timeIntervalSince1970: 1_730_000_000))
        #expect(info.commitment?.price == Decimal(string: "23.88"))
        #expect(info.advancedCommerceInfo == .object(["items": .array([.object(["SKU": .string("a")])])]))
        #expect(info.unknownFields == ["tomorrow": .array([.number("1.50"), .null])])
    }

    @Test func `renewal information is verified, and every documented field decoded`() throws {
        var fixture = fixture
        fixture.payload = SignedTransactionFixture.renewal
        fixture.verifier.environment = .production
        let transaction = try #require(try SignedPayload.unverified(jws: SignedTransactionFixture().token()).transaction)
        let info = try fixture.verifier.renewalInfo(jws: fixture.token(), of: transaction)
        #expect(info.originalTransactionID == "2000000123456789")
        #expect(info.signedDate == SignedTransactionFixture.signedDate)
        #expect(info.productID == "weekly")
        #expect(info.autoRenewPreference == "monthly")
        #expect(info.willAutoRenew == false)
        #expect(info.expirationReason == .billingError)
        #expect(info.isInBillingRetry == true)
        #expect(info.gracePeriodExpirationDate == Date(timeIntervalSince1970: 1_700_700_000))
        #expect(info.priceIncreaseStatus == .agreed)
        #expect(info.offer == SignedTransactionOffer(kind: .winBack, identifier: "back", payment: .freeTrial, period: "P1W"))
        #expect(info.environment == .production)
        #expect(info.recentSubscriptionStartDate == Date(timeIntervalSince1970: 1_690_000_000))
        #expect(info.renewalDate == Date(timeIntervalSince1970: 1_700_604_800))
        #expect(info.renewalPrice == Decimal(string: "0.99"))
        #expect(info.currency == "USD")
        #expect(info.renewalBillingPlan == "BILLED_UPFRONT")
        #expect(info.eligibleWinBackOfferIDs == ["best", "good"])
        #expect(info.appAccountToken == UUID(uuidString: "7b5a5cb8-239a-4cd1-b5d8-968cc1d437f4"))
        #expect(info.appTransactionID == "704000000000000001")
        #expect(info.commitment?.autoRenewPreference == "yearly")
        #expect(info.commitment?.willAutoRenew == true)
        #expect(info.commitment?.expirationDate == Date(timeIntervalSince1970: 1_740_000_000))
        #expect(info.commitment?.price == Decimal(string: "9.99"))
        #expect(info.commitment?.renewalBillingPlan == "MONTHLY")
        #expect(info.unknownFields == [:])
    }

    @Test func `what is optional may be missing or null`() throws {
        var fixture = fixture
        fixture.verifier.environment = nil
        fixture.payload = """
            {"transactionId":"1","originalTransactionId":"1","bundleId":"com.example.app","productId":"p","purchaseDate":0,
            "signedDate":1600000000000,"offerType":null,"revocationDate":null}
            """
        let info = try fixture.verifier.transaction(jws: fixture.token())
        #expect(info.purchaseDate == Date(timeIntervalSince1970: 0))
        #expect(info.quantity == 1)
        #expect(!info.isUpgraded)
        #expect(info.offer == nil)
        #expect(info.revocationDate == nil)
        #expect(info.unknownFields == [:])
    }

    @Test(arguments: ["transactionId", "originalTransactionId", "bundleId", "productId", "purchaseDate", "signedDate"])
    func `what is required is missed by name`(name: String) throws {
        var fixture = fixture
        fixture.payload = SignedTransactionFixture.transaction.replacingOccurrences(of: "\"\(name)\"", with: "\"other\"")
        let token = fixture.token()
        if name == "transactionId" {
            #expect(try SignedPayload.unverified(jws: token).kind == .other)
            #expect { try fixture.verifier.transaction(jws: token) } throws: {
                ($0 as? ReceiptVerificationError)?.code == .unexpectedPayload
            }
            return
        }
        fixture.verifier.bundleID = .any
        let failure = try #require(fixture.verifier.report(on: token).failure)
        #expect(failure.code == .malformed)
        #expect(failure.malformation?.expected.contains(name) == true)
    }

    @Test(arguments: [
        ("\"price\":1990", "\"price\":\"1990\"", "price"), ("\"price\":1990", "\"price\":1e40", "price"),
        ("\"isUpgraded\":true", "\"isUpgraded\":1", "isUpgraded"),
        ("\"purchaseDate\":1699999000000", "\"purchaseDate\":1e300", "purchaseDate"),
        ("7B5A5CB8-", "7B5A5CB8", "appAccountToken"), ("\"currency\":\"EUR\"", "\"currency\":5", "currency"),
        ("\"commitmentInfo\":{", "\"commitmentInfo\":5,\"x\":{", "commitmentInfo"),
    ])
    func `a field of the wrong type is named, with its place in the token`(old: String, new: String, name: String) throws {
        var fixture = fixture
        fixture.payload = SignedTransactionFixture.transaction.replacingOccurrences(of: old, with: new)
        let token = fixture.token()
        let error = #expect(throws: MalformedReceiptError.self) { try SignedPayload.unverified(jws: token) }
        #expect(error?.code == .invalidValue)
        #expect(error?.expected.hasSuffix("as \(name)") == true)
        let payload = try #require(token.split(separator: ".", omittingEmptySubsequences: false).first).utf8.count + 1
        #expect((error?.offset ?? 0) > payload)
    }

    @Test func `a token can be looked at without being believed`() throws {
        var token = fixture.token()
        token.removeLast(8)
        token += "AAAAAAAA"
        #expect(try SignedPayload.unverified(jws: token).transaction?.productID == "weekly")
        #expect { try fixture.verifier.transaction(jws: token) } throws: {
            ($0 as? ReceiptVerificationError)?.code == .signatureInvalid
        }
    }
}
