package enum PublicKey: Sendable {
    case rsa(RSAKey)
    /// A curve and an uncompressed point. Verification checks whether the point is on the curve.
    case ellipticCurve(Curve, point: ArraySlice<UInt8>)
    case unsupported(ASN1ObjectIdentifier)

    package struct RSAKey: Sendable {
        package let modulus: ArraySlice<UInt8>
        package let exponent: ArraySlice<UInt8>
        /// `RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }` (RFC 8017, A.1.1).
        package let encoding: ArraySlice<UInt8>
        let prepared = PreparedValue<PreparedRSAKey>()
    }

    package enum Curve: Hashable, Sendable {
        case p256
        case p384

        /// The number of bytes of a coordinate and of each half of a signature.
        package var byteCount: Int {
            self == .p256 ? 32 : 48
        }
    }

    /// Reads `SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }` (RFC
    /// 5280, 4.1.2.7).
    package init(_ element: BERElement) throws(MalformedReceiptError) {
        var members = try element.members("a public key")
        let algorithm = try AlgorithmIdentifier(
            members.next(.sequence, "the algorithm of a public key"), "the algorithm of a public key")
        let bits = try members.only(.bitString, "the bits of a public key").wholeOctetBitString(
            "the bits of a public key")
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

    private static func rsaKey(_ bits: ArraySlice<UInt8>, _ element: BERElement) throws(MalformedReceiptError)
        -> PublicKey
    {
        let outer = try BERReader(bits, rules: element.rules, limits: element.limits, depth: element.depth + 1)
        var members = try outer.only(.sequence, "an RSA key").members("an RSA key")
        let modulus = try members.next(.integer, "an RSA modulus").magnitude("an RSA modulus")
        let exponent = try members.only(.integer, "an RSA exponent").magnitude("an RSA exponent")
        // Keys below 1024 bits aren't secure. Keys above 4096 bits aren't in use and would cost time.
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
    /// Returns whether `signature` is a valid signature of `message` with this key. Returns `false` if the scheme
    /// doesn't match the key or doesn't name a hash function.
    package func isValidSignature(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, scheme: SignatureScheme
    ) -> Bool {
        guard let algorithm = scheme.digest else { return false }
        return isValidSignature(signature, digest: MessageDigest(algorithm, of: message), scheme: scheme)
    }

    func isValidSignature(_ signature: ArraySlice<UInt8>, digest: MessageDigest, scheme: SignatureScheme) -> Bool {
        switch scheme {
        case .rsa:
            return isValidRSASignature(signature, digest: digest)
        case .ecdsa:
            guard let numbers = PublicKey.signatureNumbers(signature) else { return false }
            return isValidECDSASignature(r: numbers.r, s: numbers.s, digest: digest)
        }
    }

    /// Returns whether `signature` is a valid signature of `message`. The signature is r followed by s, each as long as
    /// the curve's order (RFC 7518, section 3.4).
    package func isValidConcatenatedSignature(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, algorithm: DigestAlgorithm
    ) -> Bool {
        guard case .ellipticCurve(let curve, _) = self, signature.count == 2 * curve.byteCount else { return false }
        let (r, s) = (signature.prefix(curve.byteCount), signature.suffix(curve.byteCount))
        return isValidECDSASignature(r: r, s: s, digest: MessageDigest(algorithm, of: message))
    }

    /// Returns whether `r` and `s` are an ECDSA signature of the message with this digest.
    ///
    /// Checks the lengths first, so that all implementations reject the same input: the point is uncompressed with the
    /// length of the curve, and neither number is longer than a coordinate.
    private func isValidECDSASignature(r: ArraySlice<UInt8>, s: ArraySlice<UInt8>, digest: MessageDigest) -> Bool {
        guard case .ellipticCurve(let curve, let point) = self,
            point.first == 4, point.count == 1 + 2 * curve.byteCount,
            let r = PublicKey.padded(r, to: curve.byteCount), let s = PublicKey.padded(s, to: curve.byteCount)
        else { return false }
        return curve.isValidSignature(r: r, s: s, point: point, digest: digest)
    }

    /// Returns a number with leading zeros up to `count` bytes; `nil` for a longer number.
    private static func padded(_ number: ArraySlice<UInt8>, to count: Int) -> [UInt8]? {
        let digits = number.drop { $0 == 0 }
        guard digits.count <= count else { return nil }
        return [UInt8](repeating: 0, count: count - digits.count) + digits
    }

    /// `ECDSA-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }` (RFC 5758, 3.2), strictly in DER without trailing bytes.
    private static func signatureNumbers(_ signature: ArraySlice<UInt8>) -> (
        r: ArraySlice<UInt8>, s: ArraySlice<UInt8>
    )? {
        do throws(MalformedReceiptError) {
            let outer = try BERReader(signature, rules: .distinguished, limits: .certificate)
            var members = try outer.only(.sequence, "a signature").members("a signature")
            let r = try members.next(.integer, "r").magnitude("r")
            return (r, try members.only(.integer, "s").magnitude("s"))
        } catch {
            return nil
        }
    }
}
