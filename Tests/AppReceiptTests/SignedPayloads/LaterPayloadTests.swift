import AppReceipt
import AppStoreServer
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// The fields and values of signed payloads since StoreKit 26.4.
@Suite(.bounded) struct LaterPayloadTests {
    private typealias F = ReceiptFixtures

    private func transaction(_ members: String) throws -> SignedTransactionInfo {
        try SignedTransactionInfo(
            payload: Data(
                """
                {"transactionId":"2","originalTransactionId":"1","bundleId":"com.example.app","productId":"pro","purchaseDate":0,
                "signedDate":1600000000000\(members.isEmpty ? "" : ",\(members)")}
                """.utf8))
    }

    private func renewal(_ members: String) throws -> SignedRenewalInfo {
        try SignedRenewalInfo(
            payload: Data(
                """
                {"originalTransactionId":"1","productId":"pro","signedDate":1600000000000\(members.isEmpty ? "" : ",\(members)")}
                """.utf8))
    }

    private static let commitment = [
        "billingPeriodNumber": "2", "totalBillingPeriods": "12", "commitmentExpiresDate": "1730000000000",
        "commitmentPrice": "119880",
    ]
    private static let renewalCommitment = [
        "commitmentAutoRenewProductId": "\"pro\"", "commitmentAutoRenewStatus": "0",
        "commitmentRenewalDate": "1730000000000",
        "commitmentRenewalPrice": "119880", "commitmentRenewalBillingPlanType": "\"MONTHLY\"",
    ]

    private static func object(_ members: [String: String], without name: String? = nil) -> String {
        let members = members.filter { $0.key != name }.map { "\"\($0.key)\":\($0.value)" }.sorted()
        return "\"commitmentInfo\":{\(members.joined(separator: ","))}"
    }

    @Test func `a bundle, its transactions and the former subscription are decoded`() throws {
        let info = try transaction(
            """
            "bundleProductId":"everything","bundleSubscriptionGroupIdentifier":"9","bundleTransactionId":"77",
            "bundleOriginalTransactionId":"70","previousOriginalTransactionId":"60","revocationReason":2
            """)
        expectEqual(
            info.bundle,
            ReceiptBundle(
                productID: "everything", subscriptionGroupID: "9", transactionID: "77", originalTransactionID: "70"))
        expectEqual(info.previousOriginalTransactionID, "60")
        expectEqual(info.revocationReason, .upgradedToBundle)
        expectEqual(info.unknownFields, [:])
    }

    @Test func `identifiers of transactions may be numbers`() throws {
        let info = try transaction(
            #""bundleProductId":"b","bundleTransactionId":77,"previousOriginalTransactionId":60"#)
        expectEqual(info.bundle?.transactionID, "77")
        expectEqual(info.previousOriginalTransactionID, "60")
    }

    @Test func `renewal information says that a subscription leaves its bundle`() throws {
        let info = try renewal(
            """
            "bundleProductId":"everything","bundleSubscriptionGroupIdentifier":"9","bundleOriginalTransactionId":"70",
            "willUnbundle":true,"expirationIntent":6,"renewalQuantity":4,"multiSeatInfo":{"a":1}
            """)
        expectEqual(info.bundle?.originalTransactionID, "70")
        #expect(info.willUnbundle)
        expectEqual(info.expirationReason, .unbundled)
        expectEqual(info.renewalQuantity, 4)
        expectEqual(info.multiSeatInfo, .object(["a": .number("1")]))
        expectEqual(info.unknownFields, [:])
        #expect(try !renewal("").willUnbundle)
        expectEqual(ReceiptRenewal(info).willUnbundle, true)
    }

    @Test func `seats, their invitations and an assigned purchase are decoded`() throws {
        let info = try transaction(
            #""inAppOwnershipType":"ASSIGNED","invitationManagement":"DEVELOPER","multiSeatInfo":[],"quantity":12,"#
                + #""additionalTransactionReason":"SEAT_ADDITION""#)
        expectEqual(info.ownershipType, .assigned)
        expectEqual(info.invitationManagement, .developer)
        expectEqual(info.multiSeatInfo, .array([]))
        expectEqual(info.additionalTransactionReason, .seatAddition)
        expectEqual(info.quantity, 12)
        #expect(ReceiptTransaction(info).isAssigned)
        #expect(!ReceiptTransaction(info).isFamilyShared)
        expectEqual(info.unknownFields, [:])
    }

    @Test(arguments: [
        ("REFUND_FULL", RevocationType.fullRefund), ("REFUND_PRORATED", .proratedRefund),
        ("FAMILY_REVOKE", .familyRevocation),
        ("ASSIGNMENT_REVOKE", .assignmentRevocation), ("LATER", RevocationType(rawValue: "LATER")),
    ])
    func `a revocation has a type and a percentage`(word: String, type: RevocationType) throws {
        let info = try transaction("\"revocationDate\":1,\"revocationType\":\"\(word)\",\"revocationPercentage\":33333")
        expectEqual(info.revocationType, type)
        expectEqual(info.revocationPercentage, Decimal(string: "33.333"))
    }

    @Test func `the price of a commitment is in thousandths`() throws {
        let info = try transaction("\"price\":10990,\"billingPlanType\":\"MONTHLY\",\(Self.object(Self.commitment))")
        expectEqual(info.price, Decimal(string: "10.99"))
        expectEqual(info.commitment?.price, Decimal(string: "119.88"))
        let row = ReceiptTransaction(info)
        expectEqual(row.commitment, info.commitment)
        expectEqual(row.billingPlan, .monthly)
    }

    @Test(arguments: commitment.keys.sorted()) func `an incomplete commitment of a transaction is kept unchanged`(
        name: String
    ) throws {
        let info = try transaction(Self.object(Self.commitment, without: name))
        expectEqual(info.commitment, nil)
        expectEqual(info.unknownFields.keys.sorted(), ["commitmentInfo"])
        #expect(try transaction(Self.object(Self.commitment)).unknownFields.isEmpty)
    }

    @Test(arguments: renewalCommitment.keys.sorted()) func `an incomplete commitment of a renewal is kept unchanged`(
        name: String
    ) throws {
        let info = try renewal(Self.object(Self.renewalCommitment, without: name))
        expectEqual(info.commitment, nil)
        expectEqual(info.unknownFields.keys.sorted(), ["commitmentInfo"])
        #expect(try renewal(Self.object(Self.renewalCommitment)).commitment?.willAutoRenew == false)
    }

    @Test func `later fields of a commitment are kept`() throws {
        let info = try transaction(Self.object(Self.commitment.merging(["later": "1"]) { $1 }))
        expectEqual(info.commitment?.unknownFields, ["later": .number("1")])
    }

    @Test func `retention offers have a kind`() throws {
        expectEqual(try transaction(#""offerType":5,"offerIdentifier":"stay""#).offer?.kind, .retention)
    }

    @Test(
        arguments: [
            ("", SignedAppTransactionInfo.StoreType.consumer, nil), (#","storeType":"EDUCATION""#, .education, nil),
            (
                #","storeType":"ENTERPRISE","appRevocationDate":1600000000000"#, .enterprise,
                Date(timeIntervalSince1970: 1_600_000_000)
            ),
        ] as [(String, SignedAppTransactionInfo.StoreType, Date?)])
    func `an app transaction has its store and revocation date`(
        members: String, store: SignedAppTransactionInfo.StoreType, date: Date?
    ) throws {
        let payload = """
            {"receiptType":"Production","bundleId":"com.example.app","receiptCreationDate":1700000000500,"applicationVersion":"1",
            "originalPlatform":"MANAGED"\(members)}
            """
        let info = try #require(try SignedPayload.unverified(jws: token(payload)).appTransaction)
        expectEqual(info.storeType, store)
        expectEqual(info.revocationDate, date)
        expectEqual(info.originalPlatform, .managed)
        expectEqual(info.unknownFields, [:])
    }

    private func token(_ payload: String) -> String {
        var fixture = SignedTransactionFixture()
        fixture.payload = payload
        return fixture.token()
    }

    @Test func `fields of later versions are encoded and decoded`() throws {
        let info = try transaction(
            #""billingPlanType":"MONTHLY","bundleProductId":"b","revocationType":"REFUND_FULL","revocationPercentage":1000,"#
                + Self.object(Self.commitment))
        expectEqual(try JSONDecoder().decode(SignedTransactionInfo.self, from: JSONEncoder().encode(info)), info)
        let row = ReceiptTransaction(info)
        let decoded = try JSONDecoder().decode(ReceiptTransaction.self, from: JSONEncoder().encode(row))
        expectEqual(decoded, row)
        expectEqual(decoded.commitment, info.commitment)
        var plain = decoded
        (plain.commitment, plain.billingPlan) = (nil, nil)
        expectEqual(plain.commitment, nil)
        expectEqual(decoded.commitment?.price, Decimal(string: "119.88"), "copies don't change each other")
    }

    @Test func `notifications about seats have names`() {
        expectEqual(AppStoreServerNotification.Kind.unclaimSeats.rawValue, "UNCLAIM_SEATS")
        expectEqual(AppStoreServerNotification.Subtype.increaseQuantity.rawValue, "INCREASE_QUANTITY")
        expectEqual(AppStoreServerNotification.Subtype.decreaseQuantity.rawValue, "DECREASE_QUANTITY")
    }

    private func month(_ number: Int64, of total: Int64 = 12) -> ReceiptTransaction {
        F.period("pro", from: Double(number - 1) * 30) { row in
            row.billingPlan = .monthly
            row.commitment = SignedTransactionCommitment(
                billingPeriodNumber: number, totalBillingPeriods: total, expirationDate: F.day(360), price: 72)
        }
    }

    private func renewal(
        renews: Bool, commitmentRenews: Bool?, product: String = "pro", plan: BillingPlan = .monthly
    ) -> ReceiptRenewal {
        var renewal = ReceiptRenewal(
            RenewalFacts(
                productID: "pro", originalTransactionID: "1000", autoRenewPreference: "pro", willAutoRenew: renews))
        renewal.commitment = commitmentRenews.map {
            SignedRenewalCommitment(
                autoRenewPreference: product, willAutoRenew: $0, renewalDate: F.day(360), renewalPrice: 72,
                renewalBillingPlan: plan)
        }
        return renewal
    }

    @Test func `access ends with the month, and billing retry lasts ninety days within a commitment`() {
        var renewal = renewal(renews: true, commitmentRenews: true)
        renewal.isInBillingRetry = true
        let receipt = F.receipt([month(1), month(2)], [renewal])
        for (day, state) in [
            (59.0, SubscriptionState.subscribed), (60, .inBillingRetryPeriod), (149, .inBillingRetryPeriod),
            (151, .expired),
        ] {
            expectEqual(receipt.subscriptionStatus(of: "pro", at: .date(F.day(day))).state, state, "\(day)")
        }
    }

    @Test(
        arguments: [
            (1, true, true, true), (1, true, false, true), (11, true, false, true), (12, true, false, false),
            (12, true, true, true),
            (12, false, false, false), (1, false, false, false),
        ] as [(Int64, Bool, Bool, Bool)])
    func `another payment follows until the last month of a commitment that doesn't renew`(
        number: Int64, outer: Bool, commitment: Bool, expected: Bool
    ) {
        let renewal = renewal(renews: outer, commitmentRenews: commitment)
        expectEqual(renewal.facts.willRenew(after: month(number).facts), expected)
        let status = F.receipt([month(number)], [renewal]).subscriptionStatus(of: "pro", at: .now)
        expectEqual(status.willAutoRenew, expected)
    }

    @Test(arguments: [
        (true, "pro", BillingPlan.monthly, false), (false, "pro", .monthly, true), (true, "max", .monthly, true),
        (true, "pro", .upFront, true),
    ])
    func `changes within a commitment take effect when it ends`(
        renews: Bool, product: String, plan: BillingPlan, changes: Bool
    ) {
        let renewal = renewal(renews: true, commitmentRenews: renews, product: product, plan: plan)
        expectEqual(renewal.facts.changeDate(after: month(3).facts), changes ? F.day(360) : nil)
    }

    @Test func `changes outside a commitment take effect at the end of the period`() {
        let period = F.period("pro", from: 0)
        func changeDate(_ change: (inout ReceiptRenewal) -> Void) -> Date? {
            var renewal = renewal(renews: true, commitmentRenews: nil)
            change(&renewal)
            return renewal.facts.changeDate(after: period.facts)
        }
        expectEqual(changeDate { _ in }, nil)
        expectEqual(changeDate { $0.renewalBillingPlan = .upFront }, nil)
        expectEqual(changeDate { $0.willAutoRenew = false }, F.day(30))
        expectEqual(changeDate { $0.autoRenewPreference = "max" }, F.day(30))
        expectEqual(changeDate { $0.renewalBillingPlan = .monthly }, F.day(30))
        expectEqual(changeDate { $0.willUnbundle = true }, F.day(30))
    }

    @Test func `a refund of an earlier month doesn't end access`() {
        var first = month(1)
        first.revocationDate = F.day(40)
        expectEqual(
            F.receipt([first, month(2)]).subscriptionStatus(of: "pro", at: .date(F.day(45))).state, .subscribed)
        var second = month(2)
        second.revocationDate = F.day(40)
        expectEqual(F.receipt([month(1), second]).subscriptionStatus(of: "pro", at: .date(F.day(45))).state, .revoked)
    }
}
