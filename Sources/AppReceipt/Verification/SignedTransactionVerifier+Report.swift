import Foundation

extension SignedTransactionVerifier {
    private static let checks: [ReceiptCheck] = [
        .structure, .signer, .signature, .chain, .trust, .validity, .constraints, .markers, .environment, .bundleID,
        .device,
        .age, .content,
    ]

    /// Verifies a token, and decodes its payload if all checks pass. The checks read only the claims that they need.
    ///
    /// - Parameter stopsAtSignature: Whether to skip the certificate checks if the token's signature is invalid, so
    ///   that a forged token costs one signature check.
    func examine(
        _ jws: String, _ bundleID: ExpectedBundleID, stopsAtSignature: Bool,
        read: (SignedPayload) throws(MalformedReceiptError) -> Void = { _ in }
    ) -> (report: ReceiptVerificationReport, payload: SignedPayload?) {
        var recorder = VerificationRecorder()
        let parsed = recorder.checkStructure { () throws(MalformedReceiptError) in
            let token = try JSONWebSignature(jws)
            let claims = try SignedPayloadClaims(token)
            let chain = try Chain(token, trustAnchors, at: claims.signedDate)
            return ((token: token, chain: chain, claims: claims), "JSON Web Signature (\(claims.kind.rawValue))")
        }
        guard let (token, chain, claims) = parsed else {
            return (recorder.report(Self.checks), nil)
        }
        checkSignature(token, chain.signer, &recorder)
        let isSigned = !recorder.hasFailed
        if stopsAtSignature, !isSigned { return (recorder.report(Self.checks), nil) }
        // Only tokens with a valid signature add chains to the cache, so forged tokens can't evict other chains.
        let found = chain.found(isRemembered: isSigned)
        let trust = recorder.checkChain(found, at: claims.signedDate, isDateKnown: true)
        let now = date ?? Date()
        if trust?.requiresAppStoreShape ?? true { recorder.checkAlgorithms(of: found) }
        if requiresCurrentCertificates { recorder.checkCurrentValidity(of: found, at: now) }
        recorder.checkEnvironment(claims.environment, is: environment, trustedBy: trust)
        recorder.checkApp(
            claims, is: bundleID, appStoreID, isOnDevice: deviceVerificationID != nil)
        checkDevice(claims, &recorder)
        checkAge(claims, at: now, &recorder)
        var payload: SignedPayload?
        if !recorder.hasFailed {
            payload = recorder.checkStructure { () throws(MalformedReceiptError) in
                let payload = try SignedPayload(jws: jws, token, claims)
                try read(payload)
                let omission = payload.omitsUnknownFields ? ", without unknown fields that need too much memory" : ""
                return (payload, "JSON Web Signature (\(claims.kind.rawValue))\(omission)")
            }
        }
        checkContent(payload, &recorder)
        return (recorder.report(Self.checks), payload)
    }

    /// Verifies the signed texts inside a notification like the notification itself.
    private func checkContent(_ payload: SignedPayload?, _ recorder: inout VerificationRecorder) {
        guard let payload else { return }
        guard let texts = payload.notificationTexts else {
            return recorder.skip(.content, "the payload contains no signed texts")
        }
        let _: Void? = recorder.check(.content, after: .structure) { () throws(ReceiptVerificationError) in
            try verify(texts, signedUntil: payload.signedDate)
            return ((), "the signed texts inside are valid")
        }
    }

    /// The certificates of a token, from the cache or from the token.
    private struct Chain {
        let signer: Certificate?
        private let remembered: CertificateChain?
        private let certificates: [Certificate]
        private let key: VerifiedChainCache.Key
        private let anchors: [ReceiptTrustAnchor]
        private let date: Date

        init(_ token: JSONWebSignature, _ anchors: [ReceiptTrustAnchor], at date: Date) throws(MalformedReceiptError) {
            key = VerifiedChainCache.Key(token.certificates, trusting: anchors)
            remembered = VerifiedChainCache.shared.chain(for: key, at: date)
            certificates = remembered == nil ? try token.readCertificates() : []
            signer = remembered?.certificates.first ?? certificates.first
            self.anchors = anchors
            self.date = date
        }

        func found(isRemembered: Bool) -> CertificateChain? {
            if let remembered { return remembered }
            var search = CertificateChainSearch(
                among: Array(certificates.dropFirst()), trusting: TrustedRoots(anchors), at: date)
            let chain = search.chain(from: Array(certificates.prefix(1)))
            if isRemembered { VerifiedChainCache.shared.remember(chain, for: key, at: date) }
            return chain
        }
    }

    /// Checks an ES256 signature (RFC 7518, section 3.4): ECDSA over P-256 with SHA-256. The signature is r followed by
    /// s, 32 bytes each.
    private func checkSignature(
        _ token: JSONWebSignature, _ certificate: Certificate?, _ recorder: inout VerificationRecorder
    ) {
        let key = recorder.check(.signer) { () throws(ReceiptVerificationError) in
            guard token.algorithm.hasSameBytes(as: "ES256") else {
                throw ReceiptVerificationError(
                    .unsupportedAlgorithm, .signer, "the algorithm is \(token.algorithm) instead of ES256")
            }
            guard let signer = certificate, case .ellipticCurve(.p256, _) = signer.publicKey else {
                throw ReceiptVerificationError(.unsupportedAlgorithm, .signer, "the signer's key isn't on P-256")
            }
            return (signer.publicKey, signer.subject.description)
        }
        let _: Void? = recorder.check(.signature, after: .signer) { () throws(ReceiptVerificationError) in
            guard let key,
                key.isValidConcatenatedSignature(token.signature[...], of: token.message[...], algorithm: .sha256)
            else {
                throw ReceiptVerificationError(
                    .signatureInvalid, .signature, "the signature isn't valid for the payload and the signer's key")
            }
            return ((), "SHA-256 with \(key.description)")
        }
    }

    /// The maximum time that a signed date may be ahead of the clock.
    static let clockTolerance: TimeInterval = 300

    private func checkAge(_ claims: SignedPayloadClaims, at now: Date, _ recorder: inout VerificationRecorder) {
        guard let maximumAge else { return recorder.skip(.age, "any age is accepted") }
        let _: Void? = recorder.check(.age, after: .structure) { () throws(ReceiptVerificationError) in
            let age = now.timeIntervalSince(claims.signedDate)
            guard age <= maximumAge, age >= -Self.clockTolerance else {
                throw ReceiptVerificationError(
                    .signedDateOutOfRange, .age,
                    "signed at \(claims.signedDate), checked at \(now), and the maximum age is \(maximumAge) seconds")
            }
            return ((), "signed at \(claims.signedDate)")
        }
    }

    private func checkDevice(_ claims: SignedPayloadClaims, _ recorder: inout VerificationRecorder) {
        guard let deviceVerificationID else {
            recorder.skip(.device, "no device was given")
            return
        }
        let _: Void? = recorder.check(.device, after: .structure) { () throws(ReceiptVerificationError) in
            guard let verification = claims.deviceVerification else {
                throw ReceiptVerificationError(.deviceHashMissing, .device, "the payload isn't bound to a device")
            }
            guard verification.matches(deviceVerificationID) else {
                throw ReceiptVerificationError(
                    .deviceHashMismatch, .device, "the payload was issued for another device")
            }
            return ((), "the hash matches the device")
        }
    }
}
