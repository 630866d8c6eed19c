import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct VerifiedTransactionTests {
    /// A transaction with every field.
    private static let payload = """
        {"transactionId":"2","originalTransactionId":"1","bundleId":"com.example.club","productId":"pro",
        "purchaseDate":1000,"signedDate":2000,"originalPurchaseDate":500,"expiresDate":9000,"quantity":1,
        "type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED","environment":"Production",
        "subscriptionGroupIdentifier":"20","webOrderLineItemId":"3","appTransactionId":"7","isUpgraded":false,
        "appAccountToken":"0ba4b9f4-1c2b-4a1c-9e2b-0123456789ab","revocationDate":8000,"revocationReason":1,
        "deviceVerification":"AAAA","deviceVerificationNonce":"0ba4b9f4-1c2b-4a1c-9e2b-0123456789ab",
        "revocationType":"REFUND_PRORATED","revocationPercentage":50000,"offerType":1,"offerIdentifier":"a",
        "offerDiscountType":"FREE_TRIAL","offerPeriod":"P1W","storefront":"USA","storefrontId":"143441",
        "transactionReason":"PURCHASE","price":9990,"currency":"USD","billingPlanType":"MONTHLY",
        "commitmentInfo":{"billingPeriodNumber":1,"totalBillingPeriods":12,"commitmentExpiresDate":99000,
        "commitmentPrice":99000},"bundleProductId":"everything","previousOriginalTransactionId":"0",
        "additionalTransactionReason":"SEAT_ADDITION","invitationManagement":"APPLE","multiSeatInfo":[1],
        "novelty":1}
        """

    private func info() throws -> SignedTransactionInfo {
        try SignedTransactionInfo(payload: Data(Self.payload.utf8))
    }

    private func entitlement(_ transaction: VerifiedTransaction) -> StoreEntitlement {
        StoreEntitlement(transaction, kind: .autoRenewable, state: .revoked, accessEndDate: nil, renewal: nil)
    }

    /// The value in words, without the levels of optionality.
    private func text(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return "\(value)" }
        return mirror.children.first.map { text($0.value) } ?? "nil"
    }

    @Test func `every signed field is a property of transactions, entitlements and statuses`() throws {
        let info = try info()
        let t = VerifiedTransaction(info, text: { "text" })
        let e = entitlement(t)
        let s = SubscriptionGroupStatus(e, "20")
        var reached: [String: [String]] = [:]
        func add<T, E, S>(_ name: String, _ transaction: T, _ entitlement: E, _ status: S) {
            reached[name] = [text(transaction), text(entitlement), text(status)]
        }
        add("productID", t.productID, e.productID, s.productID)
        add("transactionID", t.transactionID, e.transactionID, s.transactionID)
        add("originalTransactionID", t.originalTransactionID, e.originalTransactionID, s.originalTransactionID)
        add("purchaseDate", t.purchaseDate, e.purchaseDate, s.purchaseDate)
        add("originalPurchaseDate", t.originalPurchaseDate, e.originalPurchaseDate, s.originalPurchaseDate)
        add("expirationDate", t.expirationDate, e.expirationDate, s.expirationDate)
        add("quantity", t.quantity, e.quantity, s.quantity)
        add("productKind", t.productKind, e.productKind, s.productKind)
        add("subscriptionGroupID", t.subscriptionGroupID, e.subscriptionGroupID, s.subscriptionGroupID)
        add("webOrderLineItemID", t.webOrderLineItemID, e.webOrderLineItemID, s.webOrderLineItemID)
        add("ownershipType", t.ownershipType, e.ownershipType, s.ownershipType)
        add("appAccountToken", t.appAccountToken, e.appAccountToken, s.appAccountToken)
        add("appTransactionID", t.appTransactionID, e.appTransactionID, s.appTransactionID)
        add("isUpgraded", t.isUpgraded, e.isUpgraded, s.isUpgraded)
        add("revocationDate", t.revocationDate, e.revocationDate, s.revocationDate)
        add("revocationReason", t.revocationReason, e.revocationReason, s.revocationReason)
        add("offer", t.offer, e.offer, s.offer)
        add("billingPlan", t.billingPlan, e.billingPlan, s.billingPlan)
        add("commitment", t.commitment, e.commitment, s.commitment)
        add("signedDate", t.signedDate, e.signedDate, s.signedDate)
        add("bundleID", t.bundleID, e.bundleID, s.bundleID)
        add("environment", t.environment, e.environment, s.environment)
        add("revocationType", t.revocationType, e.revocationType, s.revocationType)
        add("revocationPercentage", t.revocationPercentage, e.revocationPercentage, s.revocationPercentage)
        add("storefrontCountryCode", t.storefrontCountryCode, e.storefrontCountryCode, s.storefrontCountryCode)
        add("storefrontID", t.storefrontID, e.storefrontID, s.storefrontID)
        add("reason", t.reason, e.reason, s.reason)
        add("price", t.price, e.price, s.price)
        add("currency", t.currency, e.currency, s.currency)
        add("bundle", t.bundle, e.bundle, s.bundle)
        add(
            "previousOriginalTransactionID", t.previousOriginalTransactionID, e.previousOriginalTransactionID,
            s.previousOriginalTransactionID)
        add(
            "additionalTransactionReason", t.additionalTransactionReason, e.additionalTransactionReason,
            s.additionalTransactionReason)
        add("invitationManagement", t.invitationManagement, e.invitationManagement, s.invitationManagement)
        add("multiSeatInfo", t.multiSeatInfo, e.multiSeatInfo, s.multiSeatInfo)
        add("deviceVerification", t.deviceVerification, e.deviceVerification, s.deviceVerification)
        add("unknownFields", t.unknownFields, e.unknownFields, s.unknownFields)

        let fields = [Mirror(reflecting: info.facts), Mirror(reflecting: info)].flatMap(\.children)
        for field in fields {
            guard let name = field.label, name != "facts" else { continue }
            let value = text(field.value)
            #expect(value != "nil", "the payload has no \(name)")
            expectEqual(reached.removeValue(forKey: name), [value, value, value], "\(name)")
        }
        expectEqual(reached.keys.sorted(), [])
        expectEqual(info.unknownFields, ["novelty": .number("1")])
    }

    @Test func `a transaction of a receipt has the facts, unknown fields, and nothing that Apple signs alone`() {
        let facts = PurchaseFacts(productID: "pro", transactionID: "1", purchaseDate: .distantPast)
        let transaction = VerifiedTransaction(facts, unknownFields: ["77": .null])
        #expect(transaction.signedInfo == nil && transaction.jws == nil && transaction.price == nil)
        #expect(transaction.bundleID == nil && transaction.facts == facts && transaction.id == "1")
        expectEqual(transaction.unknownFields, ["77": .null])
        #expect(transaction != VerifiedTransaction(facts))
    }

    @Test(arguments: [
        (#""price":9990"#, #""price":9980"#, false), (#""signedDate":2000"#, #""signedDate":2001"#, true),
        (#""deviceVerification":"AAAA""#, #""deviceVerification":"AAAB""#, true),
        (#""isUpgraded":false"#, #""isUpgraded":true"#, false), (#""novelty":1"#, #""novelty":2"#, false),
    ])
    func `a later signature of the same content is equal, and any other field makes a difference`(
        field: String, changed: String, isEqual: Bool
    ) throws {
        let other = Self.payload.replacing(field, with: changed)
        #expect(other != Self.payload)
        let signed = VerifiedTransaction(try info(), text: { "a" })
        let later = VerifiedTransaction(try SignedTransactionInfo(payload: Data(other.utf8)), text: { "b" })
        expectEqual(signed == later, isEqual)
        expectEqual(entitlement(signed) == entitlement(later), isEqual)
    }

    @Test func `other facts keep the signed text and the other signed fields`() throws {
        let transaction = VerifiedTransaction(try info(), text: { "text" })
        var facts = transaction.facts
        facts.isUpgraded = true
        let changed = transaction.with(facts)
        #expect(changed.isUpgraded && changed.price == transaction.price && changed.jws == "text")
    }
}
