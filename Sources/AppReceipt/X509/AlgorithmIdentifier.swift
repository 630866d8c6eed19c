/// `AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY OPTIONAL }` (RFC 5280, 4.1.1.2).
package struct AlgorithmIdentifier: Sendable {
    package let algorithm: ASN1ObjectIdentifier
    /// The parameters' element; `nil` when they are absent.
    package let parameters: BERElement?
    /// The whole encoding, for comparisons.
    package let encoding: ArraySlice<UInt8>

    package init(_ element: BERElement, _ expected: String) throws(MalformedReceiptError) {
        var members = try element.members(expected)
        algorithm = try members.nextObjectIdentifier(expected)
        parameters = members.isAtEnd ? nil : try members.next("the parameters of \(expected)")
        try members.finish(expected)
        encoding = element.encoding
    }

    /// Whether the parameters are absent, or NULL without content.
    package var hasNoParameters: Bool {
        guard let parameters else { return true }
        return parameters.tag == .null && parameters.content.isEmpty && !parameters.isConstructed
    }

    /// The hash function; `nil` for an unknown identifier or one with parameters.
    package var digest: DigestAlgorithm? {
        hasNoParameters ? DigestAlgorithm(identifier: algorithm) : nil
    }
}

/// A signature scheme: the kind of key, and the hash function if the identifier names one.
package enum SignatureScheme: Sendable {
    case rsa(DigestAlgorithm?)
    case ecdsa(DigestAlgorithm?)

    /// Creates a scheme of RFC 8017, appendix A.2, or RFC 5758, section 3.2; `nil` for other schemes, such as RSA-PSS.
    package init?(_ identifier: AlgorithmIdentifier) {
        guard let scheme = SignatureScheme.known[identifier.algorithm], identifier.hasNoParameters else { return nil }
        // RFC 5758, 3.2: with ECDSA the parameters are absent, not NULL.
        if case .ecdsa = scheme, identifier.parameters != nil { return nil }
        self = scheme
    }

    private static let known: [ASN1ObjectIdentifier: SignatureScheme] = [
        ASN1ObjectIdentifier(1, 2, 840, 113549, 1, 1, 1): .rsa(nil),
        ASN1ObjectIdentifier(1, 2, 840, 113549, 1, 1, 5): .rsa(.sha1),
        ASN1ObjectIdentifier(1, 2, 840, 113549, 1, 1, 11): .rsa(.sha256),
        ASN1ObjectIdentifier(1, 2, 840, 113549, 1, 1, 12): .rsa(.sha384),
        ASN1ObjectIdentifier(1, 2, 840, 10045, 4, 3, 2): .ecdsa(.sha256),
        ASN1ObjectIdentifier(1, 2, 840, 10045, 4, 3, 3): .ecdsa(.sha384),
    ]

    /// The hash function; `nil` if the identifier doesn't name one.
    package var digest: DigestAlgorithm? {
        switch self {
        case .rsa(let digest), .ecdsa(let digest): digest
        }
    }
}

/// The hash functions for signatures of receipts, certificates and signed data.
package enum DigestAlgorithm: String, Hashable, Sendable, CaseIterable {
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"

    package init?(identifier: ASN1ObjectIdentifier) {
        switch identifier {
        case DigestAlgorithm.sha1Identifier: self = .sha1
        case DigestAlgorithm.sha256Identifier: self = .sha256
        case DigestAlgorithm.sha384Identifier: self = .sha384
        default: return nil
        }
    }

    private static let sha1Identifier = ASN1ObjectIdentifier(1, 3, 14, 3, 2, 26)
    private static let sha256Identifier = ASN1ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 2, 1)
    private static let sha384Identifier = ASN1ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 2, 2)
}
