package enum SignatureDigest: Hashable, Sendable, CaseIterable {
    case sha1
    case sha256
    case sha384

    package func hash(_ message: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .sha1: SHA1.hash(message)
        case .sha256: SHA256.hash(message)
        case .sha384: SHA384.hash(message)
        }
    }

    package var digestSize: Int {
        switch self {
        case .sha1: SHA1.digestSize
        case .sha256: SHA256.digestSize
        case .sha384: SHA384.digestSize
        }
    }

    /// Returns EMSA-PKCS1-v1_5 (RFC 8017, section 9.2): 00 01, at least eight octets FF, 00, and the DigestInfo; `nil`
    /// if the result is longer than the key, or if the digest has the wrong length.
    package func encodedMessage(digest: [UInt8], byteCount: Int) -> [UInt8]? {
        let information = digestInformationPrefix + digest
        guard digest.count == digestSize, byteCount >= information.count + 11 else { return nil }
        return [0x00, 0x01] + Array(repeating: 0xFF, count: byteCount - information.count - 3) + [0x00] + information
    }

    /// The DER encoding of a DigestInfo up to the digest itself (RFC 8017, 9.2, note 1).
    private var digestInformationPrefix: [UInt8] {
        switch self {
        case .sha1: [0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00, 0x04, 0x14]
        case .sha256: sha2Prefix(digestSize: 32, identifier: 1)
        case .sha384: sha2Prefix(digestSize: 48, identifier: 2)
        }
    }

    /// Returns the prefix for a number in the arc 2.16.840.1.101.3.4.2 of NIST's hash functions, with NULL parameters.
    private func sha2Prefix(digestSize: UInt8, identifier: UInt8) -> [UInt8] {
        let arc: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]
        return [0x30, 17 + digestSize, 0x30, 0x0D, 0x06, 0x09] + arc + [identifier, 0x05, 0x00, 0x04, digestSize]
    }
}
