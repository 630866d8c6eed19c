/// Arithmetic modulo an odd number in Montgomery's representation, in which x stands as x·R with R = 2^(64·limbs).
///
/// The multiplication is the "coarsely integrated operand scanning" of Koç, Acar and Kaliski (IEEE Micro 16, 1996). Nothing here is
/// secret when a signature is verified, so nothing takes care to run in constant time.
package struct MontgomeryModulus: Sendable {
    package let modulus: LimbInteger
    package let limbCount: Int
    /// -modulus⁻¹ mod 2^64.
    private let inverse: UInt64
    /// R mod modulus: the number one.
    package let one: LimbInteger
    /// R² mod modulus: the factor that brings a number into this representation.
    private var square: LimbInteger

    /// Prepares a modulus; `nil` unless it is odd, greater than one, and fills its highest limb at least partly.
    package init?(_ modulus: LimbInteger) {
        guard let low = modulus.limbs.first, low & 1 == 1, let top = modulus.limbs.last, top != 0, modulus.bitWidth > 1 else { return nil }
        self.modulus = modulus
        limbCount = modulus.limbs.count
        // Newton's iteration doubles the number of correct bits; an odd number is its own inverse modulo 8.
        var inverse = low
        for _ in 0..<5 {
            inverse = inverse &* (2 &- low &* inverse)
        }
        self.inverse = 0 &- inverse

        var power = LimbInteger(limbs: Array(repeating: 0, count: limbCount))
        let highestBit = modulus.bitWidth - 1
        power.limbs[highestBit / 64] = 1 << UInt64(highestBit % 64)
        for _ in highestBit..<(limbCount * 64) {
            power = MontgomeryModulus.sum(power, power, modulus)
        }
        one = power
        square = power
        // R is 2^e in this representation of one, so squaring and doubling along the bits of e gives R·R.
        let exponent = limbCount * 64
        for bit in (0..<(Int.bitWidth - exponent.leadingZeroBitCount)).reversed() {
            square = multiply(square, square)
            if exponent >> bit & 1 == 1 {
                square = MontgomeryModulus.sum(square, square, modulus)
            }
        }
    }

    /// Brings a number below the modulus into Montgomery's representation.
    package func represent(_ number: LimbInteger) -> LimbInteger {
        multiply(number, square)
    }

    /// The number that a representation stands for.
    package func value(_ representation: LimbInteger) -> LimbInteger {
        var unit = LimbInteger(limbs: Array(repeating: 0, count: limbCount))
        unit.limbs[0] = 1
        return multiply(representation, unit)
    }

    package func add(_ left: LimbInteger, _ right: LimbInteger) -> LimbInteger {
        MontgomeryModulus.sum(left, right, modulus)
    }

    package func subtract(_ left: LimbInteger, _ right: LimbInteger) -> LimbInteger {
        var difference = left
        if difference.subtract(right) {
            _ = difference.add(modulus)
        }
        return difference
    }

    private static func sum(_ left: LimbInteger, _ right: LimbInteger, _ modulus: LimbInteger) -> LimbInteger {
        var total = left
        if total.add(right) || total >= modulus {
            _ = total.subtract(modulus)
        }
        return total
    }

    /// left · right / R mod modulus, for two numbers below the modulus.
    package func multiply(_ left: LimbInteger, _ right: LimbInteger) -> LimbInteger {
        let (a, b, n) = (left.limbs, right.limbs, modulus.limbs)
        var product = [UInt64](repeating: 0, count: limbCount + 2)
        for i in 0..<limbCount {
            var carry: UInt64 = 0
            for j in 0..<limbCount {
                (carry, product[j]) = MontgomeryModulus.multiplyAdd(a[j], b[i], product[j], carry)
            }
            let (top, overflow) = product[limbCount].addingReportingOverflow(carry)
            product[limbCount] = top
            product[limbCount + 1] = overflow ? 1 : 0

            let factor = product[0] &* inverse
            (carry, _) = MontgomeryModulus.multiplyAdd(factor, n[0], product[0], 0)
            for j in 1..<limbCount {
                (carry, product[j - 1]) = MontgomeryModulus.multiplyAdd(factor, n[j], product[j], carry)
            }
            let (high, carried) = product[limbCount].addingReportingOverflow(carry)
            product[limbCount - 1] = high
            product[limbCount] = product[limbCount + 1] &+ (carried ? 1 : 0)
        }
        let overflows = product[limbCount] != 0
        product.removeLast(2)
        var result = LimbInteger(limbs: product)
        if overflows || result >= modulus {
            _ = result.subtract(modulus)
        }
        return result
    }

    /// a · b + c + d, which always fits two limbs.
    @inline(__always)
    private static func multiplyAdd(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) -> (high: UInt64, low: UInt64) {
        let product = a.multipliedFullWidth(by: b)
        let (first, overflow) = product.low.addingReportingOverflow(c)
        let (second, carried) = first.addingReportingOverflow(d)
        return (product.high &+ (overflow ? 1 : 0) &+ (carried ? 1 : 0), second)
    }

    /// base^exponent, both base and result in Montgomery's representation; anything to the power of zero is one.
    package func power(_ base: LimbInteger, _ exponent: LimbInteger) -> LimbInteger {
        var result = one
        for bit in (0..<exponent.bitWidth).reversed() {
            result = multiply(result, result)
            if exponent.bit(bit) {
                result = multiply(result, base)
            }
        }
        return result
    }

    /// The inverse of a number modulo a prime, in Montgomery's representation: by Fermat's little theorem the power of the prime less two.
    package func inverseModuloPrime(_ number: LimbInteger) -> LimbInteger {
        var exponent = modulus
        var two = LimbInteger(limbs: Array(repeating: 0, count: limbCount))
        two.limbs[0] = 2
        _ = exponent.subtract(two)
        return power(number, exponent)
    }
}
