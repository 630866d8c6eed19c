/// Arithmetic modulo an odd number in Montgomery's representation, which stores x as x·R with R = 2^(64·limbs).
///
/// The operations don't run in constant time. Use them only with public numbers, as in signature verification.
package struct MontgomeryModulus: Sendable {
    package let modulus: LimbInteger
    package let limbCount: Int
    /// -modulus⁻¹ mod 2^64.
    private let inverse: UInt64
    /// R mod modulus: the number one.
    package let one: LimbInteger
    /// R² mod modulus: the factor that converts a number to Montgomery's representation.
    private let radixSquared: LimbInteger

    /// Creates a modulus; `nil` unless the number is odd and greater than one, and its highest limb isn't zero.
    package init?(_ modulus: LimbInteger) {
        guard let low = modulus.limbs.first, low & 1 == 1, let top = modulus.limbs.last, top != 0, modulus.bitWidth > 1
        else { return nil }
        self.modulus = modulus
        limbCount = modulus.limbs.count
        // Each step of Newton's iteration doubles the number of correct bits. An odd number is its own inverse modulo
        // 8.
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
        // One is R in this representation. 64 doublings, and squarings along the bits of the number of limbs, result in
        // 2^(64·limbs)·R.
        func doubled(_ number: LimbInteger) -> LimbInteger {
            (0..<64).reduce(number) { double, _ in MontgomeryModulus.sum(double, double, modulus) }
        }
        var square = doubled(power)
        for bit in (0..<(Int.bitWidth - limbCount.leadingZeroBitCount - 1)).reversed() {
            square = MontgomeryModulus.product(square, square, modulus, self.inverse)
            if limbCount >> bit & 1 == 1 { square = doubled(square) }
        }
        radixSquared = square
    }

    /// Converts a number below the modulus to Montgomery's representation.
    package func represent(_ number: LimbInteger) -> LimbInteger {
        multiply(number, radixSquared)
    }

    /// Returns the number of a representation.
    package func value(_ representation: LimbInteger) -> LimbInteger {
        multiply(representation, LimbInteger(limbs: [1]))
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

    /// Returns left · right / R mod modulus, for two numbers below the modulus.
    package func multiply(_ left: LimbInteger, _ right: LimbInteger) -> LimbInteger {
        MontgomeryModulus.product(left, right, modulus, inverse)
    }

    private static func product(
        _ left: LimbInteger, _ right: LimbInteger, _ modulus: LimbInteger, _ inverse: UInt64
    ) -> LimbInteger {
        MontgomeryWorkspace.with(modulus, negatedInverse: inverse, numbers: 2) { workspace in
            workspace.load(left, at: 0)
            workspace.load(right, at: 1)
            workspace.multiply(at: 0, by: 1)
            return workspace.number(at: 0)
        }
    }

    /// Returns base^exponent, with base and result in Montgomery's representation. Any number to the power of zero is
    /// one.
    ///
    /// A long exponent is processed five bits at a time, with a table of the first 32 powers (Handbook of Applied
    /// Cryptography, algorithm 14.82).
    package func power(_ base: LimbInteger, _ exponent: LimbInteger) -> LimbInteger {
        let width = exponent.bitWidth > 64 ? 5 : 1
        let result = 1 << width
        return MontgomeryWorkspace.with(modulus, negatedInverse: inverse, numbers: result + 1) { workspace in
            workspace.load(one, at: 0)
            workspace.load(base, at: 1)
            for power in 2..<max(result, 2) {
                workspace.copy(power - 1, to: power)
                workspace.multiply(at: power, by: 1)
            }
            var position = (exponent.bitWidth + width - 1) / width * width
            workspace.copy(0, to: result)
            while position > 0 {
                let isFirst = position >= exponent.bitWidth
                position -= width
                var digit = 0
                for bit in (0..<width).reversed() {
                    if !isFirst { workspace.multiply(at: result, by: result) }
                    digit = digit << 1 | (exponent.bit(position + bit) ? 1 : 0)
                }
                if isFirst {
                    workspace.copy(digit, to: result)
                } else if digit != 0 {
                    workspace.multiply(at: result, by: digit)
                }
            }
            return workspace.number(at: result)
        }
    }
}
