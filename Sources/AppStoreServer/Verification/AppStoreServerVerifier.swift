public import AppReceipt
public import Foundation

/// Verifies what your server receives from the App Store and from your app, with the checks that a server needs.
///
/// `SignedTransactionVerifier` makes the checks. This type sets its values for a server, and adds the revocation of
/// certificates:
///
/// | Payload | Age | Certificates |
/// |---|---|---|
/// | Notification | at most four days | valid on the signed date and now |
/// | Transaction, renewal information, app transaction | any | valid on the signed date |
///
/// Apple repeats a notification for up to three days. An older one may be a copy that an attacker sends again.
///
/// Every function first verifies the payload without a connection, and sends requests to Apple's responder only for
/// genuine payloads. A revoked certificate is rejected for every signed date, because the owner of a stolen key can
/// sign any date.
///
/// Create one verifier when the server starts. You can use it in several tasks at once.
public struct AppStoreServerVerifier: Sendable {
    /// The date for the age and the current validity of certificates; `nil` for the current date.
    public var date: Date?

    private var verifier: SignedTransactionVerifier
    private let revocation: (any RevocationChecker)?

    private static let maximumAge: TimeInterval = 4 * 86_400

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - bundleID: The app that a payload must name.
    ///   - appStoreID: The app's Apple ID from the app information in App Store Connect. Production notifications and
    ///     production app transactions require it.
    ///   - environment: The required environment. `nil` accepts the App Store and the sandbox, whose purchases are
    ///     free.
    ///   - revocation: The checker of the certificates. The default checker accepts a certificate if the responder
    ///     doesn't answer. `nil` sends no requests.
    ///   - trustAnchors: The trusted certificates.
    public init(
        bundleID: ExpectedBundleID, appStoreID: Int64?, environment: ReceiptEnvironment?,
        revocation: (any RevocationChecker)? = OCSPRevocationChecker(),
        trustAnchors: [ReceiptTrustAnchor] = [.appStoreG3]
    ) {
        verifier = SignedTransactionVerifier(
            bundleID: bundleID, environment: environment, appStoreID: appStoreID, trustAnchors: trustAnchors)
        self.revocation = revocation
    }

    /// Verifies a signed transaction. See `SignedTransactionVerifier.transaction(jws:)`.
    ///
    /// - Parameter jws: `signedTransactionInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    /// - Throws: the error of the first failed check;
    ///   `ReceiptVerificationError.Code.certificateRevoked` for a revoked certificate;
    ///   `ReceiptVerificationError.Code.revocationUnknown` if the status is unknown and the checker requires it;
    ///   `ReceiptVerificationError.Code.cancelled` if the task is canceled before every status is known.
    public func transaction(jws: String) async throws(ReceiptVerificationError) -> SignedTransactionInfo {
        try SignedTransactionVerifier.expect(
            "a signed transaction", in: await checked(jws, verifier.bundleID), \.transaction)
    }

    /// Verifies the signed renewal information of a subscription. See
    /// `SignedTransactionVerifier.renewalInfo(jws:of:)`.
    ///
    /// - Parameters:
    ///   - jws: `signedRenewalInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    ///   - transaction: a verified transaction of the same subscription.
    /// - Throws: the errors of `SignedTransactionVerifier.renewalInfo(jws:of:)` and ``transaction(jws:)``.
    public func renewalInfo(
        jws: String, of transaction: SignedTransactionInfo
    ) async throws(ReceiptVerificationError) -> SignedRenewalInfo {
        let renewal = try verifier.renewalInfo(jws: jws, of: transaction)
        _ = try await checked(jws, .any)
        return renewal
    }

    /// Verifies a signed app transaction. See `SignedTransactionVerifier.appTransaction(jws:)`.
    ///
    /// - Parameter jws: `signedAppTransactionInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    /// - Throws: the errors of ``transaction(jws:)``; `ReceiptVerificationError.Code.appStoreIDMissing` in production
    ///   without an Apple ID.
    public func appTransaction(jws: String) async throws(ReceiptVerificationError) -> SignedAppTransactionInfo {
        try SignedTransactionVerifier.expect(
            "a signed app transaction", in: await checked(jws, verifier.bundleID), \.appTransaction)
    }

    /// Verifies the notification in the body of Apple's request, `{"signedPayload":"…"}`, and the signed texts inside.
    ///
    /// - Throws: the errors of ``transaction(jws:)``, for the notification or a signed text inside;
    ///   `ReceiptVerificationError.Code.signedDateOutOfRange` for an old notification;
    ///   `ReceiptVerificationError.Code.malformed` for any other body, including a body larger than 1 MiB plus 1 KiB.
    public func notification(requestBody: Data) async throws(ReceiptVerificationError) -> AppStoreServerNotification {
        var notification: AppStoreServerNotification?
        let payload = try await request(requestBody) { (payload) throws(MalformedReceiptError) in
            notification = try payload.notification
        }
        return try SignedTransactionVerifier.expect("a notification", in: payload) { _ in notification }
    }

    /// Returns the verified payload of a request that the App Store has just signed.
    private func request(
        _ body: Data, read: (SignedPayload) throws(MalformedReceiptError) -> Void
    ) async throws(ReceiptVerificationError) -> SignedPayload {
        var server = self
        server.verifier.maximumAge = Self.maximumAge
        server.verifier.requiresCurrentCertificates = true
        return try await server.checked(
            SignedTransactionVerifier.signedPayload(in: body), verifier.bundleID, read: read)
    }

    /// Returns a verified payload after checking the revocation of its certificates and those of the texts inside.
    private func checked(
        _ jws: String, _ bundleID: ExpectedBundleID,
        read: (SignedPayload) throws(MalformedReceiptError) -> Void = { _ in }
    ) async throws(ReceiptVerificationError) -> SignedPayload {
        var verifier = verifier
        verifier.date = date
        let (payload, chain) = try verifier.examined(jws, bundleID, read: read)
        var chains = [chain]
        verifier.maximumAge = nil
        let texts = payload.notificationTexts
        for text in [texts?.signedTransactionInfo, texts?.signedAppTransactionInfo, texts?.signedRenewalInfo] {
            if let text { chains.append(try verifier.examined(text, .any).chain) }
        }
        if let revocation {
            for chain in chains { try await chain.checkRevocation(with: revocation) }
        }
        return payload
    }
}

extension CertificateChain {
    /// Checks the status of every certificate except the last one, which is a trust anchor.
    fileprivate func checkRevocation(with checker: any RevocationChecker) async throws(ReceiptVerificationError) {
        for (certificate, issuer) in zip(certificates, certificates.dropFirst()) {
            switch await checker.status(of: Data(certificate.encoding), issuer: Data(issuer.encoding)) {
            case .good: break
            case .revoked(let date):
                throw ReceiptVerificationError(
                    .certificateRevoked, .revocation, "\(certificate.subject) was revoked at \(date)")
            case .unknown(let reason):
                // Otherwise a client could end the check of a revoked certificate by closing its connection.
                guard !Task.isCancelled else {
                    throw ReceiptVerificationError(.cancelled, .revocation, "the task was canceled")
                }
                guard checker.requiresAnswer else { continue }
                throw ReceiptVerificationError(.revocationUnknown, .revocation, reason)
            }
        }
    }
}
