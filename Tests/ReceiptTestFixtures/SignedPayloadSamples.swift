import AppReceipt
import AppStoreSimulator
package import Foundation

/// Payloads of every kind, with every documented field.
package enum SignedPayloadSamples {
    package static let all = [
        "transaction": SignedTransactionFixture.transaction, "renewal": SignedTransactionFixture.renewal,
        "appTransaction": appTransaction,
        "notification": notification(data: data),
    ]

    package static let deviceID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xAB))
    package static let nonce = "0D8F7C10-8E2B-4B5A-9F32-7C5B1B0C9D11"

    /// The SHA-384 of nonce and device according to Apple's documentation of `deviceVerificationID`, computed with
    /// another tool.
    package static let deviceHash = "5TxrczW5Y3Kar31kD2W2P6+Jz5Afd1L8EUqVOZPfH4RDgiZSD4NtfiWw+f1gsmBK"

    package static let appTransaction = """
        {"receiptType":"Production","appAppleId":1234567890,"bundleId":"com.example.app","applicationVersion":"42",
        "versionExternalIdentifier":880000001,"receiptCreationDate":1700000000500,"originalPurchaseDate":1600000000000,
        "originalApplicationVersion":"7","deviceVerification":"\(deviceHash)","deviceVerificationNonce":"\(nonce)",
        "preorderDate":1590000000000,"appTransactionId":"704000000000000001","originalPlatform":"iOS","tomorrow":{"a":1}}
        """

    package static let data = """
        "data":{"appAppleId":1234567890,"bundleId":"com.example.app","bundleVersion":"42","environment":"Sandbox","status":1,
        "consumptionRequestReason":"OTHER","later":true}
        """

    package static func notification(type: String = "DID_RENEW", subtype: String? = "BILLING_RECOVERY", data: String)
        -> String
    {
        """
        {"notificationType":"\(type)",\(subtype.map { "\"subtype\":\"\($0)\"," } ?? "")"notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20",
        "version":"2.0","signedDate":1700000000500,\(data),"tomorrow":[1]}
        """
    }

    /// Returns a notification with signed texts.
    package static func notification(transaction: String?, renewal: String?) -> String {
        let transaction = transaction.map { ",\"signedTransactionInfo\":\"\($0)\"" } ?? ""
        let renewal = renewal.map { ",\"signedRenewalInfo\":\"\($0)\"" } ?? ""
        return notification(
            data: """
                "data":{"bundleId":"com.example.app","bundleVersion":"42","environment":"Sandbox"\(transaction)\(renewal)}
                """)
    }
}
