public import Foundation

/// What today's App Store signs, as a JSON Web Signature (JWS): transactions, renewal information, app transactions,
/// notifications and requests for retention messages.
///
/// ``SignedTransactionVerifier`` verifies them. A payload of a kind that this library does not know is verified as
/// well; ``payload`` has its JSON.
public struct SignedPayload: Hashable, Sendable {
    /// The signed text.
    public let jws: String
    /// The JSON that is signed.
    public let payload: Data
    /// What kind of payload it is.
    public let kind: Kind
    /// When the App Store signed it.
    public let signedDate: Date
    /// The transaction: `signedTransactionInfo` of the App Store Server API, or `jwsRepresentation` of a StoreKit 2
    /// transaction.
    public var transaction: SignedTransactionInfo? { keptTransaction }
    /// The renewal information: `signedRenewalInfo`, or `jwsRepresentation` of StoreKit 2's renewal information.
    public var renewalInfo: SignedRenewalInfo? { keptRenewalInfo }
    /// The app transaction: `signedAppTransactionInfo`, or `jwsRepresentation` of StoreKit 2's app transaction.
    public var appTransaction: SignedAppTransactionInfo? { keptAppTransaction }
    /// The notification: `signedPayload` of App Store Server Notifications, version 2.
    public var notification: AppStoreServerNotification? { keptNotification }

    /// The request for a retention message: `signedPayload` of the Retention Messaging API.
    public var realtimeRequest: RealtimeRetentionRequest? { keptRealtimeRequest }

    @Boxed private var keptTransaction: SignedTransactionInfo?
    @Boxed private var keptRenewalInfo: SignedRenewalInfo?
    @Boxed private var keptAppTransaction: SignedAppTransactionInfo?
    @Boxed private var keptNotification: AppStoreServerNotification?
    @Boxed private var keptRealtimeRequest: RealtimeRetentionRequest?

    /// The kinds of payloads, an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// A stable word.
        public let rawValue: String
        /// Creates a kind from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// A transaction.
        public static let transaction = Kind(rawValue: "transaction")
        /// What becomes of a subscription.
        public static let renewalInfo = Kind(rawValue: "renewalInfo")
        /// The customer's purchase of the app itself.
        public static let appTransaction = Kind(rawValue: "appTransaction")
        /// A notification for a server.
        public static let notification = Kind(rawValue: "notification")
        /// A request for a message to a customer who is about to cancel a subscription.
        public static let realtimeRequest = Kind(rawValue: "realtimeRequest")
        /// Something this library does not know.
        public static let other = Kind(rawValue: "other")
    }

    /// Decodes a payload without verifying it: for showing what it claims, never for granting anything.
    ///
    /// - Throws: the offset at which the text stops being a signed payload, and what was expected there;
    ///   ``MalformedReceiptError/Code-swift.struct/limitExceeded`` for a text of more than 1 MiB.
    public static func unverified(jws: String) throws(MalformedReceiptError) -> SignedPayload {
        let token = try JSONWebSignature(jws)
        return try SignedPayload(jws: jws, token, SignedPayloadClaims(token))
    }

    /// Decodes the payload of a token that has been taken apart already.
    init(jws: String, _ token: JSONWebSignature, _ claims: SignedPayloadClaims) throws(MalformedReceiptError) {
        self.jws = jws
        payload = Data(token.payload)
        kind = claims.kind
        signedDate = claims.signedDate
        do throws(MalformedReceiptError) {
            var fields = claims.fields
            switch claims.kind {
            case .transaction: keptTransaction = try SignedTransactionInfo(&fields)
            case .renewalInfo: keptRenewalInfo = try SignedRenewalInfo(&fields)
            case .appTransaction: keptAppTransaction = try SignedAppTransactionInfo(&fields)
            case .notification: keptNotification = try AppStoreServerNotification(&fields)
            case .realtimeRequest: keptRealtimeRequest = try RealtimeRetentionRequest(&fields)
            default: break
            }
        } catch {
            throw error.relocated(by: token.inputOffset(ofPayload:))
        }
    }
}

/// What a payload says about itself, as far as verification has to know; everything else stays unread.
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
            signedDate = try fields.requiredDate(kind == .appTransaction ? "receiptCreationDate" : "signedDate")
            deviceVerification = try SignedDeviceVerification.read(&fields)
            if kind == .notification {
                var subject = try AppStoreServerNotification.Subject(&fields)
                environment = try subject.environment()
                bundleID = try subject.fields?.string("bundleId")
                appStoreID = try subject.fields?.integer("appAppleId").flatMap { $0 == 0 ? nil : $0 }
            } else {
                environment = try fields.environment(kind == .appTransaction ? "receiptType" : "environment")
                bundleID = try fields.string("bundleId")
                let namesAppleID = kind == .appTransaction || kind == .realtimeRequest
                appStoreID = namesAppleID ? try fields.integer("appAppleId").flatMap { $0 == 0 ? nil : $0 } : nil
            }
        } catch {
            throw error.relocated(by: token.inputOffset(ofPayload:))
        }
    }

    /// Each kind has a field that no other has.
    private static func kind(of fields: SignedPayloadFields) -> SignedPayload.Kind {
        if fields.contains("notificationType") { return .notification }
        if fields.contains("transactionId") { return .transaction }
        if fields.contains("receiptCreationDate") { return .appTransaction }
        if fields.contains("autoRenewStatus") || fields.contains("autoRenewProductId") { return .renewalInfo }
        if fields.contains("requestIdentifier") { return .realtimeRequest }
        return .other
    }
}
