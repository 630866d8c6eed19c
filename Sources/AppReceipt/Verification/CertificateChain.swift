import Foundation

/// Certificates, each signed by the next, from a signer's to one that nobody above it has signed, or that is trusted.
struct CertificateChain {
    /// The signer's first.
    let certificates: [Certificate]

    /// The App Store's chains have a leaf, an intermediate and a root.
    private static let appStoreLength = 3

    /// Looks for the issuers of `signer` among the enclosed certificates and the trusted ones.
    ///
    /// The first issuer whose name and signature fit is taken, a trusted one before others. The number of signatures checked is bounded, so
    /// that a hundred certificates of one name cost no more than the chain is worth.
    init(
        from signer: Certificate, among enclosed: [Certificate], trusting roots: TrustedRoots
    ) throws(ReceiptVerificationError) {
        var chain = [signer]
        var checksLeft = 12
        while let last = chain.last, !last.isSelfIssued, roots.name(of: last) == nil, chain.count < 6 {
            let known = chain
            let candidates = (roots.certificates + enclosed).filter { candidate in
                candidate.subject == last.issuer && !known.contains { $0.encoding == candidate.encoding }
            }
            guard !candidates.isEmpty else { break }
            let trusted = candidates.filter { roots.name(of: $0) != nil }
            var issuer: Certificate?
            for candidate in trusted + candidates where issuer == nil && checksLeft > 0 {
                checksLeft -= 1
                if last.isSigned(by: candidate) { issuer = candidate }
            }
            guard let issuer else {
                throw ReceiptVerificationError(
                    .certificateSignatureInvalid, .chain, "\(last.subject) was not signed by \(last.issuer), which it names as its issuer")
            }
            chain.append(issuer)
        }
        certificates = chain
    }

    /// Takes the certificates in the order given, and checks that each was signed by the next.
    init(inOrder certificates: [Certificate]) throws(ReceiptVerificationError) {
        for (certificate, issuer) in zip(certificates, certificates.dropFirst()) {
            guard certificate.issuer == issuer.subject, certificate.isSigned(by: issuer) else {
                throw ReceiptVerificationError(
                    .certificateSignatureInvalid, .chain, "\(certificate.subject) was not signed by \(issuer.subject), which follows it")
            }
        }
        self.certificates = certificates
    }

    /// From the signer upwards.
    var description: String {
        certificates.map(\.subject.description).joined(separator: " ← ")
    }

    /// How the end of the chain came to be trusted.
    enum Trust {
        case root(String)
        /// The signer's certificate itself was handed over as trusted, and no chain is asked for.
        case signer(String)
        case localTesting
    }

    /// Checks that the chain ends at a trusted certificate.
    func trust(_ roots: TrustedRoots) throws(ReceiptVerificationError) -> Trust {
        guard let last = certificates.last else {
            throw ReceiptVerificationError(.chainIncomplete, .trust, "there are no certificates")
        }
        if let name = roots.name(of: last) {
            let isSigner = certificates.count == 1 && roots.certificates.contains { $0.encoding == last.encoding }
            return isSigner ? .signer(name) : .root(name)
        }
        if roots.acceptsLocalTesting, certificates.count == 1, last.isSelfIssued, last.isSigned(by: last) {
            return .localTesting
        }
        guard last.isSelfIssued else {
            throw ReceiptVerificationError(.chainIncomplete, .trust, "\(last.issuer), who issued \(last.subject), is not enclosed")
        }
        let fingerprint = last.fingerprint.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        throw ReceiptVerificationError(.untrustedRoot, .trust, "\(last.subject) with SHA-256 \(fingerprint) is not a trusted root")
    }

    /// Checks that every certificate was valid at `date`, its first and last second included (RFC 5280, 4.1.2.5).
    func checkValidity(at date: Date) throws(ReceiptVerificationError) {
        for certificate in certificates {
            guard certificate.notBefore <= date else {
                throw ReceiptVerificationError(
                    .certificateNotYetValid, .validity, "\(certificate.subject) is valid from \(certificate.notBefore), not yet at \(date)")
            }
            guard date <= certificate.notAfter else {
                throw ReceiptVerificationError(
                    .certificateExpired, .validity, "\(certificate.subject) was valid until \(certificate.notAfter), no longer at \(date)")
            }
        }
    }

    /// Checks basic constraints, key usage and critical extensions (RFC 5280, 6.1.4 and 6.1.5).
    func checkConstraints() throws(ReceiptVerificationError) {
        for (index, certificate) in certificates.enumerated() {
            let extensions = certificate.extensions
            if let unknown = extensions.unknownCritical.first {
                throw ReceiptVerificationError(
                    .unknownCriticalExtension, .constraints, "\(certificate.subject) has the critical extension \(unknown)")
            }
            guard index > 0 else {
                guard extensions.keyUsage.map({ !$0.isDisjoint(with: [.digitalSignature, .contentCommitment]) }) ?? true else {
                    throw ReceiptVerificationError(.keyUsageViolation, .constraints, "\(certificate.subject) may not sign")
                }
                continue
            }
            guard extensions.isAuthority == true else {
                throw ReceiptVerificationError(.notAnAuthority, .constraints, "\(certificate.subject) is not an authority")
            }
            // Of the certificates below, the signer's does not count (4.2.1.9).
            guard extensions.pathLength.map({ index - 1 <= $0 }) ?? true else {
                throw ReceiptVerificationError(
                    .notAnAuthority, .constraints, "\(certificate.subject) may have fewer than \(index - 1) authorities below it")
            }
            guard extensions.keyUsage?.contains(.certificateSigning) ?? true else {
                throw ReceiptVerificationError(.keyUsageViolation, .constraints, "\(certificate.subject) may not sign certificates")
            }
        }
    }

    /// Checks Apple's markers and the number of certificates, which the place of the markers depends on.
    func checkMarkers() throws(ReceiptVerificationError) {
        guard certificates.count == CertificateChain.appStoreLength else {
            throw ReceiptVerificationError(
                .chainIncomplete, .markers, "the chain has \(certificates.count) certificates instead of \(CertificateChain.appStoreLength)"
            )
        }
        guard certificates[0].extensions.identifiers.contains(.receiptSigningMarker) else {
            throw ReceiptVerificationError(
                .leafMarkerMissing, .markers, "\(certificates[0].subject) lacks \(ASN1ObjectIdentifier.receiptSigningMarker)")
        }
        guard certificates[1].extensions.identifiers.contains(.developerRelationsMarker) else {
            throw ReceiptVerificationError(
                .intermediateMarkerMissing, .markers, "\(certificates[1].subject) lacks \(ASN1ObjectIdentifier.developerRelationsMarker)")
        }
    }
}
