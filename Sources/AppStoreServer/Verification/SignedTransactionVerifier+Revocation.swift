public import AppReceipt
public import Foundation

/// Verification with a check for revoked certificates.
///
/// Every function first verifies the payload without a connection, and sends requests only for genuine payloads. A
/// revoked certificate is rejected for every signed date, because the owner of a stolen key can sign any date.
extension SignedTransactionVerifier {
    /// Verifies a payload of any kind, and checks whether a certificate was revoked. See `payload(jws:)`.
    ///
    /// - Parameters:
    ///   - jws: the signed text.
    ///   - revocation: the checker of the certificates.
    /// - Throws: the error of the first failed check;
    ///   `ReceiptVerificationError.Code.certificateRevoked` for a revoked certificate;
    ///   `ReceiptVerificationError.Code.revocationUnknown` if the status is unknown and the checker
    ///   requires it.
    public func payload(jws: String, revocation: any RevocationChecker) async throws(ReceiptVerificationError)
        -> SignedPayload
    {
        try await checked(jws, bundleID, revocation)
    }

    /// Verifies a signed transaction, and checks whether a certificate was revoked. See `transaction(jws:)`.
    ///
    /// - Parameters:
    ///   - jws: the transaction.
    ///   - revocation: the checker of the certificates.
    /// - Throws: the errors of `transaction(jws:)` and `payload(jws:revocation:)`.
    public func transaction(
        jws: String, revocation: any RevocationChecker
    ) async throws(ReceiptVerificationError) -> SignedTransactionInfo {
        try Self.expect("a signed transaction", in: await checked(jws, bundleID, revocation), \.transaction)
    }

    /// Verifies signed renewal information, and checks whether a certificate was revoked. See `renewalInfo(jws:of:)`.
    ///
    /// - Parameters:
    ///   - jws: the renewal information.
    ///   - transaction: a verified transaction of the same subscription.
    ///   - revocation: the checker of the certificates.
    /// - Throws: the errors of `renewalInfo(jws:of:)` and `payload(jws:revocation:)`.
    public func renewalInfo(
        jws: String, of transaction: SignedTransactionInfo, revocation: any RevocationChecker
    ) async throws(ReceiptVerificationError) -> SignedRenewalInfo {
        let renewal = try renewalInfo(jws: jws, of: transaction)
        _ = try await checked(jws, .any, revocation)
        return renewal
    }

    /// Verifies a signed app transaction, and checks whether a certificate was revoked. See `appTransaction(jws:)`.
    ///
    /// - Parameters:
    ///   - jws: the app transaction.
    ///   - revocation: the checker of the certificates.
    /// - Throws: the errors of `appTransaction(jws:)` and `payload(jws:revocation:)`.
    public func appTransaction(
        jws: String, revocation: any RevocationChecker
    ) async throws(ReceiptVerificationError) -> SignedAppTransactionInfo {
        try Self.expect("a signed app transaction", in: await checked(jws, bundleID, revocation), \.appTransaction)
    }

    /// Verifies a notification with the signed texts inside it, and checks whether one of their certificates was
    /// revoked. See `notification(signedPayload:)`.
    ///
    /// - Parameters:
    ///   - signedPayload: the value of `signedPayload` in the body that Apple posts to the server.
    ///   - revocation: the checker of the certificates.
    /// - Throws: the errors of `notification(signedPayload:)` and `payload(jws:revocation:)`.
    public func notification(
        signedPayload: String, revocation: any RevocationChecker
    ) async throws(ReceiptVerificationError) -> AppStoreServerNotification {
        var notification: AppStoreServerNotification?
        let payload = try await checked(signedPayload, bundleID, revocation) {
            (payload) throws(MalformedReceiptError) in
            notification = try payload.notification
        }
        return try Self.expect("a notification", in: payload) { _ in notification }
    }

    /// Verifies the notification in the body of a request, and checks whether a certificate was revoked. See
    /// `notification(requestBody:)`.
    ///
    /// - Parameters:
    ///   - requestBody: the body.
    ///   - revocation: the checker of the certificates.
    /// - Throws: the errors of `notification(requestBody:)` and `payload(jws:revocation:)`.
    public func notification(
        requestBody: Data, revocation: any RevocationChecker
    ) async throws(ReceiptVerificationError) -> AppStoreServerNotification {
        try await notification(signedPayload: Self.signedPayload(in: requestBody), revocation: revocation)
    }

    /// Verifies the request for a retention message in a body, and checks whether a certificate was revoked. See
    /// `realtimeRequest(requestBody:)`.
    ///
    /// - Parameters:
    ///   - requestBody: the body.
    ///   - revocation: the checker of the certificates.
    /// - Throws: the errors of `realtimeRequest(requestBody:)` and `payload(jws:revocation:)`.
    public func realtimeRequest(
        requestBody: Data, revocation: any RevocationChecker
    ) async throws(ReceiptVerificationError) -> RealtimeRetentionRequest {
        let text = try Self.signedPayload(in: requestBody)
        var request: RealtimeRetentionRequest?
        let payload = try await checked(text, bundleID, revocation) { (payload) throws(MalformedReceiptError) in
            request = try payload.realtimeRequest
        }
        return try Self.expect("a request for a retention message", in: payload) { _ in request }
    }

    /// Returns a verified payload after checking the revocation of its certificates and those of the texts inside.
    private func checked(
        _ jws: String, _ bundleID: ExpectedBundleID, _ revocation: any RevocationChecker,
        read: (SignedPayload) throws(MalformedReceiptError) -> Void = { _ in }
    ) async throws(ReceiptVerificationError) -> SignedPayload {
        let (payload, chain) = try examined(jws, bundleID, read: read)
        var chains = [chain]
        var inner = self
        inner.maximumAge = nil
        let texts = payload.notificationTexts
        for text in [texts?.signedTransactionInfo, texts?.signedAppTransactionInfo, texts?.signedRenewalInfo] {
            if let text { chains.append(try inner.examined(text, .any).chain) }
        }
        for chain in chains { try await chain.checkRevocation(with: revocation) }
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
                guard checker.requiresAnswer else { continue }
                throw ReceiptVerificationError(.revocationUnknown, .revocation, reason)
            }
        }
    }
}
