import AppReceipt

/// The identifier of a certificate in OCSP requests (RFC 6960, section 4.1.1): `CertID ::= SEQUENCE { hashAlgorithm,
/// issuerNameHash OCTET STRING, issuerKeyHash OCTET STRING, serialNumber INTEGER }`.
struct OCSPCertificateID: Equatable {
    let algorithm: DigestAlgorithm
    let issuerNameHash: [UInt8]
    let issuerKeyHash: [UInt8]
    let serialNumber: [UInt8]

    /// Creates an identifier, by default with SHA-1, which all responders support (RFC 5019, section 2.1.1); `nil` if
    /// the issuer's key is of an unknown kind.
    init?(_ certificate: Certificate, issuer: Certificate) {
        self.init(serialNumber: Array(certificate.serialNumber), issuer: issuer, .sha1)
    }

    private init?(serialNumber: [UInt8], issuer: Certificate, _ algorithm: DigestAlgorithm) {
        guard let key = issuer.publicKey.bits else { return nil }
        self.algorithm = algorithm
        issuerNameHash = algorithm.hash(issuer.subject.encoding)
        issuerKeyHash = algorithm.hash(key)
        self.serialNumber = serialNumber
    }

    /// Returns whether both identify the same certificate of `issuer`. The identifiers may have different hashes.
    func isSame(as other: OCSPCertificateID, issuer: Certificate) -> Bool {
        self == OCSPCertificateID(serialNumber: other.serialNumber, issuer: issuer, algorithm)
    }

    /// Reads an identifier; `nil` for an unknown hash function.
    init?(_ element: BERElement) throws(MalformedReceiptError) {
        var members = try element.members("a certificate's name")
        let algorithm = try AlgorithmIdentifier(members.next(.sequence, "a hash function"), "a hash function").digest
        issuerNameHash = Array(try members.next(.octetString, "the hash of a name").octets("the hash of a name"))
        issuerKeyHash = Array(try members.next(.octetString, "the hash of a key").octets("the hash of a key"))
        serialNumber = Array(try members.only(.integer, "a serial number").integerOctets("a serial number"))
        guard let algorithm else { return nil }
        self.algorithm = algorithm
    }

    /// The identifier in DER.
    var encoding: [UInt8] {
        DERWriter.sequence(
            DERWriter.sequence(Self.sha1, DERWriter.element(0x05, [])), DERWriter.element(0x04, issuerNameHash),
            DERWriter.element(0x04, issuerKeyHash), DERWriter.element(0x02, serialNumber))
    }

    /// 1.3.14.3.2.26.
    private static let sha1 = DERWriter.element(0x06, ASN1ObjectIdentifier(1, 3, 14, 3, 2, 26).content)
}

extension PublicKey {
    /// The bits of the key in the certificate; `nil` for a key of an unknown kind.
    var bits: ArraySlice<UInt8>? {
        switch self {
        case .rsa(let key): key.encoding
        case .ellipticCurve(_, let point): point
        case .unsupported: nil
        }
    }
}
