/// The object with the subject of a notification. Apple sends exactly one of the four objects.
package struct NotificationSubject: Sendable {
    /// The fields of the object; `nil` without the object.
    package var fields: SignedPayloadFields?
    /// The name of the object; empty without the object.
    package let name: String

    /// Finds the object in a notification.
    package init(_ notification: inout SignedPayloadFields) throws(MalformedReceiptError) {
        name = ["data", "summary", "appData", "externalPurchaseToken"].first(where: notification.contains) ?? ""
        fields = try notification.fields(name)
    }

    /// Returns the environment. External purchase tokens have none; the identifier of a sandbox token starts with
    /// `SANDBOX`.
    package mutating func environment() throws(MalformedReceiptError) -> ReceiptEnvironment? {
        guard name == "externalPurchaseToken" else { return try fields?.environment("environment") }
        let id = try fields?.string("externalPurchaseId") ?? ""
        return id.utf8.starts(with: "SANDBOX".utf8) ? .sandbox : .production
    }
}

/// The signed texts inside a notification, decoded but not verified.
package struct NotificationTexts: Hashable, Sendable {
    package let signedTransactionInfo: String?
    package let signedRenewalInfo: String?
    package let signedAppTransactionInfo: String?
    /// The transaction; `nil` if its text contains a payload of another kind.
    package var transaction: SignedTransactionInfo? { storedTransaction }
    /// The renewal information; `nil` if its text contains a payload of another kind.
    package var renewalInfo: SignedRenewalInfo? { storedRenewalInfo }
    /// The app transaction; `nil` if its text contains a payload of another kind.
    package var appTransaction: SignedAppTransactionInfo? { storedAppTransaction }

    @Boxed private var storedTransaction: SignedTransactionInfo?
    @Boxed private var storedRenewalInfo: SignedRenewalInfo?
    @Boxed private var storedAppTransaction: SignedAppTransactionInfo?

    /// Reads the texts of a notification.
    init(_ subject: inout NotificationSubject) throws(MalformedReceiptError) {
        signedTransactionInfo = try subject.fields?.token("signedTransactionInfo")
        signedRenewalInfo = try subject.fields?.token("signedRenewalInfo")
        signedAppTransactionInfo = try subject.fields?.token("signedAppTransactionInfo")
        storedTransaction = try subject.decode(signedTransactionInfo, "signedTransactionInfo", .transaction)?
            .transaction
        storedRenewalInfo = try subject.decode(signedRenewalInfo, "signedRenewalInfo", .renewalInfo)?.renewalInfo
        storedAppTransaction = try subject.decode(
            signedAppTransactionInfo, "signedAppTransactionInfo", .appTransaction)?.appTransaction
    }
}

extension NotificationSubject {
    /// Decodes a signed text of the expected kind, but no notification inside a notification. If the text is
    /// malformed, the error has the offset of the text.
    fileprivate func decode(
        _ jws: String?, _ name: String, _ kind: SignedPayload.Kind
    ) throws(MalformedReceiptError) -> SignedPayload? {
        guard let jws else { return nil }
        do throws(MalformedReceiptError) {
            return try SignedPayload.unverified(jws: jws, ofKind: kind)
        } catch {
            let offset = fields?.offset(of: name) ?? error.offset
            throw MalformedReceiptError(
                error.code, at: offset, expected: "\(error.expected), in \(name)", found: error.found)
        }
    }
}
