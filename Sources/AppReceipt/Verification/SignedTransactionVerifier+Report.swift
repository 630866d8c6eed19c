import Foundation

extension SignedTransactionVerifier {
    private static let checks: [ReceiptCheck] = [
        .structure, .signer, .signature, .chain, .trust, .validity, .constraints, .markers, .environment, .bundleID, .device,
    ]

    /// Verifies a token and, when every check holds, decodes its payload. Of the payload only what the checks need is read before.
    func examine(_ jws: String, _ bundleID: ExpectedBundleID) -> (report: ReceiptVerificationReport, payload: SignedPayload?) {
        var recorder = VerificationRecorder()
        let parsed = recorder.checkStructure { () throws(MalformedReceiptError) in
            let token = try JSONWebSignature(jws)
            let certificates = try token.readCertificates()
            let claims = try SignedPayloadClaims(token)
            return ((token: token, certificates: certificates, claims: claims), "JSON Web Signature (\(claims.kind.rawValue))")
        }
        guard let (token, certificates, claims) = parsed else {
            return (recorder.report(Self.checks), nil)
        }
        checkSignature(token, certificates, &recorder)
        var search = CertificateChainSearch(
            among: Array(certificates.dropFirst()), trusting: TrustedRoots(trustAnchors), at: claims.signedDate)
        let chain = search.chain(from: Array(certificates.prefix(1)))
        let trust = recorder.checkChain(chain, at: claims.signedDate, isDateKnown: true)
        recorder.checkEnvironment(claims.environment, is: environment, trustedBy: trust)
        recorder.checkBundleID(claims.bundleID, is: bundleID)
        checkDevice(claims, &recorder)
        var payload: SignedPayload?
        if !recorder.hasFailed {
            payload = recorder.checkStructure { () throws(MalformedReceiptError) in
                (try SignedPayload(jws: jws, token, claims), "JSON Web Signature (\(claims.kind.rawValue))")
            }
        }
        return (recorder.report(Self.checks), payload)
    }

    /// ES256 (RFC 7518, 3.4): ECDSA over P-256 with SHA-256; the signature is r and s, 32 bytes each.
    private func checkSignature(_ token: JSONWebSignature, _ certificates: [Certificate], _ recorder: inout VerificationRecorder) {
        let key = recorder.check(.signer) { () throws(ReceiptVerificationError) in
            guard token.algorithm.hasSameBytes(as: "ES256") else {
                throw ReceiptVerificationError(.unsupportedAlgorithm, .signer, "the algorithm is \(token.algorithm) instead of ES256")
            }
            guard let signer = certificates.first, case .ellipticCurve(.p256, _) = signer.publicKey else {
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

    private func checkDevice(_ claims: SignedPayloadClaims, _ recorder: inout VerificationRecorder) {
        guard let deviceVerificationID else {
            recorder.skip(.device, "no device was given")
            return
        }
        let _: Void? = recorder.check(.device, after: .structure) { () throws(ReceiptVerificationError) in
            guard let verification = claims.deviceVerification else {
                throw ReceiptVerificationError(.deviceHashMissing, .device, "the payload is not tied to a device")
            }
            guard verification.matches(deviceVerificationID) else {
                throw ReceiptVerificationError(.deviceHashMismatch, .device, "the payload was handed to another device")
            }
            return ((), "the hash is this device's")
        }
    }
}
