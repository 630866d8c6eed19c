public import AppReceipt

extension SignedPayload {
    /// The notification, from `signedPayload` of App Store Server Notifications, version 2; `nil` for a payload of
    /// another kind.
    ///
    /// Reads the JSON with every access. The notification is as trustworthy as the payload: verified if
    /// `SignedTransactionVerifier` returned the payload.
    ///
    /// - Throws: an error with the offset and the expected content for a malformed notification.
    public var notification: AppStoreServerNotification? {
        get throws(MalformedReceiptError) {
            guard kind == .notification else { return nil }
            return try reading { (fields) throws(MalformedReceiptError) in
                try AppStoreServerNotification(&fields, notificationTexts)
            }
        }
    }
}
