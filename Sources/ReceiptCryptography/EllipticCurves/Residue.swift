/// A number modulo a prime, in Montgomery's representation, where a product takes no division.
///
/// Signatures are only verified with it, from numbers that everybody may know: nothing takes care to run in constant time.
package struct Residue<Modulus: PrimeModulus>: Equatable, Sendable {
    private var limbs: Modulus.Limbs

    @inline(__always)
    private init(limbs: Modulus.Limbs) {
        self.limbs = limbs
    }

    /// The residue of a number below the prime.
    package init(_ number: Modulus.Limbs) {
        self = Residue(limbs: number) * Residue(limbs: Modulus.radixSquared)
    }

    /// The number below the prime that this is the residue of.
    package var number: Modulus.Limbs {
        (self * Residue(limbs: Modulus.Limbs(1))).limbs
    }

    /// The residue of a number that is below twice the prime, as every number of its length is.
    package init(reducing number: Modulus.Limbs) {
        self.init(Modulus.Limbs.sum(number, Modulus.Limbs.zero, modulo: Modulus.prime))
    }

    package static var zero: Residue { Residue(limbs: Modulus.Limbs.zero) }

    /// R - prime is R mod prime, as every prime here is above R / 2.
    package static var one: Residue {
        Residue(limbs: Modulus.Limbs.zero &- Modulus.prime)
    }

    package var isZero: Bool { limbs.isZero }

    @inline(__always)
    package static func + (left: Residue, right: Residue) -> Residue {
        Residue(limbs: Modulus.Limbs.sum(left.limbs, right.limbs, modulo: Modulus.prime))
    }

    @inline(__always)
    package static func - (left: Residue, right: Residue) -> Residue {
        Residue(limbs: Modulus.Limbs.difference(left.limbs, right.limbs, modulo: Modulus.prime))
    }

    @inline(__always)
    package static func * (left: Residue, right: Residue) -> Residue {
        Residue(
            limbs: Modulus.Limbs.montgomeryProduct(
                left.limbs, right.limbs, modulo: Modulus.prime, negatedInverse: Modulus.negatedInverse))
    }

    /// The inverse, or zero for zero: by Fermat's little theorem it is the power of the prime less two.
    package func inverse() -> Residue {
        power(Modulus.prime &- Modulus.Limbs(2))
    }

    /// Four bits of the exponent at a time, with the first sixteen powers at hand (Handbook of Applied Cryptography, 14.82).
    private func power(_ exponent: Modulus.Limbs) -> Residue {
        withUnsafeTemporaryAllocation(of: Residue.self, capacity: 16) { powers in
            powers.initialize(repeating: Residue.one)
            var index = 1
            while index < 16 {
                powers[index] = powers[index - 1] * self
                index += 1
            }
            var result = Residue.one
            var position = Modulus.Limbs.bitWidth
            while position > 0 {
                position -= 4
                result = result * result
                result = result * result
                result = result * result
                result = result * result
                result = result * powers[exponent.bits(at: position, count: 4)]
            }
            return result
        }
    }
}
