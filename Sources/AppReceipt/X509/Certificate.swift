package import Foundation

/// An X.509 certificate (RFC 5280, 4.1), read strictly as DER. Its slices are slices of the input.
///
/// A class, because it has many parts and never changes: chains, searches and caches hold a reference.
package final class Certificate: Sendable {
    package let encoding: ArraySlice<UInt8>
    /// The part that is signed.
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
        var outer = try BERReader(bytes, rules: .distinguished, limits: .certificate)
        let whole = try outer.next(.sequence, "a certificate")
        try outer.finish("a certificate")
        encoding = whole.encoding
        var members = try whole.members("a certificate")
        let signed = try members.next(.sequence, "the signed part of a certificate")
        signedPart = signed.encoding
        signatureAlgorithm = try AlgorithmIdentifier(
            members.next(.sequence, "the signature algorithm of a certificate"), "the signature algorithm of a certificate")
        signature = try members.next(.bitString, "the signature of a certificate").wholeOctetBitString("the signature of a certificate")
        try members.finish("a certificate")

        var fields = try signed.members("the signed part of a certificate")
        try Certificate.readVersion(&fields)
        serialNumber = try fields.next(.integer, "a serial number").integerOctets("a serial number")
        let inner = try AlgorithmIdentifier(fields.next(.sequence, "the inner signature algorithm"), "the inner signature algorithm")
        // RFC 5280, 4.1.1.2: the algorithm outside, which is not signed, must repeat the one inside, which is.
        guard inner.encoding == signatureAlgorithm.encoding else {
            throw MalformedReceiptError(
                .invalidValue, at: signatureAlgorithm.encoding.startIndex, expected: "the same signature algorithm as in the signed part")
        }
        issuer = try DistinguishedName(fields.next(.sequence, "the issuer"))
        var validity = try fields.next(.sequence, "the validity").members("the validity")
        notBefore = try validity.next("the start of the validity").time("the start of the validity")
        notAfter = try validity.next("the end of the validity").time("the end of the validity")
        try validity.finish("the validity")
        subject = try DistinguishedName(fields.next(.sequence, "the subject"))
        publicKey = try PublicKey(fields.next(.sequence, "a public key"))
        _ = try fields.nextIfPresent(.context(1), "the issuer's unique identifier")
        _ = try fields.nextIfPresent(.context(2), "the subject's unique identifier")
        if let wrapper = try fields.nextIfPresent(.context(3), "extensions") {
            var inside = try wrapper.members("extensions")
            extensions = try CertificateExtensions(inside.next(.sequence, "extensions"))
            try inside.finish("extensions")
        } else {
            extensions = CertificateExtensions()
        }
        try fields.finish("the signed part of a certificate")
    }

    /// `version [0] EXPLICIT INTEGER DEFAULT v1`; v3 is 2.
    private static func readVersion(_ fields: inout BERReader) throws(MalformedReceiptError) {
        guard let wrapper = try fields.nextIfPresent(.context(0), "a version") else { return }
        var inside = try wrapper.members("a version")
        let version = try inside.next(.integer, "a version").integer("a version")
        try inside.finish("a version")
        guard (1...2).contains(version) else {
            throw MalformedReceiptError(
                .unsupported, at: wrapper.offset, expected: "an X.509 certificate of version 3", found: "\(version)")
        }
    }

    /// The SHA-256 of the certificate.
    package var fingerprint: [UInt8] {
        DigestAlgorithm.sha256.hash(encoding)
    }

    /// Whether `issuer` signed this certificate.
    package func isSigned(by issuer: Certificate) -> Bool {
        guard let scheme = SignatureScheme(signatureAlgorithm), scheme.digest != nil else { return false }
        return issuer.publicKey.isValidSignature(signature, of: signedPart, scheme: scheme)
    }

    /// Whether subject and issuer are the same.
    package var isSelfIssued: Bool {
        subject == issuer
    }
}
