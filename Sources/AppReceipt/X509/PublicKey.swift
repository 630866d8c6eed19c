/// The key in a certificate that a signature is checked with.
package enum PublicKey: Hashable, Sendable {
    case rsa(RSAKey)
    /// A curve and an uncompressed point; that the point lies on the curve is checked when it is used.
    case ellipticCurve(Curve, point: ArraySlice<UInt8>)
    case unsupported(ASN1ObjectIdentifier)

    package struct RSAKey: Hashable, Sendable {
        package let modulus: ArraySlice<UInt8>
        package let exponent: ArraySlice<UInt8>
        /// `RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }` (RFC 8017, A.1.1).
        package let encoding: ArraySlice<UInt8>
        let prepared = PreparedValue<PreparedRSAKey>()
    }

    package enum Curve: Hashable, Sendable {
        case p256
        case p384

        /// The number of bytes of a coordinate, and of each half of a signature.
        package var byteCount: Int {
            self == .p256 ? 32 : 48
        }
    }

    /// Reads `SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }` (RFC
    /// 5280, 4.1.2.7).
    package init(_ element: BERElement) throws(MalformedReceiptError) {
        var members = try element.members("a public key")
        let algorithm = try AlgorithmIdentifier(members.next(.sequence, "the algorithm of a public key"), "the algorithm of a public key")
        let bits = try members.next(.bitString, "the bits of a public key").wholeOctetBitString("the bits of a public key")
        try members.finish("a public key")
        switch algorithm.algorithm {
        case PublicKey.rsaIdentifier where algorithm.hasNoParameters:
            self = try PublicKey.rsaKey(bits, element)
        case PublicKey.ellipticCurveIdentifier:
            let name = try algorithm.parameters?.objectIdentifier("the name of a curve")
            guard let curve = name.flatMap({ PublicKey.curves[$0] }) else {
                self = .unsupported(name ?? algorithm.algorithm)
                return
            }
            self = .ellipticCurve(curve, point: bits)
        default:
            self = .unsupported(algorithm.algorithm)
        }
    }

    private static func rsaKey(_ bits: ArraySlice<UInt8>, _ element: BERElement) throws(MalformedReceiptError) -> PublicKey {
        var outer = try BERReader(bits, rules: element.rules, limits: element.limits, depth: element.depth + 1)
        var members = try outer.next(.sequence, "an RSA key").members("an RSA key")
        try outer.finish("an RSA key")
        let modulus = try members.next(.integer, "an RSA modulus").magnitude("an RSA modulus")
        let exponent = try members.next(.integer, "an RSA exponent").magnitude("an RSA exponent")
        try members.finish("an RSA key")
        // Below 1024 bits a key protects nothing; beyond 4096 none is in use, and checking would only cost time.
        guard (128...512).contains(modulus.count), exponent.count <= 8 else { return .unsupported(rsaIdentifier) }
        return .rsa(RSAKey(modulus: modulus, exponent: exponent, encoding: bits))
    }

    private static let rsaIdentifier = ASN1ObjectIdentifier(1, 2, 840, 113549, 1, 1, 1)
    private static let ellipticCurveIdentifier = ASN1ObjectIdentifier(1, 2, 840, 10045, 2, 1)
    private static let curves: [ASN1ObjectIdentifier: Curve] = [
        ASN1ObjectIdentifier(1, 2, 840, 10045, 3, 1, 7): .p256,
        ASN1ObjectIdentifier(1, 3, 132, 0, 34): .p384,
    ]
}

extension PublicKey {
    /// Whether `signature` was made over `message` by this key's owner; `false` too when scheme and key do not fit
    /// together, or when the scheme leaves the hash function open.
    package func isValidSignature(_ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, scheme: SignatureScheme) -> Bool {
        guard let algorithm = scheme.digest else { return false }
        return isValidSignature(signature, digest: MessageDigest(algorithm, of: message), scheme: scheme)
    }

    /// The same for a message whose digest is known.
    func isValidSignature(_ signature: ArraySlice<UInt8>, digest: MessageDigest, scheme: SignatureScheme) -> Bool {
        switch scheme {
        case .rsa:
            return isValidRSASignature(signature, digest: digest)
        case .ecdsa:
            guard let numbers = PublicKey.signatureNumbers(signature) else { return false }
            return isValidECDSASignature(r: numbers.r, s: numbers.s, digest: digest)
        }
    }

    /// Whether `signature`, r and s side by side and each as long as the curve's order (RFC 7518, 3.4), was made over
    /// `message`.
    package func isValidConcatenatedSignature(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, algorithm: DigestAlgorithm
    ) -> Bool {
        guard case .ellipticCurve(let curve, _) = self, signature.count == 2 * curve.byteCount else { return false }
        let (r, s) = (signature.prefix(curve.byteCount), signature.suffix(curve.byteCount))
        return isValidECDSASignature(r: r, s: s, digest: MessageDigest(algorithm, of: message))
    }

    /// Whether `r` and `s` are an ECDSA signature of the message with this digest.
    ///
    /// The lengths are checked before the numbers are handed on, so that every implementation refuses the same: the
    /// point is uncompressed and as long as the curve has it, and neither number is longer than a coordinate.
    private func isValidECDSASignature(r: ArraySlice<UInt8>, s: ArraySlice<UInt8>, digest: MessageDigest) -> Bool {
        guard case .ellipticCurve(let curve, let point) = self,
            point.first == 4, point.count == 1 + 2 * curve.byteCount,
            let r = PublicKey.padded(r, to: curve.byteCount), let s = PublicKey.padded(s, to: curve.byteCount)
        else { return false }
        return curve.isValidSignature(r: r, s: s, point: point, digest: digest)
    }

    /// A number filled up with zeros to so many bytes; `nil` for a longer one.
    private static func padded(_ number: ArraySlice<UInt8>, to count: Int) -> [UInt8]? {
        let digits = number.drop { $0 == 0 }
        guard digits.count <= count else { return nil }
        return [UInt8](repeating: 0, count: count - digits.count) + digits
    }

    /// `ECDSA-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }` (RFC 5758, 3.2), strictly DER and nothing behind it.
    private static func signatureNumbers(_ signature: ArraySlice<UInt8>) -> (r: ArraySlice<UInt8>, s: ArraySlice<UInt8>)? {
        do throws(MalformedReceiptError) {
            var outer = try BERReader(signature, rules: .distinguished, limits: .certificate)
            var members = try outer.next(.sequence, "a signature").members("a signature")
            try outer.finish("a signature")
            let r = try members.next(.integer, "r").magnitude("r")
            let s = try members.next(.integer, "s").magnitude("s")
            try members.finish("a signature")
            return (r, s)
        } catch {
            return nil
        }
    }
}
