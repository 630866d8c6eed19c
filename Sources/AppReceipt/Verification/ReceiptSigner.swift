/// The only signer of a container, with the certificates that may belong to the signer.
struct ReceiptSigner {
    let information: CMSSignerInfo
    /// All enclosed certificates with the signer's issuer and serial number, usually one. A duplicate doesn't hide the
    /// right certificate.
    let candidates: [Certificate]

    /// Finds the signer's certificate among the enclosed ones.
    init(_ container: CMSSignedData) throws(ReceiptVerificationError) {
        guard container.signers.count == 1, let information = container.signers.first else {
            throw ReceiptVerificationError(
                .signerCount, .signer, "there are \(container.signers.count) signers instead of one")
        }
        candidates = container.certificates.filter(information.isSigner)
        guard !candidates.isEmpty else {
            throw ReceiptVerificationError(
                .signerCertificateMissing, .signer, "the signer's certificate isn't enclosed")
        }
        self.information = information
    }

    /// Returns the signed bytes and a description of them: the content, or signed attributes with the content's type
    /// and digest (RFC 5652, sections 5.4 and 5.6).
    func message(of container: CMSSignedData) throws(ReceiptVerificationError) -> (ArraySlice<UInt8>, String) {
        guard let digest = information.digestAlgorithm.digest else {
            throw ReceiptVerificationError(
                .unsupportedAlgorithm, .content,
                "the digest algorithm \(information.digestAlgorithm.algorithm) isn't supported")
        }
        guard let attributes = information.signedAttributes else {
            // RFC 5652, section 5.3: content of a type other than data requires signed attributes.
            guard container.contentType == ReceiptSigner.dataIdentifier else {
                throw ReceiptVerificationError(
                    .contentMismatch, .content, "content of type \(container.contentType) without signed attributes")
            }
            return (container.content, "signed directly")
        }
        guard attributes.contentType == container.contentType else {
            throw ReceiptVerificationError(
                .contentMismatch, .content, "the content's type differs from the signed type")
        }
        guard digest.hash(container.content).elementsEqual(attributes.messageDigest) else {
            throw ReceiptVerificationError(
                .contentMismatch, .content, "the content's \(digest.rawValue) differs from the signed digest")
        }
        guard let encoding = attributes.encoding else {
            throw ReceiptVerificationError(.contentMismatch, .content, "the signed attributes aren't in DER")
        }
        return (encoding[...], "by its \(digest.rawValue) in the signed attributes")
    }

    /// Checks the signature, and returns the certificates with the signer's key and a description of the algorithms.
    func checkSignature(of message: ArraySlice<UInt8>) throws(ReceiptVerificationError) -> ([Certificate], String) {
        guard let digest = information.digestAlgorithm.digest,
            let scheme = SignatureScheme(information.signatureAlgorithm),
            scheme.digest == nil || scheme.digest == digest
        else {
            throw ReceiptVerificationError(
                .unsupportedAlgorithm, .signature,
                "the signature algorithm \(information.signatureAlgorithm.algorithm) isn't supported with this digest")
        }
        // Hashed once for all candidates, because the message may be the whole receipt.
        let hash = MessageDigest(digest, of: message)
        var unsupported: ASN1ObjectIdentifier?
        var signers: [Certificate] = []
        for candidate in candidates {
            if case .unsupported(let algorithm) = candidate.publicKey { unsupported = algorithm }
            if candidate.publicKey.isValidSignature(information.signature, digest: hash, scheme: scheme) {
                signers.append(candidate)
            }
        }
        guard let signer = signers.first else {
            if let unsupported, candidates.count == 1 {
                throw ReceiptVerificationError(
                    .unsupportedAlgorithm, .signature, "the kind \(unsupported) of the signer's key isn't supported")
            }
            throw ReceiptVerificationError(
                .signatureInvalid, .signature, "the signature isn't valid for the content and the signer's key")
        }
        return (signers, "\(digest.rawValue) with \(signer.publicKey.description)")
    }

    private static let dataIdentifier = ASN1ObjectIdentifier(1, 2, 840, 113549, 1, 7, 1)
}

extension PublicKey: CustomStringConvertible {
    package var description: String {
        switch self {
        case .rsa(let key): "RSA of \(key.modulus.count * 8) bits"
        case .ellipticCurve(.p256, _): "ECDSA over P-256"
        case .ellipticCurve(.p384, _): "ECDSA over P-384"
        case .unsupported(let algorithm): "a key of kind \(algorithm)"
        }
    }
}
