/// The hash functions that receipts, certificates and signed transactions are signed with.
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
