import AppStoreSimulator
import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct UInt384Tests {
    @Test func `numbers are read from big-endian bytes of any length that they fit, and written in full`() throws {
        let size = 48
        let digits = (0..<size).map { UInt8($0 + 1) }
        let number = try #require(UInt384(bigEndian: digits[...]))
        expectEqual(number.bigEndian(count: 48), digits)
        expectEqual(UInt384(bigEndian: ([9, 9] + digits)[2...]), number)
        expectEqual(UInt384(bigEndian: ([0, 0, 0] + digits)[...]), number)
        expectEqual(UInt384(bigEndian: ([1] + digits)[...]), nil)
        expectEqual(UInt384(bigEndian: ([1, 0, 0, 0, 0, 0, 0, 0, 0] + digits)[...]), nil)
        expectEqual(UInt384(bigEndian: []), UInt384.zero)
        expectEqual(UInt384(bigEndian: [0, 0]), UInt384.zero)
        for length in 1...size {
            let short = try #require(UInt384(bigEndian: digits.prefix(length)))
            expectEqual(short.bigEndian(count: 48), Array(repeating: 0, count: size - length) + digits.prefix(length))
        }
        expectEqual(number[0] & 0xFF, UInt64(size))
        expectEqual(number[5] >> 56, 1)
    }

    @Test func `a comparison of numbers uses every limb`() {
        let ordered = (0..<6).flatMap { index in
            [1, 2, UInt64.max].map { limb in
                var number = UInt384.zero
                number[index] = limb
                return number
            }
        }
        for (i, left) in ([UInt384.zero] + ordered).enumerated() {
            for (j, right) in ([UInt384.zero] + ordered).enumerated() {
                expectEqual((left < right), (i < j))
                expectEqual(left == right, i == j)
                expectEqual(left.isZero, i == 0)
            }
        }
    }

    @Test func `digits have four bits`() throws {
        var random = SeededGenerator(seed: SeededGenerator.seed)
        let bytes = random.bytes(48)
        let number = try #require(UInt384(bigEndian: bytes[...]))
        let digits = bytes.reversed().flatMap { [Int($0 & 15), Int($0 >> 4)] }
        expectEqual(
            (0..<96).map(number.digit), digits, "ARITHMETIC_SEED=\(SeededGenerator.seed)")
    }

    @Test func `sums and differences wrap around`() throws {
        let largest = UInt384.zero &- UInt384(1)
        expectEqual(largest.bigEndian(count: 48), Array(repeating: 0xFF, count: 48))
        expectEqual(largest &+ UInt384(1), UInt384.zero)
        expectEqual(largest &+ largest, largest &- UInt384(1))
        for index in 1..<6 {
            var power = UInt384.zero
            power[index] = 1
            let below = power &- UInt384(1)
            #expect((0..<index).allSatisfy { below[$0] == UInt64.max } && below[index] == 0)
            expectEqual(below &+ UInt384(1), power)
        }
    }
}
