public import AppReceipt
public import Foundation

/// Verification of the requests that the App Store sends to a server.
extension SignedTransactionVerifier {
    /// Verifies a notification of App Store Server Notifications, version 2, and the signed texts inside.
    ///
    /// - Parameter signedPayload: `signedPayload` in the body of Apple's request.
    /// - Throws: the error of the first failed check, for the notification or a signed text inside;
    ///   `ReceiptVerificationError.Code.unexpectedPayload` for a payload of another kind.
    public func notification(signedPayload: String) throws(ReceiptVerificationError) -> AppStoreServerNotification {
        var notification: AppStoreServerNotification?
        let payload = try examined(signedPayload, bundleID) { (payload) throws(MalformedReceiptError) in
            notification = try payload.notification
        }.payload
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

    /// Verifies a request for a retention message.
    ///
    /// - Parameter signedPayload: `signedPayload` in the body of Apple's request.
    /// - Throws: the error of the first failed check; `ReceiptVerificationError.Code.appStoreIDMissing`
    ///   if the verifier has no `appStoreID`; `ReceiptVerificationError.Code.unexpectedPayload` for
    ///   a payload of another kind.
    public func realtimeRequest(signedPayload: String) throws(ReceiptVerificationError) -> RealtimeRetentionRequest {
        var request: RealtimeRetentionRequest?
        let payload = try examined(signedPayload, bundleID) { (payload) throws(MalformedReceiptError) in
            request = try payload.realtimeRequest
        }.payload
        return try Self.expect("a request for a retention message", in: payload) { _ in request }
    }

    /// Verifies the request for a retention message in the body of Apple's request: `{"signedPayload":"…"}`.
    ///
    /// - Parameter requestBody: the body.
    /// - Throws: the errors of `realtimeRequest(signedPayload:)`, and
    ///   `ReceiptVerificationError.Code.malformed` for any other body, including a body larger than
    ///   1 MiB plus 1 KiB.
    public func realtimeRequest(requestBody: Data) throws(ReceiptVerificationError) -> RealtimeRetentionRequest {
        try realtimeRequest(signedPayload: Self.signedPayload(in: requestBody))
    }

    /// Returns the signed text in the body of a request.
    static func signedPayload(in requestBody: Data) throws(ReceiptVerificationError) -> String {
        let signedPayload: String?
        do throws(MalformedReceiptError) {
            signedPayload = try AppStoreServerNotification.signedPayload(inRequestBody: requestBody)
        } catch {
            throw ReceiptVerificationError(error, .structure)
        }
        guard let signedPayload else {
            throw ReceiptVerificationError(.malformed, .structure, "the body has no signedPayload")
        }
        return signedPayload
    }
}
