/// A number modulo a prime in Montgomery's representation, in which multiplication doesn't need divisions.
///
/// The operations don't run in constant time. Use them only with public numbers, as in signature verification.
package struct Residue<Modulus: PrimeModulus>: Equatable, Sendable {
    private var limbs: UInt384

    @inline(__always)
    private init(limbs: UInt384) {
        self.limbs = limbs
    }

    /// Creates the residue of a number below the prime.
    package init(_ number: UInt384) {
        self = Residue(limbs: number) * Residue(limbs: Modulus.radixSquared)
    }

    /// The number below the prime.
    package var number: UInt384 {
        (self * Residue(limbs: UInt384(1))).limbs
    }

    /// Creates the residue of a number below twice the prime. Every number with the prime's number of bytes is below
    /// that.
    package init(reducing number: UInt384) {
        self.init(UInt384.sum(number, UInt384.zero, modulo: Modulus.prime))
    }

    package static var zero: Residue { Residue(limbs: UInt384.zero) }

    package static var one: Residue { Residue(UInt384(1)) }

    /// The number below the prime, big-endian.
    package var bytes: [UInt8] { number.bigEndian(count: Modulus.byteCount) }

    package var isZero: Bool { limbs.isZero }

    @inline(__always)
    package static func + (left: Residue, right: Residue) -> Residue {
        Residue(limbs: UInt384.sum(left.limbs, right.limbs, modulo: Modulus.prime))
    }

    @inline(__always)
    package static func - (left: Residue, right: Residue) -> Residue {
        Residue(limbs: UInt384.difference(left.limbs, right.limbs, modulo: Modulus.prime))
    }

    // Not inlined, because inlined products would make up most of a curve's code without being faster.
    @inline(never)
    package static func * (left: Residue, right: Residue) -> Residue {
        Residue(
            limbs: UInt384.montgomeryProduct(
                left.limbs, right.limbs, modulo: Modulus.prime, negatedInverse: Modulus.negatedInverse))
    }

    /// Returns the inverse, or zero for zero: the power of the prime minus two, by Fermat's little theorem.
    package func inverse() -> Residue {
        power(Modulus.prime &- UInt384(2))
    }

    /// Returns a power. Processes four bits of the exponent at a time, with a table of the first sixteen powers
    /// (Handbook of Applied Cryptography, algorithm 14.82).
    private func power(_ exponent: UInt384) -> Residue {
        withUnsafeTemporaryAllocation(of: Residue.self, capacity: 16) { powers in
            powers.initialize(repeating: Residue.one)
            var index = 1
            while index < 16 {
                powers[index] = powers[index - 1] * self
                index += 1
            }
            var result = Residue.one
            var position = 2 * Modulus.byteCount
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
