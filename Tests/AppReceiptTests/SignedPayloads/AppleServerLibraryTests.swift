import AppReceipt
import Foundation
import TestHarness
import Testing

/// The payloads of the tests of Apple's server library. `APPLE_SERVER_LIBRARY` names the folder `resources/models` of
/// `apple/app-store-server-library-swift`.
@Suite(.bounded, .enabled(if: ServerLibraryPayloads.directory != nil)) struct AppleServerLibraryTests {
    private func payload(_ name: String) throws -> Data {
        try Data(contentsOf: try #require(ServerLibraryPayloads.directory).appendingPathComponent("\(name).json"))
    }

    /// Returns a token with one of Apple's payloads.
    private func token(_ payload: Data) -> String {
        var fixture = SignedTransactionFixture()
        // Apple's samples have placeholders for nested tokens and the device's hash.
        fixture.payload = String(decoding: payload, as: UTF8.self)
            .replacingOccurrences(of: "device_verification_value", with: SignedPayloadSamples.deviceHash)
            .replacingOccurrences(of: "signed_transaction_info_value", with: SignedTransactionFixture().token())
        fixture.payload = fixture.payload.replacingOccurrences(
            of: "\"signedRenewalInfo\": \"signed_renewal_info_value\",", with: "")
        return fixture.token()
    }

    @Test(arguments: ["signedTransaction", "signedTransactionWithRevocation"])
    func `every field of a transaction has a name`(name: String) throws {
        let info = try SignedTransactionInfo(payload: try payload(name))
        expectEqual(info.unknownFields, [:])
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
        expectEqual(info.unknownFields, [:])
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
        "signedExternalPurchaseTokenNotification",
    ])
    func `every field of a notification has a name`(name: String) throws {
        let notification = try SignedPayload.unverified(jws: token(try payload(name))).notification
        expectEqual(try #require(notification).unknownFields, [:])
    }
}

private enum ServerLibraryPayloads {
    static let directory = ProcessInfo.processInfo.environment["APPLE_SERVER_LIBRARY"].map { URL(fileURLWithPath: $0) }
}
