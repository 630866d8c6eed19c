public import AppReceipt
public import Foundation

/// Verification of the notifications that the App Store sends to a server.
extension SignedTransactionVerifier {
    /// Verifies a notification of App Store Server Notifications, version 2, and the signed texts inside.
    ///
    /// - Parameter signedPayload: `signedPayload` in the body of Apple's request.
    /// - Throws: the error of the first failed check, for the notification or a signed text inside;
    ///   `ReceiptVerificationError.Code.unexpectedPayload` for a payload of another kind.
    public func notification(signedPayload: String) throws(ReceiptVerificationError) -> AppStoreServerNotification {
        var notification: AppStoreServerNotification?
        let payload = try payload(signedPayload, bundleID) { (payload) throws(MalformedReceiptError) in
            notification = try payload.notification
        }
        return try Self.expect("a notification", in: payload) { _ in notification }
    }

    /// Verifies the notification in the body of Apple's request: `{"signedPayload":"…"}`.
    ///
    /// - Throws: the errors of `notification(signedPayload:)`, and
    ///   `ReceiptVerificationError.Code.malformed` for any other body, including a body larger than
    ///   1 MiB plus 1 KiB.
    public func notification(requestBody: Data) throws(ReceiptVerificationError) -> AppStoreServerNotification {
        try notification(signedPayload: Self.signedPayload(in: requestBody))
    }

    private static func signedPayload(in requestBody: Data) throws(ReceiptVerificationError) -> String {
        let signedPayload = try ReceiptVerificationError.reading { () throws(MalformedReceiptError) in
            try AppStoreServerNotification.signedPayload(inRequestBody: requestBody)
        }
        guard let signedPayload else {
            throw ReceiptVerificationError(.malformed, .structure, "the body has no signedPayload")
        }
        return signedPayload
    }
}
