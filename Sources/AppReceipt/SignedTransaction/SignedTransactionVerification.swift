import Foundation

/// Verifies signed transactions and renewal information on the device or on a server, without asking anybody.
///
/// A token is believed when it is signed with ES256 by a certificate that leads, over one intermediate, to the pinned root, when both carry Apple's
/// markers and all were valid at the signed date, and when it belongs to this app and environment. The root is what is pinned, never what the
/// token brings along; of the algorithms a token may name, one is accepted.
public struct SignedTransactionVerification: Sendable, Hashable {
    /// The bundle identifier that a transaction has to name; `nil` not to ask. Renewal information names none.
    public var bundleID: String?

    /// The store from which the token has to come; `nil` not to ask.
    ///
    /// A server should ask: anybody with a sandbox account has genuine sandbox transactions.
    public var environment: ReceiptEnvironment?

    /// The certificates that are trusted; Apple's G3 root unless said otherwise.
    public var trustAnchors: [ReceiptTrustAnchor]

    /// Asks for what is not `nil`, and for signature and chain in any case.
    public init(bundleID: String?, environment: ReceiptEnvironment?, trustAnchors: [ReceiptTrustAnchor] = [.appStoreG3]) {
        self.bundleID = bundleID
        self.environment = environment
        self.trustAnchors = trustAnchors
    }

    /// Verifies a token and says what came of every check.
    public func report(on jws: String) -> ReceiptVerificationReport {
        examine(jws).report
    }

    private static let checks: [ReceiptCheck] = [
        .structure, .signer, .signature, .chain, .trust, .validity, .constraints, .markers, .environment, .bundleID,
    ]

    func examine(_ jws: String) -> (report: ReceiptVerificationReport, transaction: SignedTransaction?) {
        var recorder = VerificationRecorder()
        let parsed = recorder.check(.structure) { () throws(ReceiptVerificationError) in
            do throws(MalformedReceiptError) {
                let token = try JSONWebSignature(jws)
                let transaction = try SignedTransaction(jws: jws, token)
                return ((token: token, transaction: transaction), transaction.kind)
            } catch {
                throw ReceiptVerificationError(error, .structure)
            }
        }
        guard let (token, transaction) = parsed else {
            return (recorder.report(SignedTransactionVerification.checks), nil)
        }
        checkSignature(token, &recorder)
        let roots = TrustedRoots(trustAnchors)
        let chain = recorder.check(.chain, after: .signer) { () throws(ReceiptVerificationError) in
            let chain = try CertificateChain(inOrder: token.certificates)
            return (chain, chain.description)
        }
        recorder.checkChain(chain, roots, judgedAt: transaction.signedDate, isDateKnown: true)
        recorder.checkEnvironment(transaction.environment, is: environment)
        if case .transaction(let info) = transaction.content {
            recorder.checkBundleID(info.bundleID, is: bundleID)
        } else {
            recorder.skip(.bundleID, "renewal information names no app")
        }
        return (recorder.report(SignedTransactionVerification.checks), transaction)
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
            let digest = DigestAlgorithm.sha256.hash(token.message[...])
            guard let key, token.signature.count == 64,
                key.isValidECDSASignature(
                    r: token.signature[..<32], s: token.signature[32...], digest: digest, algorithm: .sha256)
            else {
                throw ReceiptVerificationError(.signatureInvalid, .signature, "the signature does not belong to this token and key")
            }
            return ((), "SHA-256 with \(key.description)")
        }
    }
}

extension SignedTransaction {
    fileprivate var kind: String {
        switch content {
        case .transaction: "a signed transaction"
        case .renewal: "signed renewal information"
        }
    }

    fileprivate var signedDate: Date {
        switch content {
        case .transaction(let info): info.signedDate
        case .renewal(let info): info.signedDate
        }
    }

    fileprivate var environment: ReceiptEnvironment? {
        switch content {
        case .transaction(let info): info.environment
        case .renewal(let info): info.environment
        }
    }
}
