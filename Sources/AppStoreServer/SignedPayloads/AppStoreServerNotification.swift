public import AppReceipt
public import Foundation

/// A notification of App Store Server Notifications, version 2: Apple's `responseBodyV2DecodedPayload`.
///
/// The transaction, renewal information and app transaction in a notification have their own signatures, which
/// ``AppReceipt/SignedTransactionVerifier/notification(signedPayload:)`` also verifies. Apple repeats a notification
/// until the server accepts it. Use ``id`` to process each notification once.
///
/// The version of the notification and of the app, the reason of a consumption request and the details of ``summary``
/// and ``externalPurchaseToken`` are auxiliary: a field of these that can't be read is treated as missing and is kept
/// in ``unknownFields``. Any other field that can't be read makes the notification malformed.
public struct AppStoreServerNotification: Hashable, Sendable, Identifiable {
    /// The type of the event.
    public let type: Kind
    /// The subtype of the event; not every type has one.
    public let subtype: Subtype?
    /// The identifier of the notification (`notificationUUID`). It stays the same when Apple repeats the notification.
    public let id: UUID
    /// The version of the notifications: `2.0`.
    public let version: String?
    /// When the App Store signed the notification.
    public let signedDate: Date
    /// The store.
    public let environment: ReceiptEnvironment?
    /// The app.
    public let bundleID: String?
    /// The app's identifier in the App Store; `nil` outside production.
    public let appStoreID: Int64?
    /// The build of the app.
    public let bundleVersion: String?
    /// The transaction that the notification is about.
    public var transaction: SignedTransactionInfo? { storedTransaction }
    /// The renewal information of the subscription that the notification is about.
    public var renewalInfo: SignedRenewalInfo? { storedRenewalInfo }
    /// The app transaction that the notification is about.
    public var appTransaction: SignedAppTransactionInfo? { storedAppTransaction }
    /// The status of the subscription on the signed date.
    public let status: SubscriptionStatus?
    /// Why the customer requests a refund (`CONSUMPTION_REQUEST`).
    public let consumptionRequestReason: ConsumptionRequestReason?
    /// The result of a request to extend the renewal dates of all subscribers (`RENEWAL_EXTENSION`).
    public var summary: Summary? { storedSummary }
    /// A token for purchases outside the App Store (`EXTERNAL_PURCHASE_TOKEN`).
    public var externalPurchaseToken: ExternalPurchaseToken? { storedExternalPurchaseToken }
    /// The signed text of the transaction.
    public let signedTransactionInfo: String?
    /// The signed text of the renewal information.
    public let signedRenewalInfo: String?
    /// The signed text of the app transaction.
    public let signedAppTransactionInfo: String?
    /// The unchanged fields that this library doesn't know, and auxiliary fields that it can't read, including those of
    /// the nested objects.
    public let unknownFields: [String: ReceiptValue]

    @Boxed private var storedTransaction: SignedTransactionInfo?
    @Boxed private var storedRenewalInfo: SignedRenewalInfo?
    @Boxed private var storedAppTransaction: SignedAppTransactionInfo?
    @Boxed private var storedSummary: Summary?
    @Boxed private var storedExternalPurchaseToken: ExternalPurchaseToken?

    /// The result of a request to extend renewal dates.
    public struct Summary: Hashable, Sendable {
        /// The identifier of the request.
        public let requestID: String?
        /// The product.
        public let productID: String?
        /// The three-letter codes of the storefronts that the request was limited to.
        public let storefrontCountryCodes: [String]
        /// The number of extended subscriptions.
        public let succeededCount: Int64?
        /// The number of subscriptions that couldn't be extended.
        public let failedCount: Int64?
    }

    /// A token for purchases outside the App Store.
    public struct ExternalPurchaseToken: Hashable, Sendable {
        /// The token's identifier, which starts with `SANDBOX` in the sandbox.
        public let id: String?
        /// When the token was created.
        public let creationDate: Date?
    }

    /// The status of an auto-renewable subscription (`status`), an open set.
    public struct SubscriptionStatus: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: Int
        /// Creates a status from its raw value.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
        /// A period is active.
        public static let active = SubscriptionStatus(rawValue: 1)
        /// The last period has ended.
        public static let expired = SubscriptionStatus(rawValue: 2)
        /// The charge failed, and Apple tries again.
        public static let inBillingRetryPeriod = SubscriptionStatus(rawValue: 3)
        /// The charge failed, and the customer has access during the grace period.
        public static let inGracePeriod = SubscriptionStatus(rawValue: 4)
        /// The last period was refunded, or the family no longer shares it.
        public static let revoked = SubscriptionStatus(rawValue: 5)
    }
}

extension AppStoreServerNotification {
    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    /// Reads a notification.
    ///
    /// - Parameter texts: the signed texts inside the notification.
    init(_ fields: inout SignedPayloadFields, _ texts: NotificationTexts?) throws(MalformedReceiptError) {
        type = Kind(rawValue: try fields.requiredString("notificationType"))
        subtype = try fields.string("subtype").map(Subtype.init)
        id = try fields.requiredUUID("notificationUUID")
        signedDate = try fields.requiredDate("signedDate")
        var subject = try NotificationSubject(&fields)
        environment = try subject.environment()
        bundleID = try subject.fields?.string("bundleId")
        appStoreID = try subject.fields?.integer("appAppleId")
        signedTransactionInfo = try subject.fields?.token("signedTransactionInfo")
        signedRenewalInfo = try subject.fields?.token("signedRenewalInfo")
        signedAppTransactionInfo = try subject.fields?.token("signedAppTransactionInfo")
        storedTransaction = texts?.transaction
        storedRenewalInfo = texts?.renewalInfo
        storedAppTransaction = texts?.appTransaction
        status = try subject.fields?.integer("status").map { SubscriptionStatus(rawValue: Int(clamping: $0)) }
        // The following fields don't affect access.
        fields.keepsUnreadable = true
        subject.fields?.keepsUnreadable = true
        version = try fields.string("version")
        bundleVersion = try subject.fields?.string("bundleVersion")
        consumptionRequestReason = try subject.fields?.string("consumptionRequestReason").map(
            ConsumptionRequestReason.init)
        storedSummary = try Summary(&subject)
        storedExternalPurchaseToken = try ExternalPurchaseToken(&subject)
        var unknown = try fields.unread()
        for (name, value) in try subject.fields?.unread() ?? [:] { unknown[name] = value }
        unknownFields = unknown
    }
}

extension AppStoreServerNotification.Summary {
    /// Reads the object `summary`; `nil` if the notification has another subject.
    fileprivate init?(_ subject: inout NotificationSubject) throws(MalformedReceiptError) {
        guard subject.name == "summary" else { return nil }
        requestID = try subject.fields?.string("requestIdentifier")
        productID = try subject.fields?.string("productId")
        storefrontCountryCodes = try subject.fields?.strings("storefrontCountryCodes") ?? []
        succeededCount = try subject.fields?.integer("succeededCount")
        failedCount = try subject.fields?.integer("failedCount")
    }
}

extension AppStoreServerNotification.ExternalPurchaseToken {
    /// Reads the object `externalPurchaseToken`; `nil` if the notification has another subject.
    fileprivate init?(_ subject: inout NotificationSubject) throws(MalformedReceiptError) {
        guard subject.name == "externalPurchaseToken" else { return nil }
        id = try subject.fields?.string("externalPurchaseId")
        creationDate = try subject.fields?.date("tokenCreationDate")
    }
}

extension AppStoreServerNotification {
    /// Returns the signed text in the body of a request, `{"signedPayload":"…"}`; `nil` for another JSON object.
    package static func signedPayload(inRequestBody body: Data) throws(MalformedReceiptError) -> String? {
        var fields = try SignedPayloadFields(requestBody: body)
        return try fields.token("signedPayload")
    }
}
