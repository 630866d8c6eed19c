package import AppReceipt
package import AppStoreSimulator
package import Foundation
import Testing

/// Valid tokens and everything needed to verify them. Tests can modify each part.
package struct SignedTransactionFixture {
    package static let signedDate = Date(timeIntervalSince1970: 1_700_000_000.5)

    package static let transaction = """
        {"transactionId":"2000000123456790","originalTransactionId":"2000000123456789","bundleId":"com.example.app","productId":"weekly",
        "purchaseDate":1699999000000,"originalPurchaseDate":1699000000000,"expiresDate":1700604800000,"quantity":1,
        "type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED","signedDate":1700000000500,"environment":"Sandbox",
        "subscriptionGroupIdentifier":"21000001","webOrderLineItemId":"2000000000000123",
        "appAccountToken":"7B5A5CB8-239A-4CD1-B5D8-968CC1D437F4","appTransactionId":"704000000000000001","isUpgraded":true,
        "revocationDate":1700000000000,"revocationReason":1,"revocationType":"REFUND_PRORATED","revocationPercentage":50000,
        "offerType":2,"offerIdentifier":"spring","offerDiscountType":"PAY_AS_YOU_GO","offerPeriod":"P1M","storefront":"DEU",
        "storefrontId":"143443","transactionReason":"RENEWAL","price":1990,"currency":"EUR","billingPlanType":"MONTHLY",
        "commitmentInfo":{"billingPeriodNumber":2,"totalBillingPeriods":12,"commitmentExpiresDate":1730000000000,"commitmentPrice":23880},
        "advancedCommerceInfo":{"items":[{"SKU":"a"}]},"tomorrow":[1.50,null]}
        """

    package static let renewal = """
        {"originalTransactionId":"2000000123456789","signedDate":1700000000500,"productId":"weekly","autoRenewProductId":"monthly",
        "autoRenewStatus":0,"expirationIntent":2,"isInBillingRetryPeriod":true,"gracePeriodExpiresDate":1700700000000,
        "priceIncreaseStatus":1,"offerType":4,"offerIdentifier":"back","offerDiscountType":"FREE_TRIAL","offerPeriod":"P1W",
        "environment":"Production","recentSubscriptionStartDate":1690000000000,"renewalDate":1700604800000,"renewalPrice":990,
        "currency":"USD","renewalBillingPlanType":"BILLED_UPFRONT","eligibleWinBackOfferIds":["best","good"],
        "appAccountToken":"7b5a5cb8-239a-4cd1-b5d8-968cc1d437f4","appTransactionId":"704000000000000001",
        "commitmentInfo":{"commitmentAutoRenewProductId":"yearly","commitmentAutoRenewStatus":1,"commitmentRenewalDate":1740000000000,
        "commitmentRenewalPrice":9990,"commitmentRenewalBillingPlanType":"MONTHLY"}}
        """

    package var payload = SignedTransactionFixture.transaction
    package var issuer = SimulatedJWSIssuer()
    package var verifier = SignedTransactionVerifier(
        bundleID: "com.example.app", environment: .sandbox, trustAnchors: .pinning(SimulatedJWSIssuer.rootCertificate))

    package init() {}

    package func token() -> String {
        issuer.issue(payload: Data(payload.utf8))
    }

    package func failures() -> [ReceiptCheck: ReceiptVerificationError.Code] {
        verifier.report(on: token()).failures
    }

    package func failures(_ token: String) -> [ReceiptCheck: ReceiptVerificationError.Code] {
        verifier.report(on: token).failures
    }

    package static func certificates() throws -> (
        root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate
    ) {
        SimulatedCertificateChain.certificates(
            root: .ellipticCurve(try #require(SimulatedSigningKeys.transactionRoot)),
            intermediate: .ellipticCurve(try #require(SimulatedSigningKeys.transactionIntermediate)),
            leaf: .ellipticCurve(try #require(SimulatedSigningKeys.transactionLeaf)))
    }

    /// Signs a header that contains `x5c`.
    package func token(header: String) throws -> String {
        issuer.sign(
            header: Data(header.utf8), payload: Data(payload.utf8),
            try #require(SimulatedCertificateChain.signedTransactions))
    }

    /// The member `"x5c":[…]` of certificates.
    package static func x5c(_ certificates: [[UInt8]]) -> String {
        "\"x5c\":[\(certificates.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ","))]"
    }
}
