public import AppReceipt
public import Foundation

/// A request for a message to a customer who is about to cancel a subscription: Apple's `DecodedRealtimeRequestBody` of
/// the Retention Messaging API.
///
/// The App Store posts it to your server and waits less than a second for the response.
/// ``AppStoreServerVerifier/realtimeRequest(requestBody:)`` verifies it, and ``response(showing:)`` returns the
/// response. The request names the app by ``appStoreID`` alone.
public struct RealtimeRetentionRequest: Hashable, Sendable, Identifiable {
    /// The identifier of the request (`requestIdentifier`).
    public let id: UUID
    /// The identifier of the subscription's first transaction.
    public let originalTransactionID: String
    /// The product of the subscription.
    public let productID: String
    /// The app's identifier in the App Store.
    public let appStoreID: Int64
    /// The locale of the customer's device (`userLocale`), such as `en-US`; `nil` if the request doesn't name it.
    public let userLocale: String?
    /// The store.
    public let environment: ReceiptEnvironment?
    /// When the App Store signed the request.
    public let signedDate: Date
    /// The unchanged fields that this library doesn't know, and auxiliary fields that it can't read.
    public let unknownFields: [String: ReceiptValue]

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    /// Reads a request.
    init(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        id = try fields.requiredUUID("requestIdentifier")
        originalTransactionID = try fields.requiredString("originalTransactionId")
        productID = try fields.requiredString("productId")
        appStoreID = try fields.requiredInteger("appAppleId")
        environment = try fields.environment("environment")
        signedDate = try fields.requiredDate("signedDate")
        // A message in the wrong language is better than no message.
        fields.keepsUnreadable = true
        userLocale = try fields.string("userLocale")
        unknownFields = try fields.unread()
    }
}
