import AppReceipt
import AppStoreServer
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// Known defects of older libraries.
@Suite(.bounded) struct ReceiptDefectTests {
    private typealias F = ReceiptFixtures

    private func receipt(_ rows: String..., members: String = "") throws -> Receipt {
        try Receipt.unverified(verifyReceiptJSON: F.answer(members, inApp: rows.joined(separator: ",")))
    }

    @Test(arguments: ["\"true\"", "true", "\"1\""])
    func `I1: is_upgraded as a string is true`(spelling: String) throws {
        expectEqual(try receipt(F.row("pro", "\"is_upgraded\":\(spelling)")).transactions.first?.isUpgraded, true)
    }

    @Test func `I3: cancellation_date null is no cancellation, and cancellation_date_ms alone is one`() throws {
        #expect(try receipt(F.row("pro", "\"cancellation_date\":null")).owns("pro", at: .now))
        #expect(
            try receipt(F.row("pro", "\"cancellation_date_ms\":null,\"cancellation_date\":null")).owns("pro", at: .now))
        #expect(try !receipt(F.row("pro", "\"cancellation_date_ms\":\"\(F.milliseconds(1))\"")).owns("pro", at: .now))
        #expect(
            try !receipt(F.row("pro", "\"cancellation_date\":\"2026-01-02 00:00:00 Etc/GMT\"")).owns("pro", at: .now))
    }

    @Test func `I4: an old receipt has expired now but not at its request date`() throws {
        let receipt = try Receipt.unverified(
            verifyReceiptJSON: F.answer(
                receipt: "\"request_date_ms\":\"1500000100000\"",
                inApp: F.row("weekly", "\"expires_date_ms\":\"1500000200000\"").replacing(
                    "\(F.milliseconds(0))", with: "1500000000000")))
        expectEqual(receipt.subscriptionStatus(of: "weekly", at: .now).state, .expired)
        expectEqual(receipt.subscriptionStatus(of: "weekly", at: .requestDate).state, .subscribed)
        expectEqual(
            receipt.subscriptionStatus(of: "weekly", at: .date(Date(timeIntervalSince1970: 1_500_000_300))).state,
            .expired)
    }

    @Test func `I5: grace period and billing retry are separate states`() throws {
        func state(_ renewal: String) throws -> SubscriptionState {
            try receipt(
                F.row("weekly", "\"expires_date_ms\":\"\(F.milliseconds(7))\""),
                members:
                    "\"pending_renewal_info\":[{\"product_id\":\"weekly\",\"original_transaction_id\":\"1000\",\(renewal)}]"
            ).subscriptionStatus(of: "weekly", at: .date(F.day(8))).state
        }
        expectEqual(try state("\"is_in_billing_retry_period\":\"1\""), .inBillingRetryPeriod)
        expectEqual(
            try state("\"is_in_billing_retry_period\":\"1\",\"grace_period_expires_date_ms\":\"\(F.milliseconds(9))\""),
            .inGracePeriod)
        expectEqual(try state("\"is_in_billing_retry_period\":\"0\",\"expiration_intent\":\"1\""), .expired)
    }

    @Test func `I7: an upgraded subscription without a cancellation date is ignored`() throws {
        let expires = "\"expires_date_ms\":\"\(F.milliseconds(30))\""
        let lower = F.row("basic", "\(expires),\"is_upgraded\":\"true\"")
        let receipt = try receipt(lower, F.row("premium", expires, transaction: "1001", day: 1))
        #expect(!receipt.owns("basic", at: .now))
        expectEqual(receipt.subscriptionStatus(of: "basic", at: .date(F.day(2))).state, .upgraded)
        expectEqual(
            receipt.subscriptionStatus(of: ["basic", "premium"], at: .date(F.day(2))).transaction?.productID, "premium")
    }

    @Test func `I8: the purchase of a product is its latest valid row`() throws {
        let refunded = F.row("pro", "\"cancellation_date_ms\":\"\(F.milliseconds(5))\"", transaction: "1003", day: 4)
            .replacing("\"original_transaction_id\":\"1000\"", with: "\"original_transaction_id\":\"1003\"")
        let receipt = try receipt(F.row("pro"), F.row("pro", transaction: "1002", day: 3), refunded)
        expectEqual(receipt.latestValidTransaction(of: "pro")?.transactionID, "1002")
    }
}
