import AppReceipt
import AppStoreServer
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// Reading dictionaries that an app has created.
@Suite(.bounded) struct LenientReadingTests {
    private typealias F = ReceiptFixtures

    private func rows(_ rows: String...) throws -> [ReceiptTransaction] {
        let json = F.answer(inApp: rows.joined(separator: ","))
        return try VerifyReceiptResponse(leniently: [UInt8](json)).receipt?.transactions ?? []
    }

    @Test(arguments: [
        "\"quantity\":\"many\"", "\"expires_date_ms\":\"soon\"", "\"is_trial_period\":\"perhaps\"",
        "\"web_order_line_item_id\":{}",
        "\"expires_date_ms\":[]", "\"cancellation_reason\":true",
    ])
    func `an unreadable value is missing in lenient reading and an error in strict reading`(member: String) throws {
        let row = F.row("pro", member, transaction: "1").replacing(
            member.hasPrefix("\"quantity") ? "\"quantity\":\"1\"," : "#", with: "")
        let read = try #require(try rows(row, F.row("pro", transaction: "2")).last)
        #expect(read.transactionID == "1" && read.quantity == 1 && read.expirationDate == nil && !read.isTrialPeriod)
        #expect(throws: MalformedReceiptError.self) { try VerifyReceiptResponse.unverified(json: F.answer(inApp: row)) }
    }

    @Test(arguments: ["7", "\"row\"", "{}", "{\"product_id\":\"pro\"}", "[]"])
    func `elements that aren't rows are left out`(element: String) throws {
        expectEqual(try rows(element, F.row("pro", transaction: "2")).map(\.transactionID), ["2"])
    }

    @Test func `a purchase with an unreadable cancellation date is left out, and an empty date is no cancellation`()
        throws
    {
        #expect(try rows(F.row("pro", "\"cancellation_date\":\"then\"")).isEmpty)
        #expect(try rows(F.row("pro", "\"cancellation_date_ms\":{}")).isEmpty)
        expectEqual(try rows(F.row("pro", "\"cancellation_date_ms\":\"\"")).count, 1)
        expectEqual(
            try rows(F.row("pro", "\"cancellation_date\":\"then\",\"cancellation_date_ms\":\"5000\"")).first?.isValid,
            false)
    }

    @Test func `lenient reading rejects text that isn't JSON`() {
        #expect(throws: MalformedReceiptError.self) { try VerifyReceiptResponse(leniently: [UInt8]("{".utf8)) }
        #expect(throws: MalformedReceiptError.self) { try ReceiptTransaction(leniently: [UInt8]("[]".utf8)) }
        #expect(throws: MalformedReceiptError.self) { try ReceiptValue(json: Data("nothing".utf8)) }
    }

    @Test func `a subscription lasts until a date if its last period does, regardless of its start`() {
        let receipt = F.receipt([F.period("weekly", from: 0), F.period("weekly", from: 90)])
        expectEqual(receipt.subscriptionStatus(of: ["weekly"], lastingUntil: F.day(60)).state, .subscribed)
        expectEqual(receipt.subscriptionStatus(of: ["weekly"], at: .date(F.day(60))).state, .expired)
        expectEqual(receipt.subscriptionStatus(of: ["weekly"], lastingUntil: F.day(-400)).expirationDate, F.day(120))
        expectEqual(receipt.subscriptionStatus(of: ["weekly"], lastingUntil: F.day(120)).state, .expired)
    }
}
