import AppReceipt
import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct VerificationResultTests {
    private let world = StoreKit2World()

    @Test func `a signed transaction is accepted and has the transaction's values`() async throws {
        try await world.own("basic", [.appAccountToken(UUID())])
        world.appStore.advance(by: 8 * 86_400)
        try world.appStore.refund("basic", reason: .developerIssue)
        try await world.own("pro")
        try await world.own("coins", [.quantity(2)])
        world.appStore.behavior.historyListsFinishedConsumables = true
        var count = 0
        for await result in Transaction.all(of: world.launch) {
            let transaction = try result.payloadValue
            let signed = try world.verifier.transaction(jws: result.jwsRepresentation)
            expectEqual(signed.transactionID, "\(transaction.id)")
            expectEqual(signed.originalTransactionID, "\(transaction.originalID)")
            expectEqual(signed.bundleID, transaction.appBundleID)
            expectEqual(signed.productID, transaction.productID)
            expectEqual(signed.productKind?.rawValue, transaction.productType.rawValue)
            expectEqual(signed.purchaseDate, transaction.purchaseDate)
            expectEqual(signed.originalPurchaseDate, transaction.originalPurchaseDate)
            expectEqual(signed.expirationDate, transaction.expirationDate)
            expectEqual(signed.signedDate, transaction.signedDate)
            expectEqual(signed.quantity, transaction.purchasedQuantity)
            expectEqual(signed.appAccountToken, transaction.appAccountToken)
            expectEqual(signed.ownershipType?.rawValue, transaction.ownershipType.rawValue)
            expectEqual(signed.reason?.rawValue, transaction.reason.rawValue)
            expectEqual(signed.environment?.rawValue, transaction.environment.rawValue)
            expectEqual(signed.subscriptionGroupID, transaction.subscriptionGroupID)
            expectEqual(signed.webOrderLineItemID, transaction.webOrderLineItemID)
            expectEqual(signed.price, transaction.price)
            expectEqual(signed.currency, transaction.currency?.identifier)
            expectEqual(signed.storefrontCountryCode, transaction.storefront.countryCode)
            expectEqual(signed.storefrontID, transaction.storefront.id)
            expectEqual(signed.offer?.kind.rawValue, transaction.offer.map { Int64($0.type.rawValue) })
            expectEqual(signed.offer?.paymentMode?.rawValue, transaction.offer?.paymentMode?.rawValue)
            expectEqual(
                signed.offer?.period, transaction.offer?.period.map { "P\($0.value)\($0.unit == .week ? "W" : "M")" })
            expectEqual(signed.revocationDate, transaction.revocationDate)
            expectEqual(signed.revocationReason?.rawValue, transaction.revocationReason?.rawValue)
            #expect(signed.appTransactionID == transaction.appTransactionID && signed.unknownFields.isEmpty)
            expectEqual(signed.deviceVerification?.hash, transaction.deviceVerification)
            expectEqual(signed.deviceVerification?.nonce, transaction.deviceVerificationNonce)
            count += 1
        }
        expectEqual(count, 4)
    }

    @Test func `signed renewal information is accepted and has the renewal information's values`() async throws {
        try await world.own("basic", [.appAccountToken(UUID())])
        for step in 0..<3 {
            let status = try world.status()
            let transaction = try world.verifier.transaction(jws: status.transaction.jwsRepresentation)
            let signed = try world.verifier.renewalInfo(jws: status.renewalInfo.jwsRepresentation, of: transaction)
            let renewal = try status.renewalInfo.payloadValue
            expectEqual(signed.originalTransactionID, "\(renewal.originalTransactionID)")
            expectEqual(signed.productID, renewal.currentProductID)
            expectEqual(signed.autoRenewPreference, renewal.autoRenewPreference)
            expectEqual(signed.willAutoRenew, renewal.willAutoRenew)
            expectEqual(signed.isInBillingRetry, renewal.isInBillingRetry)
            expectEqual(signed.gracePeriodExpirationDate, renewal.gracePeriodExpirationDate)
            expectEqual(signed.expirationReason?.rawValue, renewal.expirationReason?.rawValue)
            expectEqual(signed.renewalDate, renewal.renewalDate)
            expectEqual(signed.renewalPrice, renewal.renewalPrice)
            expectEqual(signed.currency, renewal.currency?.identifier)
            expectEqual(signed.appAccountToken, renewal.appAccountToken)
            expectEqual(signed.recentSubscriptionStartDate, renewal.recentSubscriptionStartDate)
            expectEqual(signed.signedDate, renewal.signedDate)
            expectEqual(signed.eligibleWinBackOfferIDs, renewal.eligibleWinBackOfferIDs)
            expectEqual(signed.environment?.rawValue, "Sandbox")
            #expect(signed.appTransactionID == renewal.appTransactionID && signed.unknownFields.isEmpty)
            expectEqual(signed.deviceVerification?.nonce, renewal.deviceVerificationNonce)
            switch step {
            case 0:
                world.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
                world.appStore.behavior.billingGracePeriodIsEnabled = true
                world.appStore.advance(by: 8 * 86_400)
            default:
                world.appStore.advance(by: 100 * 86_400)
            }
        }
    }

    @Test func `any product identifier can be signed`() async throws {
        let id = "odd \"name\" \\ of\u{1}a\tproduct € 🛍\n"
        world.appStore.catalog.products.append(.nonConsumable(id, price: 0.001))
        let transaction = try await world.own(id)
        let result = try #require(Transaction.latest(for: id, launch: world.launch))
        let signed = try world.verifier.transaction(jws: result.jwsRepresentation)
        expectEqual(signed.productID, id)
        expectEqual(signed.price, transaction.price)
        expectEqual(transaction.price, Decimal(string: "0.001"))
    }

    @Test func `unverified texts are rejected by the package's verifier, too`() async throws {
        world.appStore.setNextPurchaseOutcome(.unverified)
        guard case .success(let result) = try await world.product("pro").purchase(with: []) else {
            throw CancellationError()
        }
        expectError(\ReceiptVerificationError.code, .signatureInvalid) {
            try world.verifier.transaction(jws: result.jwsRepresentation)
        }
        #expect(
            result.unsafePayloadValue.productID == "pro"
                && result.debugDescription.hasPrefix("unverified (invalidSignature)"))
    }

    @Test func `the parts of a signed text`() async throws {
        try await world.own("pro")
        let result = try #require(Transaction.latest(for: "pro", launch: world.launch))
        let header = try JSONSerialization.jsonObject(with: result.headerData) as? [String: Any]
        #expect(header?["alg"] as? String == "ES256" && (header?["x5c"] as? [String])?.count == 3)
        expectEqual(result.signatureData.count, 64)
        let transaction = try result.payloadValue
        expectEqual(result.payloadData, transaction.jsonRepresentation)
        expectEqual(result.debugDescription, "verified " + String(decoding: result.payloadData, as: UTF8.self))
        let text = String(decoding: result.signedData, as: UTF8.self)
        #expect(result.jwsRepresentation.hasPrefix(text + "."))
        expectEqual(result.signedDate, transaction.signedDate)
        expectEqual(result.deviceVerification, transaction.deviceVerification)
        expectEqual(result.deviceVerificationNonce, transaction.deviceVerificationNonce)
    }

    @Test func `a text is signed once per date`() async throws {
        try await world.own("pro")
        func latest() throws -> VerificationResult<StoreKit.Transaction> {
            try #require(Transaction.latest(for: "pro", launch: world.launch))
        }
        let first = try latest()
        expectEqual(try latest(), first)
        expectEqual(try latest().jwsRepresentation, first.jwsRepresentation)
        world.appStore.advance(by: 10)
        let later = try latest()
        #expect(later != first && later.signedDate == first.signedDate.addingTimeInterval(10))
        expectEqual(later.unsafePayloadValue.id, first.unsafePayloadValue.id)
        expectEqual(Set([first, later, first]).count, 2)
    }

    @Test func `without signing, the signature is zeros`() async throws {
        world.appStore.behavior.signsReceipts = false
        try await world.own("pro")
        let result = try #require(Transaction.latest(for: "pro", launch: world.launch))
        expectEqual(result.signatureData, Data(count: 64))
    }
}
