import AppReceipt
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SharedValueTests {
    @Test func `changing a row doesn't change its copies`() {
        let row = ReceiptTransaction(
            PurchaseFacts(productID: "pro", transactionID: "1", purchaseDate: Date(timeIntervalSince1970: 0)))
        let changes: [(inout ReceiptTransaction) -> Void] = [
            { $0.productID = "coins" }, { $0.quantity = 2 }, { $0.transactionID = "2" },
            { $0.originalTransactionID = "0" },
            { $0.purchaseDate = .distantPast }, { $0.originalPurchaseDate = .distantPast },
            { $0.expirationDate = .distantFuture },
            { $0.revocationDate = .distantPast }, { $0.revocationReason = RevocationReason(rawValue: 1) },
            { $0.isUpgraded = true },
            { $0.isTrialPeriod = true }, { $0.isInIntroductoryOfferPeriod = true }, { $0.promotionalOfferID = "offer" },
            { $0.offerCodeReferenceName = "code" }, { $0.subscriptionGroupID = "group" },
            { $0.webOrderLineItemID = "3" },
            { $0.ownershipType = .familyShared }, { $0.appAccountToken = UUID() },
            { $0.unknownFields = ["a": .null] }, { $0.signedDate = .distantPast }, { $0.productKind = .consumable },
            { $0.appTransactionID = "4" },
            { $0.billingPlan = .monthly },
        ]
        var changed: Set<ReceiptTransaction> = [row]
        for change in changes {
            var copy = row
            change(&copy)
            #expect(copy != row)
            #expect(changed.insert(copy).inserted)
        }
        expectEqual(
            row,
            ReceiptTransaction(
                PurchaseFacts(productID: "pro", transactionID: "1", purchaseDate: Date(timeIntervalSince1970: 0))))
    }

    @Test func `errors with equal details are equal`() {
        let damage = MalformedReceiptError(.truncated, at: 1, expected: "a name", found: "none")
        expectEqual(damage, MalformedReceiptError(.truncated, at: 1, expected: "a name", found: "none"))
        let others = [
            MalformedReceiptError(.invalidValue, at: 1, expected: "a name", found: "none"),
            MalformedReceiptError(.truncated, at: 2, expected: "a name", found: "none"),
            MalformedReceiptError(.truncated, at: 1, expected: "a date", found: "none"),
            MalformedReceiptError(.truncated, at: 1, expected: "a name"),
        ]
        expectEqual(Set(others + [damage, damage]).count, 5)
        let refusal = ReceiptVerificationError(.signatureInvalid, .signature, "wrong")
        expectEqual(refusal, ReceiptVerificationError(.signatureInvalid, .signature, "wrong"))
        let refusals = [
            refusal, ReceiptVerificationError(.untrustedRoot, .signature, "wrong"),
            ReceiptVerificationError(.signatureInvalid, .chain, "wrong"),
            ReceiptVerificationError(.signatureInvalid, .signature, "worse"),
            ReceiptVerificationError(damage, .signature), ReceiptVerificationError(others[0], .signature),
        ]
        expectEqual(Set(refusals).count, 6)
    }
}
