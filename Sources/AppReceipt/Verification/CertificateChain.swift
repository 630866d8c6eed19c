import Foundation

/// A chain of certificates from the signer's certificate upwards, each signed by the next, and how it ends.
struct CertificateChain: Sendable {
    /// The certificates, starting with the signer's.
    let certificates: [Certificate]
    let ending: Ending

    enum Ending: Sendable {
        case trusted(Trust)
        /// The last certificate is self-signed and not trusted.
        case untrustedRoot
        /// The certificate that issued the last one is neither enclosed nor trusted.
        case issuerMissing
        /// There are certificates with the issuer's name, but none of them signed the last certificate.
        case issuerSignatureInvalid
    }

    /// The reason why the end of a chain is trusted.
    enum Trust: Sendable {
        case root(String)
        /// The signer's certificate itself is a trust anchor, and no chain is required.
        case signer(String)
        case localTesting
    }

    /// The App Store's chains have a leaf, an intermediate and a root.
    private static let appStoreLength = 3

    /// The subjects from the signer upwards.
    var description: String {
        certificates.map(\.subject.description).joined(separator: " ← ")
    }

    /// Returns the number of passed checks, to choose the best of several chains.
    func passedChecks(at date: Date?) -> Int {
        var count = 0
        func note(_ check: () throws(ReceiptVerificationError) -> Void) {
            do throws(ReceiptVerificationError) {
                try check()
                count += 1
            } catch {}
        }
        note(checkSignatures)
        note { () throws(ReceiptVerificationError) in _ = try trust() }
        note { () throws(ReceiptVerificationError) in if let date { try checkValidity(at: date) } }
        if case .trusted(let trust) = ending, !trust.requiresAppStoreShape { return count + 2 }
        note(checkConstraints)
        note(checkMarkers)
        return count
    }

    /// The value of ``passedChecks(at:)`` for a chain that passes all checks.
    static let allChecks = 5

    /// Throws an error if no issuer's certificate signed the last certificate.
    func checkSignatures() throws(ReceiptVerificationError) {
        guard case .issuerSignatureInvalid = ending, let last = certificates.last else { return }
        throw ReceiptVerificationError(
            .certificateSignatureInvalid, .chain, "\(last.subject) wasn't signed by its issuer \(last.issuer)")
    }

    /// Returns why the chain is trusted, or throws an error if it doesn't end at a trusted certificate.
    func trust() throws(ReceiptVerificationError) -> Trust {
        guard let last = certificates.last else {
            throw ReceiptVerificationError(.chainIncomplete, .trust, "there are no certificates")
        }
        switch ending {
        case .trusted(let trust): return trust
        case .untrustedRoot:
            let fingerprint = last.fingerprint.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            throw ReceiptVerificationError(
                .untrustedRoot, .trust, "\(last.subject) with SHA-256 \(fingerprint) isn't a trust anchor")
        case .issuerMissing, .issuerSignatureInvalid:
            throw ReceiptVerificationError(
                .chainIncomplete, .trust, "\(last.issuer), the issuer of \(last.subject), isn't enclosed")
        }
    }

    /// Checks that every certificate was valid at `date`, including its first and last second (RFC 5280, section
    /// 4.1.2.5).
    func checkValidity(at date: Date) throws(ReceiptVerificationError) {
        for certificate in certificates {
            guard certificate.notBefore <= date else {
                throw ReceiptVerificationError(
                    .certificateNotYetValid, .validity,
                    "\(certificate.subject) is valid from \(certificate.notBefore), not yet at \(date)")
            }
            guard date <= certificate.notAfter else {
                throw ReceiptVerificationError(
                    .certificateExpired, .validity,
                    "\(certificate.subject) was valid until \(certificate.notAfter), no longer at \(date)")
            }
        }
    }

    /// Checks basic constraints, key usage and critical extensions (RFC 5280, 6.1.4 and 6.1.5).
    func checkConstraints() throws(ReceiptVerificationError) {
        for (index, certificate) in certificates.enumerated() {
            let extensions = certificate.extensions
            if let unknown = extensions.unknownCritical.first {
                throw ReceiptVerificationError(
                    .unknownCriticalExtension, .constraints,
                    "\(certificate.subject) has the critical extension \(unknown)")
            }
            guard index > 0 else {
                guard
                    extensions.keyUsage.map({ !$0.isDisjoint(with: [.digitalSignature, .contentCommitment]) }) ?? true
                else {
                    throw ReceiptVerificationError(
                        .keyUsageViolation, .constraints, "\(certificate.subject) isn't allowed to sign")
                }
                continue
            }
            guard extensions.isAuthority == true else {
                throw ReceiptVerificationError(
                    .notAnAuthority, .constraints, "\(certificate.subject) isn't an authority")
            }
            // The signer's certificate isn't treated as one of the authorities below (section 4.2.1.9).
            guard extensions.pathLength.map({ index - 1 <= $0 }) ?? true else {
                throw ReceiptVerificationError(
                    .notAnAuthority, .constraints,
                    "\(certificate.subject) may have fewer than \(index - 1) authorities below it")
            }
            guard extensions.keyUsage?.contains(.certificateSigning) ?? true else {
                throw ReceiptVerificationError(
                    .keyUsageViolation, .constraints, "\(certificate.subject) isn't allowed to sign certificates")
            }
        }
    }

    /// Checks that the certificates below the trust anchor aren't signed with SHA-1, and that RSA keys have 2,048 bits.
    func checkAlgorithms() throws(ReceiptVerificationError) {
        for (index, certificate) in certificates.enumerated() {
            let isAnchor = index == certificates.count - 1
            if !isAnchor, SignatureScheme(certificate.signatureAlgorithm)?.digest == .sha1 {
                throw ReceiptVerificationError(
                    .unsupportedAlgorithm, .constraints, "\(certificate.subject) is signed with SHA-1")
            }
            if case .rsa(let key) = certificate.publicKey, key.modulus.count < 256 {
                throw ReceiptVerificationError(
                    .unsupportedAlgorithm, .constraints,
                    "\(certificate.subject) has \(certificate.publicKey.description)")
            }
        }
    }

    /// Checks the number of certificates and Apple's markers in the first and second certificate.
    func checkMarkers() throws(ReceiptVerificationError) {
        guard certificates.count == CertificateChain.appStoreLength else {
            throw ReceiptVerificationError(
                .chainIncomplete, .markers,
                "the chain has \(certificates.count) certificates instead of \(CertificateChain.appStoreLength)"
            )
        }
        guard certificates[0].extensions.identifiers.contains(.receiptSigningMarker) else {
            throw ReceiptVerificationError(
                .leafMarkerMissing, .markers,
                "\(certificates[0].subject) lacks \(ASN1ObjectIdentifier.receiptSigningMarker)")
        }
        guard certificates[1].extensions.identifiers.contains(.developerRelationsMarker) else {
            throw ReceiptVerificationError(
                .intermediateMarkerMissing, .markers,
                "\(certificates[1].subject) lacks \(ASN1ObjectIdentifier.developerRelationsMarker)")
        }
    }
}

extension CertificateChain.Trust {
    /// The text for reports.
    var detail: String {
        switch self {
        case .root(let name): name
        case .signer(let name): "\(name), the signer's own certificate"
        case .localTesting: "a certificate of local testing, which anyone can create"
        }
    }

    /// Whether the chain must consist of a leaf, an intermediate and a root, with Apple's markers.
    var requiresAppStoreShape: Bool {
        if case .root = self { true } else { false }
    }

    var isLocalTesting: Bool {
        if case .localTesting = self { true } else { false }
    }
}
