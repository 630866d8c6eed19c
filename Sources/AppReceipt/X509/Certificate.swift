package import Foundation

/// An X.509 certificate (RFC 5280, section 4.1), read strictly as DER. Its slices share the memory of the input.
///
/// The type is a class, because chains, searches and caches share its many immutable properties.
package final class Certificate: Sendable {
    package let encoding: ArraySlice<UInt8>
    package let signedPart: ArraySlice<UInt8>
    package let serialNumber: ArraySlice<UInt8>
    package let issuer: DistinguishedName
    package let subject: DistinguishedName
    package let notBefore: Date
    package let notAfter: Date
    package let publicKey: PublicKey
    package let extensions: CertificateExtensions
    package let signatureAlgorithm: AlgorithmIdentifier
    package let signature: ArraySlice<UInt8>

    /// Reads `Certificate ::= SEQUENCE { tbsCertificate TBSCertificate, signatureAlgorithm AlgorithmIdentifier,
    /// signature BIT STRING }`.
    package init(_ bytes: ArraySlice<UInt8>) throws(MalformedReceiptError) {
        let whole = try BERReader(bytes, rules: .distinguished, limits: .certificate).only(.sequence, "a certificate")
        encoding = whole.encoding
        var members = try whole.members("a certificate")
        let signed = try members.next(.sequence, "the signed part of a certificate")
        signedPart = signed.encoding
        signatureAlgorithm = try AlgorithmIdentifier(
            members.next(.sequence, "the signature algorithm of a certificate"),
            "the signature algorithm of a certificate")
        signature = try members.only(.bitString, "the signature of a certificate")
            .wholeOctetBitString("the signature of a certificate")

        var fields = try signed.members("the signed part of a certificate")
        try Certificate.readVersion(&fields)
        serialNumber = try fields.next(.integer, "a serial number").integerOctets("a serial number")
        let inner = try AlgorithmIdentifier(
            fields.next(.sequence, "the inner signature algorithm"), "the inner signature algorithm")
        // RFC 5280, section 4.1.1.2: the unsigned outer algorithm must be the same as the signed inner algorithm.
        guard inner.encoding == signatureAlgorithm.encoding else {
            throw MalformedReceiptError(
                .invalidValue, at: signatureAlgorithm.encoding.startIndex,
                expected: "the same signature algorithm as in the signed part")
        }
        issuer = try DistinguishedName(fields.next(.sequence, "the issuer"))
        var validity = try fields.nextMembers(.sequence, "the validity")
        notBefore = try validity.next("the start of the validity").time("the start of the validity")
        notAfter = try validity.next("the end of the validity").time("the end of the validity")
        try validity.finish("the validity")
        subject = try DistinguishedName(fields.next(.sequence, "the subject"))
        publicKey = try PublicKey(fields.next(.sequence, "a public key"))
        _ = try fields.nextIfPresent(.context(1), "the issuer's unique identifier")
        _ = try fields.nextIfPresent(.context(2), "the subject's unique identifier")
        if let wrapper = try fields.nextIfPresent(.context(3), "extensions") {
            extensions = try CertificateExtensions(wrapper.onlyMember(.sequence, "extensions"))
        } else {
            extensions = CertificateExtensions()
        }
        try fields.finish("the signed part of a certificate")
    }

    /// `version [0] EXPLICIT INTEGER DEFAULT v1`; v3 is 2.
    private static func readVersion(_ fields: inout BERReader) throws(MalformedReceiptError) {
        guard let wrapper = try fields.nextIfPresent(.context(0), "a version") else { return }
        let version = try wrapper.onlyMember(.integer, "a version").integer("a version")
        guard (1...2).contains(version) else {
            throw MalformedReceiptError(
                .unsupported, at: wrapper.offset, expected: "an X.509 certificate of version 3", found: "\(version)")
        }
    }

    /// The SHA-256 of the certificate.
    package var fingerprint: [UInt8] {
        DigestAlgorithm.sha256.hash(encoding)
    }

    package func isSigned(by issuer: Certificate) -> Bool {
        guard let scheme = SignatureScheme(signatureAlgorithm), scheme.digest != nil else { return false }
        return issuer.publicKey.isValidSignature(signature, of: signedPart, scheme: scheme)
    }

    /// Whether the subject and the issuer are the same.
    package var isSelfIssued: Bool {
        subject == issuer
    }
}
