/// An RSA public key that verifies RSASSA-PKCS1-v1_5 signatures (RFC 8017, section 8.2.2).
package struct RSAPublicKey: Sendable {
    private let modulus: MontgomeryModulus
    /// The exponent minus one, which is even.
    private let squarings: LimbInteger
    /// The length of the modulus and of every signature in bytes.
    package let byteCount: Int

    /// Creates a key from the big-endian modulus and exponent.
    ///
    /// Returns `nil` for a modulus that is even or not between 1024 and 4096 bits long, and for an exponent that is
    /// even, below three or longer than 64 bits.
    package init?(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) {
        let digits = modulus.drop { $0 == 0 }
        guard let number = LimbInteger(bigEndian: digits, limbCount: (digits.count + 7) / 8),
            (1024...4096).contains(number.bitWidth),
            let prepared = MontgomeryModulus(number), let power = LimbInteger(bigEndian: exponent, limbCount: 1),
            power.bit(0), power.bitWidth > 1
        else { return nil }
        self.modulus = prepared
        squarings = LimbInteger(limbs: [power.limbs[0] - 1])
        byteCount = digits.count
    }

    /// Returns whether `signature` is a valid signature of the message with this digest.
    ///
    /// The expected encoded message is compared as a whole, never parsed, so a manipulated padding or DigestInfo isn't
    /// accepted.
    package func isValidSignature(_ signature: ArraySlice<UInt8>, digest: [UInt8], algorithm: SignatureDigest) -> Bool {
        guard signature.count == byteCount,
            let number = LimbInteger(bigEndian: signature, limbCount: modulus.limbCount),
            number < modulus.modulus,
            let expected = algorithm.encodedMessage(digest: digest, byteCount: byteCount)
        else { return false }
        // The Montgomery product of a represented power and a plain number is the plain product.
        let power = modulus.power(modulus.represent(number), squarings)
        return modulus.multiply(power, number).bigEndian(count: byteCount) == expected
    }
}
