public import AppReceipt
public import Foundation

/// Verifies what your server receives from the App Store and from your app, with the checks that a server needs and
/// without a network connection.
///
/// `SignedTransactionVerifier` makes the checks. This type sets its values for a server:
///
/// | Payload | Age | Certificates |
/// |---|---|---|
/// | Notification | at most four days | valid on the signed date and now |
/// | Transaction, renewal information, app transaction | any | valid on the signed date |
///
/// Apple repeats a notification for up to three days. An older one may be a copy that an attacker sends again.
///
/// Create one verifier when the server starts. You can use it in several tasks at once.
public struct AppStoreServerVerifier: Sendable {
    /// The date for the age and the current validity of certificates; `nil` for the current date.
    public var date: Date? {
        get { verifier.date }
        set { verifier.date = newValue }
    }

    private var verifier: SignedTransactionVerifier

    private static let maximumAge: TimeInterval = 4 * 86_400

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - bundleID: The app that a payload must name.
    ///   - appStoreID: The app's Apple ID from the app information in App Store Connect. Production notifications and
    ///     production app transactions require it.
    ///   - environment: The required environment. `nil` accepts the App Store and the sandbox, whose purchases are
    ///     free.
    ///   - trustAnchors: The trusted certificates.
    public init(
        bundleID: ExpectedBundleID, appStoreID: Int64?, environment: ReceiptEnvironment?,
        trustAnchors: [ReceiptTrustAnchor] = [.appStoreG3]
    ) {
        verifier = SignedTransactionVerifier(
            bundleID: bundleID, environment: environment, appStoreID: appStoreID, trustAnchors: trustAnchors)
    }

    /// Verifies a signed transaction. See `SignedTransactionVerifier.transaction(jws:)`.
    ///
    /// - Parameter jws: `signedTransactionInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    /// - Throws: the error of the first failed check.
    public func transaction(jws: String) throws(ReceiptVerificationError) -> SignedTransactionInfo {
        try verifier.transaction(jws: jws)
    }

    /// Verifies the signed renewal information of a subscription. See
    /// `SignedTransactionVerifier.renewalInfo(jws:of:)`.
    ///
    /// - Parameters:
    ///   - jws: `signedRenewalInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    ///   - transaction: a verified transaction of the same subscription.
    /// - Throws: the errors of `SignedTransactionVerifier.renewalInfo(jws:of:)`.
    public func renewalInfo(
        jws: String, of transaction: SignedTransactionInfo
    ) throws(ReceiptVerificationError) -> SignedRenewalInfo {
        try verifier.renewalInfo(jws: jws, of: transaction)
    }

    /// Verifies a signed app transaction. See `SignedTransactionVerifier.appTransaction(jws:)`.
    ///
    /// - Parameter jws: `signedAppTransactionInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    /// - Throws: the errors of ``transaction(jws:)``; `ReceiptVerificationError.Code.appStoreIDMissing` in production
    ///   without an Apple ID.
    public func appTransaction(jws: String) throws(ReceiptVerificationError) -> SignedAppTransactionInfo {
        try verifier.appTransaction(jws: jws)
    }

    /// Verifies the notification in the body of Apple's request, `{"signedPayload":"…"}`, and the signed texts inside.
    ///
    /// - Throws: the errors of ``transaction(jws:)``, for the notification or a signed text inside;
    ///   `ReceiptVerificationError.Code.signedDateOutOfRange` for an old notification;
    ///   `ReceiptVerificationError.Code.malformed` for any other body, including a body larger than 1 MiB plus 1 KiB.
    public func notification(requestBody: Data) throws(ReceiptVerificationError) -> AppStoreServerNotification {
        var verifier = verifier
        verifier.maximumAge = Self.maximumAge
        verifier.requiresCurrentCertificates = true
        return try verifier.notification(requestBody: requestBody)
    }
}
