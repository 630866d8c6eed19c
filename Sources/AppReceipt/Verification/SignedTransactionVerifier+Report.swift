import Foundation

extension SignedTransactionVerifier {
    /// Verifies a payload and returns the checks that were made, up to the first failure.
    public func report(on jws: String) -> ReceiptVerificationReport {
        ReceiptVerificationReport { (report) throws(ReceiptVerificationError) in
            _ = try verify(jws, bundleID, &report) { _ in }
        }
    }

    /// Verifies a token, and decodes its payload if all checks pass. The checks read only the claims that they need. A
    /// forged token costs one signature check.
    func verify(
        _ jws: String, _ bundleID: ExpectedBundleID, _ report: inout ReceiptVerificationReport,
        read: (SignedPayload) throws(MalformedReceiptError) -> Void
    ) throws(ReceiptVerificationError) -> SignedPayload {
        let (token, chain, claims) = try report.reading { () throws(MalformedReceiptError) in
            let token = try JSONWebSignature(jws)
            let claims = try SignedPayloadClaims(token)
            return (token, try Chain(token, trustAnchors, at: claims.signedDate), claims)
        }
        report.pass(.structure, "JSON Web Signature (\(claims.kind.rawValue))")
        try checkSignature(token, chain.signer, &report)
        let now = date ?? Date()
        let trust = try report.checkChain(
            chain.found(), at: claims.signedDate, and: requiresCurrentCertificates ? now : nil,
            forbidsOldAlgorithms: true)
        try report.checkEnvironment(claims.environment, is: environment, trustedBy: trust)
        try report.checkApp(claims, is: bundleID, appStoreID, isOnDevice: deviceVerificationID != nil)
        try checkDevice(claims, &report)
        try checkAge(claims, at: now, &report)
        let payload = try report.reading { () throws(MalformedReceiptError) in
            let payload = try SignedPayload(jws: jws, token, claims)
            try read(payload)
            return payload
        }
        let omission = payload.omitsUnknownFields ? ", without unknown fields that need too much memory" : ""
        report.pass(.structure, "JSON Web Signature (\(claims.kind.rawValue))\(omission)")
        try checkContent(payload, &report)
        return payload
    }

    /// Verifies the signed texts inside a notification like the notification itself.
    private func checkContent(
        _ payload: SignedPayload, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) {
        guard let texts = payload.notificationTexts else {
            return report.skip(.content, "the payload contains no signed texts")
        }
        do throws(ReceiptVerificationError) {
            try verify(texts, signedUntil: payload.signedDate)
        } catch {
            report.fail(.content, error)
            throw error
        }
        report.pass(.content, "the signed texts inside are valid")
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

        /// Returns the chain, and adds it to the cache. Call this function only for a token with a valid signature, so
        /// that forged tokens can't evict other chains.
        func found() -> CertificateChain? {
            if let remembered { return remembered }
            var search = CertificateChainSearch(
                among: Array(certificates.dropFirst()), trusting: TrustedRoots(anchors), at: date)
            let chain = search.chain(from: Array(certificates.prefix(1)))
            VerifiedChainCache.shared.remember(chain, for: key, at: date)
            return chain
        }
    }

    /// Checks an ES256 signature (RFC 7518, section 3.4): ECDSA over P-256 with SHA-256. The signature is r followed by
    /// s, 32 bytes each.
    private func checkSignature(
        _ token: JSONWebSignature, _ certificate: Certificate?, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) {
        guard token.algorithm.hasSameBytes(as: "ES256") else {
            throw ReceiptVerificationError(
                .unsupportedAlgorithm, .signer, "the algorithm is \(token.algorithm) instead of ES256")
        }
        guard let signer = certificate, case .ellipticCurve(.p256, _) = signer.publicKey else {
            throw ReceiptVerificationError(.unsupportedAlgorithm, .signer, "the signer's key isn't on P-256")
        }
        report.pass(.signer, signer.subject.description)
        let key = signer.publicKey
        guard key.isValidConcatenatedSignature(token.signature[...], of: token.message[...], algorithm: .sha256) else {
            throw ReceiptVerificationError(
                .signatureInvalid, .signature, "the signature isn't valid for the payload and the signer's key")
        }
        report.pass(.signature, "SHA-256 with \(key.description)")
    }

    /// The maximum time that a signed date may be ahead of the clock.
    static let clockTolerance: TimeInterval = 300

    private func checkAge(
        _ claims: SignedPayloadClaims, at now: Date, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) {
        guard let maximumAge else { return report.skip(.age, "any age is accepted") }
        let age = now.timeIntervalSince(claims.signedDate)
        guard age <= maximumAge, age >= -Self.clockTolerance else {
            throw ReceiptVerificationError(
                .signedDateOutOfRange, .age,
                "signed at \(claims.signedDate), checked at \(now), and the maximum age is \(maximumAge) seconds")
        }
        report.pass(.age, "signed at \(claims.signedDate)")
    }

    private func checkDevice(
        _ claims: SignedPayloadClaims, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) {
        guard let deviceVerificationID else { return report.skip(.device, "no device was given") }
        guard let verification = claims.deviceVerification else {
            throw ReceiptVerificationError(.deviceHashMissing, .device, "the payload isn't bound to a device")
        }
        guard verification.matches(deviceVerificationID) else {
            throw ReceiptVerificationError(.deviceHashMismatch, .device, "the payload was issued for another device")
        }
        report.pass(.device, "the hash matches the device")
    }
}
