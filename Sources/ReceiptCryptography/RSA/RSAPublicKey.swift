/// An RSA public key that verifies signatures of RSASSA-PKCS1-v1_5 (RFC 8017, 8.2.2).
package struct RSAPublicKey: Sendable {
    private let modulus: MontgomeryModulus
    /// The exponent less one, which is even.
    private let squarings: LimbInteger
    /// The length of the modulus and of every signature in bytes.
    package let byteCount: Int

    /// Takes the big-endian modulus and exponent.
    ///
    /// `nil` for a modulus that is even or not between 1024 and 4096 bits long, and for an exponent that is even, below three or longer than 64 bits.
    package init?(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) {
        let digits = modulus.drop { $0 == 0 }
        guard let number = LimbInteger(bigEndian: digits, limbCount: (digits.count + 7) / 8), (1024...4096).contains(number.bitWidth),
            let prepared = MontgomeryModulus(number), let power = LimbInteger(bigEndian: exponent, limbCount: 1),
            power.bit(0), power.bitWidth > 1
        else { return nil }
        self.modulus = prepared
        squarings = LimbInteger(limbs: [power.limbs[0] - 1])
        byteCount = digits.count
    }

    /// Whether `signature` is the signature of the message with this digest.
    ///
    /// The encoded message is built and compared as a whole, never parsed, so neither padding nor the digest's description can be bent.
    package func isValidSignature(_ signature: ArraySlice<UInt8>, digest: [UInt8], algorithm: SignatureDigest) -> Bool {
        guard signature.count == byteCount, let number = LimbInteger(bigEndian: signature, limbCount: modulus.limbCount),
            number < modulus.modulus,
            let expected = algorithm.encodedMessage(digest: digest, byteCount: byteCount)
        else { return false }
        // A power in Montgomery's representation times a number that is not in it gives the plain product.
        let power = modulus.power(modulus.represent(number), squarings)
        return modulus.multiply(power, number).bigEndian(count: byteCount) == expected
    }
}
