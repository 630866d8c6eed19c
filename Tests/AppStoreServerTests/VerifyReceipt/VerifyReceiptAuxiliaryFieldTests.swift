import AppReceipt
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppStoreServer

/// Every field of a response with a value that can't be read.
@Suite(.bounded) struct VerifyReceiptAuxiliaryFieldTests {
    private typealias F = ReceiptFixtures

    /// The fields that access doesn't depend on, and those that are read leniently for another reason.
    private static let auxiliary: Set<VerifyReceiptField> = [
        .appStoreID, .applicationVersion, .downloadID, .originalApplicationVersion, .versionExternalIdentifier,
        .preorderDate, .promotionalOfferID, .offerCodeReferenceName, .appAccountToken, .priceIncreaseStatus,
    ]

    /// Returns a response whose object of a kind has a member.
    private func response(_ object: VerifyReceiptObjects, _ member: String) -> Data {
        switch object {
        case .response: F.answer(member, inApp: F.row("pro"))
        case .application: F.answer(receipt: member, inApp: F.row("pro"))
        case .transaction: F.answer(inApp: F.row("pro", member))
        default:
            F.answer("\"pending_renewal_info\":[{\"auto_renew_product_id\":\"pro\",\(member)}]", inApp: F.row("pro"))
        }
    }

    private func unknownFields(_ object: VerifyReceiptObjects, _ receipt: Receipt) -> [String: ReceiptValue] {
        switch object {
        case .application: receipt.contents.unknownFields
        case .transaction: receipt.transactions.first?.unknownFields ?? [:]
        default: receipt.renewals.first?.unknownFields ?? [:]
        }
    }

    @Test(arguments: VerifyReceiptField.allCases, [VerifyReceiptObjects.application, .transaction, .renewal])
    func `a field that can't be read costs the receipt only if access depends on it`(
        field: VerifyReceiptField, object: VerifyReceiptObjects
    ) throws {
        // The samples have these fields, and the lists of objects have tests of their own.
        let isInSample = [.bundleID, .inApp, .quantity, .productID, .transactionID, .originalTransactionID]
            .contains(field)
        guard field.row.objects.contains(object), !isInSample || (object == .renewal && field != .productID) else {
            return
        }
        for name in field.row.names where !(field == .autoRenewPreference && object == .renewal) {
            let isInSample = ["purchase_date_ms", "original_purchase_date_ms"].contains("\(name)")
            guard !isInSample || object == .application else { continue }
            let isAuxiliary =
                Self.auxiliary.contains(field) || (field == .originalPurchaseDate && object == .application)
            for value in ["{\"a\":[]}", "[[]]"] {
                let json = response(object, "\"\(name)\":\(value)")
                guard isAuxiliary else {
                    // A readable date with a preferred name hides the others.
                    let isHidden = [.purchaseDate, .originalPurchaseDate].contains(field) && object == .transaction
                    let read = try? VerifyReceiptResponse.unverified(json: json)
                    expectEqual(read != nil, isHidden, "\(name)")
                    continue
                }
                let receipt = try #require(try VerifyReceiptResponse.unverified(json: json).receipt, "\(name)")
                #expect(receipt.owns("pro", at: .now), "\(name)")
                #expect(unknownFields(object, receipt)["\(name)"] != nil, "\(name)")
            }
        }
    }

    @Test(
        arguments: [
            ("\"\"", nil), ("null", nil), ("\"no UUID\"", .string("no UUID")), ("7", .number("7")),
            ("{}", .object([:])),
        ] as [(String, ReceiptValue?)])
    func `an account token that isn't a UUID is nil and kept as unknown`(value: String, kept: ReceiptValue?) throws {
        let json = F.answer(inApp: F.row("pro", "\"app_account_token\":\(value)"))
        let row = try #require(VerifyReceiptResponse.unverified(json: json).receipt?.transactions.first)
        expectEqual(row.appAccountToken, nil)
        expectEqual(row.unknownFields["app_account_token"], kept)
    }

    @Test func `a long name of an offer or a version costs no purchase`() throws {
        let long = String(repeating: "x", count: 10_000)
        let row = F.row("pro", "\"offer_code_ref_name\":\"\(long)\",\"promotional_offer_id\":\"\(long)\"")
        let json = F.answer(receipt: "\"application_version\":\"\(long)\"", inApp: row)
        let receipt = try #require(VerifyReceiptResponse.unverified(json: json).receipt)
        #expect(receipt.owns("pro", at: .now))
        expectEqual(receipt.contents.applicationVersion, nil)
        expectEqual(receipt.contents.unknownFields["application_version"], .string(long))
        expectEqual(receipt.transactions.first?.unknownFields.count, 2)
    }
}
