package import ReceiptCryptography

/// An RSA key of the simulator that signs with RSASSA-PKCS1-v1_5 (RFC 8017, 8.2.1).
///
/// It is published test material: nothing takes care to keep it secret, and nothing but the simulator's own receipts may be trusted on it.
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

    /// Takes the key as RFC 8017, 3.2 lists it: modulus, primes, their exponents and the coefficient. `nil` unless the primes are odd and equally long.
    package init?(modulus: [UInt8], primes: ([UInt8], [UInt8]), exponents: ([UInt8], [UInt8]), coefficient: [UInt8]) {
        let limbCount = (modulus.count + 15) / 16
        func number(_ bytes: [UInt8]) -> LimbInteger? { LimbInteger(bigEndian: bytes, limbCount: limbCount) }
        guard let p = number(primes.0).flatMap({ MontgomeryModulus($0) }), let q = number(primes.1).flatMap({ MontgomeryModulus($0) }),
            let dp = number(exponents.0), let dq = number(exponents.1), let qInverse = number(coefficient)
        else { return nil }
        self.modulus = modulus
        first = Factor(prime: p, exponent: dp)
        second = Factor(prime: q, exponent: dq)
        self.coefficient = p.represent(qInverse)
    }

    /// Signs a message; `nil` when the key is too short for the digest.
    package func signature(of message: [UInt8], _ algorithm: SignatureDigest) -> [UInt8]? {
        algorithm.encodedMessage(digest: algorithm.hash(message[...]), byteCount: modulus.count).flatMap(apply)
    }

    /// Raises a number as long as the modulus to the private exponent: a signature when the number is a padded digest.
    package func apply(_ message: [UInt8]) -> [UInt8]? {
        guard message.count == modulus.count else { return nil }
        let (p, q) = (first.prime, second.prime)
        let left = p.power(residue(message, p), first.exponent)
        let right = q.value(q.power(residue(message, q), second.exponent))
        // RFC 8017, 5.1.2: m = m₂ + q · ((m₁ - m₂) · qInv mod p).
        let difference = p.subtract(left, p.represent(reduced(right, p)))
        let factor = p.value(p.multiply(difference, coefficient))
        return combined(right, factor, q.modulus)?.bigEndian(count: modulus.count)
    }

    /// The number modulo a prime of half its length, in Montgomery's representation: high · R + low.
    private func residue(_ message: [UInt8], _ prime: MontgomeryModulus) -> LimbInteger {
        let split = max(message.count - prime.limbCount * 8, 0)
        func half(_ bytes: ArraySlice<UInt8>) -> LimbInteger {
            let number = LimbInteger(bigEndian: bytes, limbCount: prime.limbCount) ?? prime.modulus
            return prime.represent(reduced(number, prime))
        }
        let shift = prime.represent(prime.one)
        return prime.add(prime.multiply(half(message[..<split]), shift), half(message[split...]))
    }

    /// A number less than twice as long as the prime's highest bit, reduced by subtraction.
    private func reduced(_ number: LimbInteger, _ prime: MontgomeryModulus) -> LimbInteger {
        var rest = number
        while rest >= prime.modulus {
            _ = rest.subtract(prime.modulus)
        }
        return rest
    }

    /// base + factor · multiplier, written limb by limb.
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
