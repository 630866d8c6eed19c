import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct FixedLimbsTests {
    @Test func `numbers are read from big-endian bytes of any length that they fit, and written in full`() throws {
        func check<Limbs: FixedLimbs>(_: Limbs.Type) throws {
            let size = Limbs.byteCount
            let digits = (0..<size).map { UInt8($0 + 1) }
            let number = try #require(Limbs(bigEndian: digits[...]))
            expectEqual(number.bigEndianBytes, digits)
            expectEqual(Limbs(bigEndian: ([9, 9] + digits)[2...]), number)
            expectEqual(Limbs(bigEndian: ([0, 0, 0] + digits)[...]), number)
            expectEqual(Limbs(bigEndian: ([1] + digits)[...]), nil)
            expectEqual(Limbs(bigEndian: ([1, 0, 0, 0, 0, 0, 0, 0, 0] + digits)[...]), nil)
            expectEqual(Limbs(bigEndian: []), Limbs.zero)
            expectEqual(Limbs(bigEndian: [0, 0]), Limbs.zero)
            for length in 1...size {
                let short = try #require(Limbs(bigEndian: digits.prefix(length)))
                expectEqual(short.bigEndianBytes, Array(repeating: 0, count: size - length) + digits.prefix(length))
            }
            expectEqual(Limbs.limbCount * 8, size)
            expectEqual(number[0] & 0xFF, UInt64(size))
            expectEqual(number[Limbs.limbCount - 1] >> 56, 1)
        }
        try check(UInt256.self)
        try check(UInt384.self)
    }

    @Test func `a comparison of numbers uses every limb`() {
        func check<Limbs: FixedLimbs>(_: Limbs.Type) {
            let ordered = (0..<Limbs.limbCount).flatMap { index in
                [1, 2, UInt64.max].map { limb in
                    var number = Limbs.zero
                    number[index] = limb
                    return number
                }
            }
            for (i, left) in ([Limbs.zero] + ordered).enumerated() {
                for (j, right) in ([Limbs.zero] + ordered).enumerated() {
                    expectEqual((left < right), (i < j))
                    expectEqual(left == right, i == j)
                    expectEqual(left.isZero, i == 0)
                }
            }
        }
        check(UInt256.self)
        check(UInt384.self)
    }

    @Test func `digits have four bits`() throws {
        func check<Limbs: FixedLimbs>(_: Limbs.Type) throws {
            var random = SeededGenerator(seed: SeededGenerator.seed)
            let bytes = random.bytes(Limbs.byteCount)
            let number = try #require(Limbs(bigEndian: bytes[...]))
            let digits = bytes.reversed().flatMap { [Int($0 & 15), Int($0 >> 4)] }
            expectEqual(
                (0..<Limbs.digitCount).map(number.digit), digits, "ARITHMETIC_SEED=\(SeededGenerator.seed)")
        }
        try check(UInt256.self)
        try check(UInt384.self)
    }

    @Test func `sums and differences wrap around`() throws {
        func check<Limbs: FixedLimbs>(_: Limbs.Type) throws {
            let largest = Limbs.zero &- Limbs(1)
            expectEqual(largest.bigEndianBytes, Array(repeating: 0xFF, count: Limbs.byteCount))
            expectEqual(largest &+ Limbs(1), Limbs.zero)
            expectEqual(largest &+ largest, largest &- Limbs(1))
            for index in 1..<Limbs.limbCount {
                var power = Limbs.zero
                power[index] = 1
                let below = power &- Limbs(1)
                #expect((0..<index).allSatisfy { below[$0] == UInt64.max } && below[index] == 0)
                expectEqual(below &+ Limbs(1), power)
            }
        }
        try check(UInt256.self)
        try check(UInt384.self)
    }
}
