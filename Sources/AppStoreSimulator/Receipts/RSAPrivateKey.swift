package import ReceiptCryptography

/// An RSA key of the simulator for RSASSA-PKCS1-v1_5 signatures (RFC 8017, section 8.2.1).
///
/// The key is published test material and isn't secret. Trust the key only for the simulator's own receipts.
package struct RSAPrivateKey: Sendable {
    /// The big-endian modulus.
    package let modulus: [UInt8]
    /// The big-endian public exponent.
    package let exponent: [UInt8] = [0x01, 0x00, 0x01]
    private let first: Factor
    private let second: Factor
    /// The inverse of the second prime modulo the first, in Montgomery's representation.
    private let coefficient: LimbInteger

    private struct Factor: Sendable {
        var prime: MontgomeryModulus
        var exponent: LimbInteger
    }

    /// Creates a key from the parameters of RFC 8017, section 3.2: modulus, primes, their exponents and the
    /// coefficient. `nil` unless the primes are odd and have the same length.
    package init?(modulus: [UInt8], primes: ([UInt8], [UInt8]), exponents: ([UInt8], [UInt8]), coefficient: [UInt8]) {
        let limbCount = (modulus.count + 15) / 16
        func number(_ bytes: [UInt8]) -> LimbInteger? { LimbInteger(bigEndian: bytes, limbCount: limbCount) }
        guard let p = number(primes.0).flatMap({ MontgomeryModulus($0) }),
            let q = number(primes.1).flatMap({ MontgomeryModulus($0) }),
            let dp = number(exponents.0), let dq = number(exponents.1), let qInverse = number(coefficient)
        else { return nil }
        self.modulus = modulus
        first = Factor(prime: p, exponent: dp)
        second = Factor(prime: q, exponent: dq)
        self.coefficient = p.represent(qInverse)
    }

    /// Signs a message; `nil` if the key is too short for the digest.
    package func signature(of message: [UInt8], _ algorithm: SignatureDigest) -> [UInt8]? {
        algorithm.encodedMessage(digest: algorithm.hash(message[...]), byteCount: modulus.count).flatMap(apply)
    }

    /// Raises a number with the modulus's length to the private exponent. For a padded digest, the result is a
    /// signature.
    package func apply(_ message: [UInt8]) -> [UInt8]? {
        guard message.count == modulus.count else { return nil }
        let (p, q) = (first.prime, second.prime)
        let left = p.power(residue(message, p), first.exponent)
        let right = q.value(q.power(residue(message, q), second.exponent))
        // RFC 8017, section 5.1.2: m = m₂ + q · ((m₁ - m₂) · qInv mod p).
        let difference = p.subtract(left, p.represent(reduced(right, p)))
        let factor = p.value(p.multiply(difference, coefficient))
        return combined(right, factor, q.modulus)?.bigEndian(count: modulus.count)
    }

    /// Returns the number modulo a prime of half its length, in Montgomery's representation: high · R + low.
    private func residue(_ message: [UInt8], _ prime: MontgomeryModulus) -> LimbInteger {
        let split = max(message.count - prime.limbCount * 8, 0)
        func half(_ bytes: ArraySlice<UInt8>) -> LimbInteger {
            let number = LimbInteger(bigEndian: bytes, limbCount: prime.limbCount) ?? prime.modulus
            return prime.represent(reduced(number, prime))
        }
        let shift = prime.represent(prime.one)
        return prime.add(prime.multiply(half(message[..<split]), shift), half(message[split...]))
    }

    /// Returns a number modulo a prime of the same bit length, by subtraction.
    private func reduced(_ number: LimbInteger, _ prime: MontgomeryModulus) -> LimbInteger {
        var rest = number
        while rest >= prime.modulus {
            _ = rest.subtract(prime.modulus)
        }
        return rest
    }

    /// Returns base + factor · multiplier.
    private func combined(_ base: LimbInteger, _ factor: LimbInteger, _ multiplier: LimbInteger) -> LimbInteger? {
        var total = base.limbs + Array(repeating: 0, count: factor.limbs.count + 1)
        for (i, digit) in factor.limbs.enumerated() {
            var carry: UInt64 = 0
            for (j, other) in multiplier.limbs.enumerated() {
                let product = digit.multipliedFullWidth(by: other)
                let (sum, overflow) = total[i + j].addingReportingOverflow(product.low)
                let (next, carried) = sum.addingReportingOverflow(carry)
                total[i + j] = next
                carry = product.high &+ (overflow ? 1 : 0) &+ (carried ? 1 : 0)
            }
            total[i + multiplier.limbs.count] &+= carry
        }
        return LimbInteger(limbs: total)
    }
}
