package import ReceiptCryptography

/// An RSA or elliptic-curve key, with its identifiers for X.509 and CMS.
package enum SimulatedKey: Sendable {
    case rsa(RSAPrivateKey)
    case ellipticCurve(ECDSAPrivateKey)

    /// The `SubjectPublicKeyInfo` (RFC 5280, section 4.1.2.7).
    package var publicKeyInformation: [UInt8] {
        switch self {
        case .rsa(let key):
            let numbers = DEREncoding.sequence([
                DEREncoding.integer(magnitude: key.modulus), DEREncoding.integer(magnitude: key.exponent),
            ])
            let algorithm = DEREncoding.sequence([
                DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 1, 1]), DEREncoding.null,
            ])
            return DEREncoding.sequence([algorithm, DEREncoding.bitString(numbers)])
        case .ellipticCurve(let key):
            let curve: [UInt64] = key.curve.byteCount == 32 ? [1, 2, 840, 10045, 3, 1, 7] : [1, 3, 132, 0, 34]
            let algorithm = DEREncoding.sequence([
                DEREncoding.objectIdentifier([1, 2, 840, 10045, 2, 1]), DEREncoding.objectIdentifier(curve),
            ])
            return DEREncoding.sequence([algorithm, DEREncoding.bitString(key.publicPoint)])
        }
    }

    /// Returns the `AlgorithmIdentifier` of signatures with this key and hash function.
    package func signatureAlgorithm(_ digest: SignatureDigest) -> [UInt8] {
        switch (self, digest) {
        case (.rsa, .sha1):
            DEREncoding.sequence([DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 1, 5]), DEREncoding.null])
        case (.rsa, .sha256):
            DEREncoding.sequence([DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 1, 11]), DEREncoding.null])
        case (.rsa, .sha384):
            DEREncoding.sequence([DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 1, 12]), DEREncoding.null])
        case (.ellipticCurve, .sha1): DEREncoding.sequence([DEREncoding.objectIdentifier([1, 2, 840, 10045, 4, 1])])
        case (.ellipticCurve, .sha256):
            DEREncoding.sequence([DEREncoding.objectIdentifier([1, 2, 840, 10045, 4, 3, 2])])
        case (.ellipticCurve, .sha384):
            DEREncoding.sequence([DEREncoding.objectIdentifier([1, 2, 840, 10045, 4, 3, 3])])
        }
    }

    /// Signs a message. Returns the RSA signature, or the DER of ECDSA's two numbers. Empty if the key is too short for
    /// the digest.
    package func signature(of message: [UInt8], _ digest: SignatureDigest) -> [UInt8] {
        switch self {
        case .rsa(let key): key.signature(of: message, digest) ?? []
        case .ellipticCurve(let key):
            key.signature(of: message, digest).map {
                DEREncoding.sequence([DEREncoding.integer(magnitude: $0.r), DEREncoding.integer(magnitude: $0.s)])
            } ?? []
        }
    }
}
