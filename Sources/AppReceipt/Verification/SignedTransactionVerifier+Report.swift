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
        let (token, claims) = try ReceiptVerificationError.reading { () throws(MalformedReceiptError) in
            let token = try JSONWebSignature(jws)
            return (token, try SignedPayloadClaims(token))
        }
        let cache = VerifiedChainCache.shared
        let key = VerifiedChainCache.Key(token.certificates, trusting: trustAnchors)
        let remembered = cache.chain(for: key, at: claims.signedDate)
        let certificates = try ReceiptVerificationError.reading { () throws(MalformedReceiptError) in
            if let remembered { return remembered.certificates }
            return try token.readCertificates()
        }
        report.pass(.structure, "JSON Web Signature (\(claims.kind.rawValue))")
        try report.checkSignature(of: token, by: certificates.first)
        // Only a token with a valid signature may add a chain, so that forged tokens can't evict others.
        let chain =
            remembered
            ?? cache.newChain(
                for: key, from: certificates.prefix(1), among: certificates.dropFirst(), at: claims.signedDate)
        let now = date ?? Date()
        let trust = try report.checkChain(
            chain, at: claims.signedDate, and: requiresCurrentCertificates ? now : nil, forbidsOldAlgorithms: true)
        try report.checkEnvironment(claims.environment, is: environment, trustedBy: trust)
        try report.checkApp(claims, is: bundleID, appStoreID, isOnDevice: deviceVerificationID != nil)
        try report.checkDevice(deviceVerificationID) { claims.deviceVerification?.matches($0) }
        try report.checkAge(claims.signedDate, at: now, maximum: maximumAge)
        let payload = try ReceiptVerificationError.reading { () throws(MalformedReceiptError) in
            let payload = try SignedPayload(jws: jws, token, claims)
            try read(payload)
            return payload
        }
        let omission = payload.omitsUnknownFields ? ", without unknown fields that need too much memory" : ""
        report.pass(.structure, "JSON Web Signature (\(claims.kind.rawValue))\(omission)")
        guard let texts = payload.notificationTexts else {
            report.skip(.content, "the payload contains no signed texts")
            return payload
        }
        do throws(ReceiptVerificationError) {
            try verify(texts, signedUntil: payload.signedDate)
        } catch {
            throw error.inContent
        }
        report.pass(.content, "the signed texts inside are valid")
        return payload
    }

    /// The maximum time that a signed date may be ahead of the clock.
    static let clockTolerance: TimeInterval = 300
}

extension ReceiptVerificationReport {
    /// Checks an ES256 signature (RFC 7518, section 3.4): ECDSA over P-256 with SHA-256. The signature is r followed by
    /// s, 32 bytes each.
    fileprivate mutating func checkSignature(
        of token: JSONWebSignature, by signer: Certificate?
    ) throws(ReceiptVerificationError) {
        guard token.algorithm.hasSameBytes(as: "ES256") else {
            throw ReceiptVerificationError(
                .unsupportedAlgorithm, .signer, "the algorithm is \(token.algorithm) instead of ES256")
        }
        guard let signer, case .ellipticCurve(.p256, _) = signer.publicKey else {
            throw ReceiptVerificationError(.unsupportedAlgorithm, .signer, "the signer's key isn't on P-256")
        }
        pass(.signer, signer.subject.description)
        let key = signer.publicKey
        guard key.isValidConcatenatedSignature(token.signature[...], of: token.message[...], algorithm: .sha256) else {
            throw ReceiptVerificationError(
                .signatureInvalid, .signature, "the signature isn't valid for the payload and the signer's key")
        }
        pass(.signature, "SHA-256 with \(key.description)")
    }

    fileprivate mutating func checkAge(
        _ signedDate: Date, at now: Date, maximum: TimeInterval?
    ) throws(ReceiptVerificationError) {
        guard let maximum else { return skip(.age, "any age is accepted") }
        let age = now.timeIntervalSince(signedDate)
        guard age <= maximum, age >= -SignedTransactionVerifier.clockTolerance else {
            throw ReceiptVerificationError(
                .signedDateOutOfRange, .age,
                "signed at \(signedDate), checked at \(now), and the maximum age is \(maximum) seconds")
        }
        pass(.age, "signed at \(signedDate)")
    }
}
