/// The extensions of a certificate that verification needs (RFC 5280, section 4.2).
package struct CertificateExtensions: Sendable {
    /// Whether the subject is a certificate authority; `nil` without the basic constraints extension.
    package private(set) var isAuthority: Bool?
    /// The maximum number of intermediate certificates below.
    package private(set) var pathLength: Int64?
    /// The key usage; `nil` without the extension, which allows every use.
    package private(set) var keyUsage: KeyUsage?
    /// The identifiers of all extensions, including Apple's markers.
    package private(set) var identifiers: [ASN1ObjectIdentifier] = []
    /// The unknown critical extensions, which forbid the use of the certificate.
    package private(set) var unknownCritical: [ASN1ObjectIdentifier] = []

    package struct KeyUsage: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }
        package static let digitalSignature = KeyUsage(rawValue: 0x80)
        package static let contentCommitment = KeyUsage(rawValue: 0x40)
        package static let certificateSigning = KeyUsage(rawValue: 0x04)
    }

    /// Creates a value without extensions.
    package init() {}

    /// `Extensions ::= SEQUENCE OF SEQUENCE { extnID OBJECT IDENTIFIER, critical BOOLEAN DEFAULT FALSE, extnValue OCTET
    /// STRING }`.
    package init(_ element: BERElement) throws(MalformedReceiptError) {
        var result = CertificateExtensions()
        try element.forEachMember("an extension", limit: 64) { (member) throws(MalformedReceiptError) in
            try result.add(member)
        }
        self = result
    }

    private mutating func add(_ element: BERElement) throws(MalformedReceiptError) {
        var members = try element.members("an extension")
        let identifier = try members.nextObjectIdentifier("the identifier of an extension")
        let isCritical =
            try members.nextIfPresent(.boolean, "whether an extension is critical")?.boolean("a criticality") ?? false
        let value = try members.only(.octetString, "the value of an extension")
        guard !identifiers.contains(identifier) else {
            throw MalformedReceiptError(
                .invalidValue, at: element.offset, expected: "each extension once", found: "\(identifier) again")
        }
        identifiers.append(identifier)
        switch identifier {
        case CertificateExtensions.basicConstraints: try readBasicConstraints(value)
        case CertificateExtensions.keyUsage: try readKeyUsage(value)
        default: break
        }
        if isCritical, !CertificateExtensions.isHarmless(identifier) { unknownCritical.append(identifier) }
    }

    /// `BasicConstraints ::= SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER (0..MAX) OPTIONAL }`
    /// (4.2.1.9).
    private mutating func readBasicConstraints(_ value: BERElement) throws(MalformedReceiptError) {
        var members = try value.wrapped("basic constraints").only(.sequence, "basic constraints").members(
            "basic constraints")
        isAuthority =
            try members.nextIfPresent(.boolean, "whether this is an authority")?.boolean("whether this is an authority")
            ?? false
        if let length = try members.nextIfPresent(.integer, "a path length") {
            let number = try length.integer("a path length")
            guard number >= 0 else {
                throw MalformedReceiptError(
                    .invalidValue, at: length.offset, expected: "a path length of zero or more", found: "\(number)")
            }
            pathLength = number
        }
        try members.finish("basic constraints")
    }

    /// `KeyUsage ::= BIT STRING` (4.2.1.3); only bits of the first octet are relevant here.
    private mutating func readKeyUsage(_ value: BERElement) throws(MalformedReceiptError) {
        let bits = try value.wrapped("key usage").only(.bitString, "key usage").bitString("key usage")
        keyUsage = KeyUsage(rawValue: bits.octets.first ?? 0)
    }

    /// Returns whether a critical extension doesn't forbid the use of a certificate. Extended key usage, policies and
    /// key identifiers don't restrict a chain of fixed length under a pinned root, and Apple's arc contains its
    /// markers.
    private static func isHarmless(_ identifier: ASN1ObjectIdentifier) -> Bool {
        understood.contains(identifier) || identifier.content.starts(with: appleArc.content)
    }

    private static let basicConstraints = ASN1ObjectIdentifier(2, 5, 29, 19)
    private static let keyUsage = ASN1ObjectIdentifier(2, 5, 29, 15)
    private static let understood = [
        ASN1ObjectIdentifier(2, 5, 29, 14), ASN1ObjectIdentifier(2, 5, 29, 32), ASN1ObjectIdentifier(2, 5, 29, 35),
        ASN1ObjectIdentifier(2, 5, 29, 37), basicConstraints, keyUsage,
    ]
    private static let appleArc = ASN1ObjectIdentifier(1, 2, 840, 113635, 100, 6)
}

extension ASN1ObjectIdentifier {
    /// Apple's marker in the certificates that sign App Store receipts and signed data.
    package static let receiptSigningMarker = ASN1ObjectIdentifier(1, 2, 840, 113635, 100, 6, 11, 1)
    /// Apple's marker in the Worldwide Developer Relations intermediate certificates.
    package static let developerRelationsMarker = ASN1ObjectIdentifier(1, 2, 840, 113635, 100, 6, 2, 1)
}
