/// A number modulo a prime in Montgomery's representation, in which multiplication doesn't need divisions.
///
/// The operations don't run in constant time. Use them only with public numbers, as in signature verification.
package struct Residue<Modulus: PrimeModulus>: Equatable, Sendable {
    private var limbs: Modulus.Limbs

    @inline(__always)
    private init(limbs: Modulus.Limbs) {
        self.limbs = limbs
    }

    /// Creates the residue of a number below the prime.
    package init(_ number: Modulus.Limbs) {
        self = Residue(limbs: number) * Residue(limbs: Modulus.radixSquared)
    }

    /// The number below the prime.
    package var number: Modulus.Limbs {
        (self * Residue(limbs: Modulus.Limbs(1))).limbs
    }

    /// Creates the residue of a number below twice the prime. Every number with the prime's number of limbs is below
    /// that.
    package init(reducing number: Modulus.Limbs) {
        self.init(Modulus.Limbs.sum(number, Modulus.Limbs.zero, modulo: Modulus.prime))
    }

    package static var zero: Residue { Residue(limbs: Modulus.Limbs.zero) }

    /// The residue of one. R - prime equals R mod prime, because every prime is above R / 2.
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

    // Not inlined, because inlined products would make up most of a curve's code without being faster.
    @inline(never)
    package static func * (left: Residue, right: Residue) -> Residue {
        Residue(
            limbs: Modulus.Limbs.montgomeryProduct(
                left.limbs, right.limbs, modulo: Modulus.prime, negatedInverse: Modulus.negatedInverse))
    }

    /// Returns the inverse, or zero for zero: the power of the prime minus two, by Fermat's little theorem.
    package func inverse() -> Residue {
        power(Modulus.prime &- Modulus.Limbs(2))
    }

    /// Returns a power. Processes four bits of the exponent at a time, with a table of the first sixteen powers
    /// (Handbook of Applied Cryptography, algorithm 14.82).
    private func power(_ exponent: Modulus.Limbs) -> Residue {
        withUnsafeTemporaryAllocation(of: Residue.self, capacity: 16) { powers in
            powers.initialize(repeating: Residue.one)
            var index = 1
            while index < 16 {
                powers[index] = powers[index - 1] * self
                index += 1
            }
            var result = Residue.one
            var position = Modulus.Limbs.digitCount
            while position > 0 {
                position -= 1
                result = result * result
                result = result * result
                result = result * result
                result = result * result
                result = result * powers[exponent.digit(at: position)]
            }
            return result
        }
    }
}
