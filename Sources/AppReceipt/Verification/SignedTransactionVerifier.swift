import Foundation

/// Verifies the payloads that today's App Store signs, on the device or on a server, without a connection: transactions and renewal information.
///
/// A payload is accepted when it is signed with ES256 by a certificate that leads, over one intermediate, to the pinned root, when both carry
/// Apple's markers and all were valid at the signed date, and when it belongs to this app and environment. The root is pinned, never
/// taken from the payload; of the algorithms a payload may name, one is accepted.
public struct SignedTransactionVerifier: Sendable, Hashable {
    /// The app that a payload has to name.
    public var bundleID: ExpectedBundleID

    /// The environment a payload has to come from; `nil` accepts every one.
    ///
    /// A server should name it: everybody with a sandbox account has genuine sandbox transactions.
    public var environment: ReceiptEnvironment?

    /// The certificates that are trusted; Apple Root CA - G3 unless said otherwise.
    public var trustAnchors: [ReceiptTrustAnchor]

    /// Creates a verifier. Signature and certificates are always checked.
    public init(bundleID: ExpectedBundleID, environment: ReceiptEnvironment?, trustAnchors: [ReceiptTrustAnchor] = [.appStoreG3]) {
        self.bundleID = bundleID
        self.environment = environment
        self.trustAnchors = trustAnchors
    }

    /// Verifies a signed transaction and returns what it says.
    ///
    /// - Parameter jws: the transaction: `signedTransactionInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    /// - Throws: the first check that failed; ``ReceiptVerificationError/Code-swift.struct/unexpectedPayload`` for a payload of another kind.
    public func transaction(jws: String) throws(ReceiptVerificationError) -> SignedTransactionInfo {
        let payload = try payload(examine(jws, bundleID))
        guard let transaction = payload.transaction else { throw Self.unexpected(payload, "a signed transaction") }
        return transaction
    }

    /// Verifies the signed renewal information of a transaction's subscription and returns what it says.
    ///
    /// Renewal information names no app: what ties it to one is its transaction, which therefore has to be verified first.
    ///
    /// - Parameters:
    ///   - jws: the renewal information: `signedRenewalInfo` of the App Store Server API.
    ///   - transaction: a verified transaction of the same subscription.
    /// - Throws: the first check that failed; ``ReceiptVerificationError/Code-swift.struct/bundleIDMismatch`` when `transaction` is another
    ///   app's, ``ReceiptVerificationError/Code-swift.struct/subscriptionMismatch`` when it is another subscription's.
    public func renewalInfo(jws: String, of transaction: SignedTransactionInfo) throws(ReceiptVerificationError) -> SignedRenewalInfo {
        guard bundleID.matches(transaction.bundleID) else {
            throw ReceiptVerificationError(.bundleIDMismatch, .bundleID, "the transaction belongs to \(transaction.bundleID)")
        }
        let payload = try payload(examine(jws, .any))
        guard let renewal = payload.renewalInfo else { throw Self.unexpected(payload, "signed renewal information") }
        guard renewal.originalTransactionID.utf8.elementsEqual(transaction.originalTransactionID.utf8) else {
            throw ReceiptVerificationError(
                .subscriptionMismatch, .bundleID,
                "the renewal information is about \(renewal.originalTransactionID), the transaction about \(transaction.originalTransactionID)"
            )
        }
        return renewal
    }

    /// Verifies a payload and says what came of every check. Renewal information alone passes only where any app is accepted.
    public func report(on jws: String) -> ReceiptVerificationReport {
        examine(jws, bundleID).report
    }

    private static let checks: [ReceiptCheck] = [
        .structure, .signer, .signature, .chain, .trust, .validity, .constraints, .markers, .environment, .bundleID,
    ]

    private func payload(
        _ examination: (report: ReceiptVerificationReport, payload: SignedPayload?)
    ) throws(ReceiptVerificationError) -> SignedPayload {
        if let failure = examination.report.failure { throw failure }
        guard let payload = examination.payload, examination.report.isVerified else {
            throw ReceiptVerificationError(.malformed, .structure, "the payload could not be read")
        }
        return payload
    }

    private static func unexpected(_ payload: SignedPayload, _ expected: String) -> ReceiptVerificationError {
        ReceiptVerificationError(.unexpectedPayload, .structure, "expected \(expected), found \(payload.kind)")
    }

    private func examine(_ jws: String, _ bundleID: ExpectedBundleID) -> (report: ReceiptVerificationReport, payload: SignedPayload?) {
        var recorder = VerificationRecorder()
        let parsed = recorder.check(.structure) { () throws(ReceiptVerificationError) in
            do throws(MalformedReceiptError) {
                let token = try JSONWebSignature(jws)
                let payload = try SignedPayload(jws: jws, token)
                return ((token: token, payload: payload), payload.kind)
            } catch {
                throw ReceiptVerificationError(error, .structure)
            }
        }
        guard let (token, payload) = parsed else {
            return (recorder.report(SignedTransactionVerifier.checks), nil)
        }
        checkSignature(token, &recorder)
        let roots = TrustedRoots(trustAnchors)
        let chain = recorder.check(.chain, after: .signer) { () throws(ReceiptVerificationError) in
            let chain = try CertificateChain(inOrder: token.certificates)
            return (chain, chain.description)
        }
        recorder.checkChain(chain, roots, at: payload.signedDate, isDateKnown: true)
        recorder.checkEnvironment(payload.environment, is: environment)
        recorder.checkBundleID(payload.transaction?.bundleID, is: bundleID)
        return (recorder.report(SignedTransactionVerifier.checks), payload)
    }

    /// ES256 (RFC 7518, 3.4): ECDSA over P-256 with SHA-256; the signature is r and s, 32 bytes each.
    private func checkSignature(_ token: JSONWebSignature, _ recorder: inout VerificationRecorder) {
        let key = recorder.check(.signer) { () throws(ReceiptVerificationError) in
            guard token.algorithm == "ES256" else {
                throw ReceiptVerificationError(.unsupportedAlgorithm, .signer, "the algorithm is \(token.algorithm) instead of ES256")
            }
            guard let signer = token.certificates.first, case .ellipticCurve(.p256, _) = signer.publicKey else {
                throw ReceiptVerificationError(.unsupportedAlgorithm, .signer, "the signer's key is not one on P-256")
            }
            return (signer.publicKey, signer.subject.description)
        }
        let _: Void? = recorder.check(.signature, after: .signer) { () throws(ReceiptVerificationError) in
            guard let key, key.isValidConcatenatedSignature(token.signature[...], of: token.message[...], algorithm: .sha256) else {
                throw ReceiptVerificationError(.signatureInvalid, .signature, "the signature does not belong to this payload and key")
            }
            return ((), "SHA-256 with \(key.description)")
        }
    }
}

extension SignedPayload {
    fileprivate var kind: String {
        switch content {
        case .transaction: "a signed transaction"
        case .renewalInfo: "signed renewal information"
        }
    }

    fileprivate var signedDate: Date {
        switch content {
        case .transaction(let info): info.signedDate
        case .renewalInfo(let info): info.signedDate
        }
    }

    fileprivate var environment: ReceiptEnvironment? {
        switch content {
        case .transaction(let info): info.environment
        case .renewalInfo(let info): info.environment
        }
    }
}
