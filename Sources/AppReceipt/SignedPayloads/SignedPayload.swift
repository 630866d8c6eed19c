public import Foundation

/// A JSON Web Signature (JWS) of the App Store: a transaction, renewal information, an app transaction or a
/// notification.
///
/// Verify payloads with ``SignedTransactionVerifier``. The module `AppStoreServer` reads notifications. Payloads of
/// other kinds are verified too. Read their JSON in ``payload``.
public struct SignedPayload: Hashable, Sendable {
    /// The signed text.
    public let jws: String
    /// The signed JSON.
    public let payload: Data
    /// The kind of the payload.
    public let kind: Kind
    /// When the App Store signed the payload.
    public let signedDate: Date
    /// The transaction, from `signedTransactionInfo` of the App Store Server API or `jwsRepresentation` of a StoreKit 2
    /// transaction.
    public var transaction: SignedTransactionInfo? { storedTransaction }
    /// The renewal information, from `signedRenewalInfo` or `jwsRepresentation` of StoreKit 2.
    public var renewalInfo: SignedRenewalInfo? { storedRenewalInfo }
    /// The app transaction, from `signedAppTransactionInfo` or `jwsRepresentation` of StoreKit 2.
    public var appTransaction: SignedAppTransactionInfo? { storedAppTransaction }
    /// Whether unknown fields of a transaction, renewal information or an app transaction were left out.
    let omitsUnknownFields: Bool
    /// The signed texts inside a notification; `nil` for other payloads.
    package var notificationTexts: NotificationTexts? { storedNotificationTexts }

    @Boxed private var storedTransaction: SignedTransactionInfo?
    @Boxed private var storedRenewalInfo: SignedRenewalInfo?
    @Boxed private var storedAppTransaction: SignedAppTransactionInfo?
    @Boxed private var storedNotificationTexts: NotificationTexts?

    /// The kinds of payloads, an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// A stable string.
        public let rawValue: String
        /// Creates a kind from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// A transaction.
        public static let transaction = Kind(rawValue: "transaction")
        /// Renewal information of a subscription.
        public static let renewalInfo = Kind(rawValue: "renewalInfo")
        /// The customer's purchase of the app itself.
        public static let appTransaction = Kind(rawValue: "appTransaction")
        /// A notification for a server.
        public static let notification = Kind(rawValue: "notification")
        /// A kind that this library doesn't know.
        public static let other = Kind(rawValue: "other")
    }

    /// Decodes a payload without verifying it. Never grant access based on the result.
    ///
    /// The signed texts inside a notification are decoded too.
    ///
    /// - Throws: a ``MalformedReceiptError`` with the offset and the expected content;
    ///   ``MalformedReceiptError/Code-swift.struct/limitExceeded`` for a text of more than 1 MiB.
    public static func unverified(jws: String) throws(MalformedReceiptError) -> SignedPayload {
        let token = try JSONWebSignature(jws)
        return try SignedPayload(jws: jws, token, SignedPayloadClaims(token))
    }

    /// Decodes a payload of a certain kind without verifying it; `nil` for a payload of another kind.
    static func unverified(jws: String, ofKind kind: Kind) throws(MalformedReceiptError) -> SignedPayload? {
        let token = try JSONWebSignature(jws)
        let claims = try SignedPayloadClaims(token)
        return claims.kind == kind ? try SignedPayload(jws: jws, token, claims) : nil
    }

    /// Decodes the payload of a parsed token.
    init(jws: String, _ token: JSONWebSignature, _ claims: SignedPayloadClaims) throws(MalformedReceiptError) {
        self.jws = jws
        payload = Data(token.payload)
        kind = claims.kind
        signedDate = claims.signedDate
        do throws(MalformedReceiptError) {
            var fields = claims.fields
            switch claims.kind {
            case .transaction: storedTransaction = try SignedTransactionInfo(&fields)
            case .renewalInfo: storedRenewalInfo = try SignedRenewalInfo(&fields)
            case .appTransaction: storedAppTransaction = try SignedAppTransactionInfo(&fields)
            case .notification:
                var subject = try NotificationSubject(&fields)
                storedNotificationTexts = try NotificationTexts(&subject)
            default: break
            }
            omitsUnknownFields = fields.omitsUnknownFields
        } catch {
            throw error.relocated(by: token.inputOffset(ofPayload:))
        }
    }

    /// Calls `read` with the fields of the payload, for the kinds of payloads that another module reads.
    package func reading<Content>(
        _ read: (inout SignedPayloadFields) throws(MalformedReceiptError) -> Content
    ) throws(MalformedReceiptError) -> Content {
        do throws(MalformedReceiptError) {
            var fields = try SignedPayloadFields([UInt8](payload), "the token's payload")
            return try read(&fields)
        } catch {
            throw error.relocated { JSONWebSignature.inputOffset(ofPayload: $0, in: jws) }
        }
    }
}

extension SignedPayload {
    /// Returns whether both payloads have the same signed text. The text determines all other properties.
    public static func == (left: SignedPayload, right: SignedPayload) -> Bool {
        left.jws.hasSameBytes(as: right.jws)
    }

    /// Hashes the signed text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteKey(jws))
    }
}

/// The claims in a payload that verification needs. Other fields aren't read.
struct SignedPayloadClaims: Sendable {
    let kind: SignedPayload.Kind
    let signedDate: Date
    let environment: ReceiptEnvironment?
    let bundleID: String?
    /// The app's identifier in the App Store. Outside production, Apple leaves it out or writes 0.
    let appStoreID: Int64?
    let deviceVerification: SignedDeviceVerification?
    let fields: SignedPayloadFields

    init(_ token: JSONWebSignature) throws(MalformedReceiptError) {
        do throws(MalformedReceiptError) {
            fields = try SignedPayloadFields(token.payload, "the token's payload")
            var fields = fields
            kind = Self.kind(of: fields)
            signedDate =
                kind == .appTransaction
                ? try SignedAppTransactionInfo.signedDate(&fields) : try fields.requiredDate("signedDate")
            deviceVerification = try SignedDeviceVerification.read(&fields)
            if kind == .notification {
                var subject = try NotificationSubject(&fields)
                environment = try subject.environment()
                bundleID = try subject.fields?.string("bundleId")
                appStoreID = try subject.fields?.integer("appAppleId").flatMap { $0 == 0 ? nil : $0 }
            } else {
                environment = try fields.environment(kind == .appTransaction ? "receiptType" : "environment")
                bundleID = try fields.string("bundleId")
                let namesAppleID = kind == .appTransaction
                appStoreID = namesAppleID ? try fields.integer("appAppleId").flatMap { $0 == 0 ? nil : $0 } : nil
            }
        } catch {
            throw error.relocated(by: token.inputOffset(ofPayload:))
        }
    }

    /// Returns the kind of a payload. Each kind has a field that no other kind has.
    private static func kind(of fields: SignedPayloadFields) -> SignedPayload.Kind {
        if fields.contains("notificationType") { return .notification }
        if fields.contains("transactionId") { return .transaction }
        if fields.contains("receiptCreationDate") { return .appTransaction }
        if fields.contains("autoRenewStatus") || fields.contains("autoRenewProductId") { return .renewalInfo }
        return .other
    }
}
