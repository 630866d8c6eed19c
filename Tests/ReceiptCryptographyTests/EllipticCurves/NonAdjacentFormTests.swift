import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct NonAdjacentFormTests {
    @Test(arguments: 2...8) func `digits are odd, small, far apart, and add up to the number`(width: Int) throws {
        func check<Limbs: FixedLimbs>(_: Limbs.Type) throws {
            var random = SeededGenerator(seed: SeededGenerator.seed)
            var numbers = [Limbs.zero, Limbs(1), Limbs(2), Limbs.zero &- Limbs(1), Limbs.zero &- Limbs(2)]
            for _ in 0..<20 {
                numbers.append(try #require(Limbs(bigEndian: random.bytes(Limbs.byteCount)[...])))
            }
            for number in numbers {
                let comment: Comment = "ARITHMETIC_SEED=\(SeededGenerator.seed): \(number.bigEndianBytes.hexadecimal)"
                let digits = digits(of: number, width: width)
                expectEqual(digits.count, Limbs.bitWidth + 1)
                let places = digits.indices.filter { digits[$0] != 0 }
                #expect(places.allSatisfy { digits[$0] % 2 != 0 && abs(digits[$0]) < 1 << (width - 1) }, comment)
                #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= width }, comment)
                // From the highest digit down. Negative digits are summed separately, because the reference has no
                // sign.
                var (positive, negative) = (ReferenceInteger(0), ReferenceInteger(0))
                for digit in digits.reversed() {
                    positive = positive + positive + ReferenceInteger(UInt32(max(digit, 0)))
                    negative = negative + negative + ReferenceInteger(UInt32(max(-digit, 0)))
                }
                expectEqual(positive, negative + ReferenceInteger(bigEndian: number.bigEndianBytes), comment)
            }
        }
        try check(UInt256.self)
        try check(UInt384.self)
    }

    private func digits(of number: some FixedLimbs, width: Int) -> [Int] {
        let capacity = NonAdjacentForm.capacity(bitWidth: type(of: number).bitWidth)
        return withUnsafeTemporaryAllocation(of: Int8.self, capacity: capacity) { memory in
            let form = NonAdjacentForm(number, width: width, in: memory)
            return (0..<capacity).map { form[$0] }
        }
    }
}
