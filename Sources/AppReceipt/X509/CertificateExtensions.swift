/// What the extensions of a certificate say, as far as verification asks (RFC 5280, 4.2).
package struct CertificateExtensions: Hashable, Sendable {
    /// Whether the subject is a certificate authority; `nil` without the basic constraints extension.
    package private(set) var isAuthority: Bool?
    /// How many intermediate certificates may follow.
    package private(set) var pathLength: Int64?
    /// `nil` without the extension, which allows every use.
    package private(set) var keyUsage: KeyUsage?
    /// Every extension there is; Apple's markers are told by their presence.
    package private(set) var identifiers: Set<ASN1ObjectIdentifier> = []
    /// The value of the authority information access extension (4.2.2.1), which says where to ask about revocation.
    package private(set) var authorityInformation: ArraySlice<UInt8>?
    /// The value of the extended key usage extension (4.2.1.12).
    package private(set) var extendedKeyUsage: ArraySlice<UInt8>?
    /// The critical extensions nothing here knows, which therefore forbid the certificate's use.
    package private(set) var unknownCritical: [ASN1ObjectIdentifier] = []

    package struct KeyUsage: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }
        package static let digitalSignature = KeyUsage(rawValue: 0x80)
        package static let contentCommitment = KeyUsage(rawValue: 0x40)
        package static let certificateSigning = KeyUsage(rawValue: 0x04)
    }

    /// No extensions at all.
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
        let identifier = try members.next(.objectIdentifier, "the identifier of an extension").objectIdentifier("an extension")
        let isCritical = try members.nextIfPresent(.boolean, "whether an extension is critical")?.boolean("a criticality") ?? false
        let value = try members.next(.octetString, "the value of an extension")
        try members.finish("an extension")
        guard identifiers.insert(identifier).inserted else {
            throw MalformedReceiptError(.invalidValue, at: element.offset, expected: "each extension once", found: "\(identifier) again")
        }
        switch identifier {
        case CertificateExtensions.basicConstraints: try readBasicConstraints(value)
        case CertificateExtensions.keyUsage: try readKeyUsage(value)
        case CertificateExtensions.authorityInformationAccess: authorityInformation = value.content
        case CertificateExtensions.extendedKeyUsageIdentifier: extendedKeyUsage = value.content
        default: break
        }
        if isCritical, !CertificateExtensions.isHarmless(identifier) { unknownCritical.append(identifier) }
    }

    /// `BasicConstraints ::= SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER (0..MAX) OPTIONAL }`
    /// (4.2.1.9).
    private mutating func readBasicConstraints(_ value: BERElement) throws(MalformedReceiptError) {
        var outer = try value.wrapped("basic constraints")
        var members = try outer.next(.sequence, "basic constraints").members("basic constraints")
        try outer.finish("basic constraints")
        isAuthority = try members.nextIfPresent(.boolean, "whether this is an authority")?.boolean("whether this is an authority") ?? false
        if let length = try members.nextIfPresent(.integer, "a path length") {
            let number = try length.integer("a path length")
            guard number >= 0 else {
                throw MalformedReceiptError(.invalidValue, at: length.offset, expected: "a path length of zero or more", found: "\(number)")
            }
            pathLength = number
        }
        try members.finish("basic constraints")
    }

    /// `KeyUsage ::= BIT STRING` (4.2.1.3); only bits of the first octet matter here.
    private mutating func readKeyUsage(_ value: BERElement) throws(MalformedReceiptError) {
        var outer = try value.wrapped("key usage")
        let bits = try outer.next(.bitString, "key usage").bitString("key usage")
        try outer.finish("key usage")
        keyUsage = KeyUsage(rawValue: bits.octets.first ?? 0)
    }

    /// Extended key usage, policies and key identifiers do not restrict what a chain of fixed shape under a pinned root
    /// is used for here; Apple's own arc holds its markers.
    private static func isHarmless(_ identifier: ASN1ObjectIdentifier) -> Bool {
        understood.contains(identifier) || identifier.content.starts(with: appleArc.content)
    }

    private static let basicConstraints = ASN1ObjectIdentifier(2, 5, 29, 19)
    private static let keyUsage = ASN1ObjectIdentifier(2, 5, 29, 15)
    private static let understood: Set<ASN1ObjectIdentifier> = [
        ASN1ObjectIdentifier(2, 5, 29, 14), ASN1ObjectIdentifier(2, 5, 29, 32), ASN1ObjectIdentifier(2, 5, 29, 35),
        basicConstraints, keyUsage, extendedKeyUsageIdentifier,
    ]
    private static let extendedKeyUsageIdentifier = ASN1ObjectIdentifier(2, 5, 29, 37)
    private static let authorityInformationAccess = ASN1ObjectIdentifier(1, 3, 6, 1, 5, 5, 7, 1, 1)
    private static let appleArc = ASN1ObjectIdentifier(1, 2, 840, 113635, 100, 6)
}

extension ASN1ObjectIdentifier {
    /// Apple's marker in certificates that sign App Store receipts and signed transactions.
    package static let receiptSigningMarker = ASN1ObjectIdentifier(1, 2, 840, 113635, 100, 6, 11, 1)
    /// Apple's marker in the Worldwide Developer Relations intermediate certificates.
    package static let developerRelationsMarker = ASN1ObjectIdentifier(1, 2, 840, 113635, 100, 6, 2, 1)
}
