import AppReceipt
import AppStoreServer
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// The payloads and the signed texts of the tests of Apple's server library. `APPLE_SERVER_LIBRARY` names the folder
/// `resources/models` of `apple/app-store-server-library-swift`.
@Suite(.bounded, .enabled(if: ServerLibraryPayloads.directory != nil)) struct AppleServerLibraryTests {
    private func payload(_ name: String) throws -> Data {
        try Data(contentsOf: try #require(ServerLibraryPayloads.directory).appendingPathComponent("\(name).json"))
    }

    /// Returns a token with one of Apple's payloads.
    private func token(_ payload: Data) -> String {
        var fixture = SignedTransactionFixture()
        var appTransaction = SignedTransactionFixture()
        appTransaction.payload = SignedPayloadSamples.appTransaction
        // Apple's samples have placeholders for nested tokens and the device's hash.
        fixture.payload = String(decoding: payload, as: UTF8.self)
            .replacingOccurrences(of: "device_verification_value", with: SignedPayloadSamples.deviceHash)
            .replacingOccurrences(of: "signed_transaction_info_value", with: SignedTransactionFixture().token())
            .replacingOccurrences(of: "signed_app_transaction_info_value", with: appTransaction.token())
        fixture.payload = fixture.payload.replacingOccurrences(
            of: "\"signedRenewalInfo\": \"signed_renewal_info_value\",", with: "")
        return fixture.token()
    }

    @Test(arguments: ["signedTransaction", "signedTransactionWithRevocation"])
    func `every field of a transaction has a name`(name: String) throws {
        let info = try SignedTransactionInfo(payload: try payload(name))
        expectEqual(info.unknownFields.keys.filter { $0 != "advancedCommerceInfo" }, [])
        expectEqual(info.transactionID, "23456")
        expectEqual(info.price, Decimal(string: "10.99"))
        if name == "signedTransaction" {
            expectEqual(info.billingPlan, .monthly)
            expectEqual(info.commitment?.price, Decimal(string: "119.88"))
            expectEqual(info.commitment?.unknownFields, [:])
        } else {
            expectEqual(info.revocationType, .proratedRefund)
            expectEqual(info.revocationPercentage, 50)
        }
    }

    @Test func `every field of renewal information has a name`() throws {
        let info = try SignedRenewalInfo(payload: try payload("signedRenewalInfo"))
        expectEqual(info.unknownFields.keys.filter { $0 != "advancedCommerceInfo" }, [])
        expectEqual(info.commitment?.autoRenewPreference, "com.example.product.commitment")
        expectEqual(info.commitment?.renewalPrice, Decimal(string: "9.99"))
        expectEqual(info.commitment?.unknownFields, [:])
    }

    @Test func `every field of an app transaction has a name`() throws {
        let payload = try SignedPayload.unverified(jws: token(try payload("appTransaction")))
        expectEqual(try #require(payload.appTransaction).unknownFields, [:])
    }

    @Test(arguments: [
        "signedNotification", "signedConsumptionRequestNotification", "signedSummaryNotification",
        "signedExternalPurchaseTokenNotification", "signedExternalPurchaseTokenSandboxNotification",
        "signedRescindConsentNotification",
    ])
    func `every field of a notification has a name`(name: String) throws {
        let notification = try SignedPayload.unverified(jws: token(try payload(name))).notification
        expectEqual(try #require(notification).unknownFields, [:])
    }

    @Test func `texts that Xcode has signed are decoded`() throws {
        let transaction = try #require(try signed("xcode/xcode-signed-transaction").transaction)
        expectEqual(transaction.productID, "pass.premium")
        expectEqual(transaction.unknownFields, [:])
        let renewal = try #require(try signed("xcode/xcode-signed-renewal-info").renewalInfo)
        expectEqual(renewal.originalTransactionID, transaction.originalTransactionID)
        expectEqual(renewal.renewalDate, transaction.expirationDate)
        expectEqual(renewal.unknownFields, [:])
        let app = try #require(try signed("xcode/xcode-signed-app-transaction").appTransaction)
        expectEqual(app.bundleID, transaction.bundleID)
        expectEqual(app.environment, .xcode)
    }

    @Test func `a signed notification is decoded, and texts without identifiers are of no known kind`() throws {
        let notification = try #require(try signed("mock_signed_data/testNotification").notification)
        expectEqual(notification.type, .test)
        expectEqual(notification.bundleID, "com.example")
        expectEqual(notification.unknownFields, [:])
        for name in ["renewalInfo", "transactionInfo"] {
            expectEqual(try signed("mock_signed_data/\(name)").kind, .other)
        }
        #expect(throws: MalformedReceiptError.self) { try signed("mock_signed_data/missingX5CHeaderClaim") }
    }

    @Test(arguments: ["xcode-app-receipt-empty", "xcode-app-receipt-with-transaction"])
    func `a receipt that Xcode has made is decoded`(name: String) throws {
        let receipt = try Receipt.unverified(pkcs7: try #require(Data(base64Encoded: try text("xcode/\(name)"))))
        expectEqual(receipt.transactions.map(\.transactionID), name.hasSuffix("empty") ? [] : ["0"])
    }

    private func text(_ path: String) throws -> String {
        let models = try #require(ServerLibraryPayloads.directory)
        let file = models.deletingLastPathComponent().appendingPathComponent(path)
        return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func signed(_ path: String) throws -> SignedPayload { try .unverified(jws: try text(path)) }
}

private enum ServerLibraryPayloads {
    static let directory = ProcessInfo.processInfo.environment["APPLE_SERVER_LIBRARY"].map { URL(fileURLWithPath: $0) }
}
