import AppReceipt

/// An unsigned OCSP request for the status of one certificate (RFC 6960, section 4.1).
struct OCSPRequest {
    /// The number of bytes of a nonce (RFC 9654, section 2.1 recommends 32).
    static let nonceLength = 32

    let certificate: OCSPCertificateID
    /// Random bytes that the responder repeats; `nil` to accept a prepared response.
    var nonce: [UInt8]?

    /// Returns a new nonce.
    static func randomNonce() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<nonceLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// `OCSPRequest ::= SEQUENCE { tbsRequest SEQUENCE { requestList SEQUENCE OF SEQUENCE { reqCert CertID },
    /// requestExtensions [2] EXPLICIT Extensions OPTIONAL } }`.
    var encoding: [UInt8] {
        var members = DERWriter.sequence(DERWriter.sequence(certificate.encoding))
        if let nonce {
            let identifier = DERWriter.element(0x06, ASN1ObjectIdentifier.ocspNonce.content)
            let value = DERWriter.element(0x04, DERWriter.element(0x04, nonce))
            members += DERWriter.element(0xA2, DERWriter.sequence(DERWriter.sequence(identifier, value)))
        }
        return DERWriter.sequence(DERWriter.sequence(members))
    }
}

extension ASN1ObjectIdentifier {
    /// `id-pkix-ocsp-nonce` (RFC 6960, 4.4.1).
    static let ocspNonce = ASN1ObjectIdentifier(1, 3, 6, 1, 5, 5, 7, 48, 1, 2)
}

/// Writes elements in DER (X.690, 8.1 and 10.1).
enum DERWriter {
    /// Returns an element with an identifier octet.
    static func element(_ identifier: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [identifier, UInt8(content.count)] + content }
        let length = withUnsafeBytes(of: UInt64(content.count).bigEndian) { Array($0.drop { $0 == 0 }) }
        return [identifier, 0x80 | UInt8(length.count)] + length + content
    }

    /// Returns a SEQUENCE of encoded members.
    static func sequence(_ members: [UInt8]...) -> [UInt8] {
        element(0x30, members.reduce([], +))
    }
}
