import AppStoreSimulator
import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct MontgomeryModulusTests {
    @Test(.enabled(if: Interpreter.hasPython)) func `powers agree with Python's, from one limb to sixty-four`() throws {
        let program = """
            import random
            random.seed(7)
            for limbs in (1, 2, 3, 4, 6, 16, 33, 64):
                for top in (1, 2**63, 2**64 - 1):
                    n = top << (64 * limbs - 64) | (random.getrandbits(64 * limbs - 64) if limbs > 1 else 0) | 1
                    if n == 1: n = 3
                    for b in (0, 1, n - 1, random.randrange(n)):
                        for e in (0, 1, 2, random.getrandbits(20), random.getrandbits(66) | 1 << 65):
                            print('%x %x %x %x' % (n, b, e, pow(b, e, n)))
            """
        func number(_ text: Substring, _ limbs: Int) throws -> LimbInteger {
            try #require(
                LimbInteger(bigEndian: bytes(text.count % 2 == 0 ? String(text) : "0" + text), limbCount: limbs))
        }
        let lines = try Interpreter.python(program).split(separator: "\n")
        try #require(lines.count == 480)
        for line in lines {
            let fields = line.split(separator: " ")
            let limbs = (fields[0].count + 15) / 16
            let modulus = try #require(MontgomeryModulus(number(fields[0], limbs)))
            let power = modulus.power(modulus.represent(try number(fields[1], limbs)), try number(fields[2], 2))
            expectEqual(modulus.value(power), try number(fields[3], limbs))
        }
    }

    @Test func `products and squares agree with slow arithmetic where everything carries`() throws {
        var random = SeededGenerator(seed: SeededGenerator.seed)
        for limbs in [1, 2, 3, 4, 5, 8, 9] {
            let (largest, top) = (
                ReferenceInteger.powerOfTwo(64 * limbs) - ReferenceInteger(1),
                ReferenceInteger.powerOfTwo(64 * limbs - 1)
            )
            let moduli = [
                largest, top + ReferenceInteger(1), ReferenceInteger.powerOfTwo(64 * limbs - 63) + ReferenceInteger(1),
            ]
            for modulus in moduli {
                func limbInteger(_ number: ReferenceInteger) throws -> LimbInteger {
                    try #require(LimbInteger(bigEndian: number.bigEndian(count: limbs * 8), limbCount: limbs))
                }
                let montgomery = try #require(MontgomeryModulus(limbInteger(modulus)))
                let others = (0..<3).map { _ in ReferenceInteger(bigEndian: random.bytes(limbs * 8)) % modulus }
                for left in [modulus - ReferenceInteger(1), ReferenceInteger(0), ReferenceInteger(1)] + others {
                    for right in [modulus - ReferenceInteger(1), left] + others {
                        let product = try montgomery.multiply(
                            montgomery.represent(limbInteger(left)), limbInteger(right))
                        expectEqual(
                            product, try limbInteger(left * right % modulus), "ARITHMETIC_SEED=\(SeededGenerator.seed)")
                    }
                    let square = try montgomery.power(montgomery.represent(limbInteger(left)), LimbInteger(limbs: [2]))
                    expectEqual(
                        montgomery.value(square), try limbInteger(left * left % modulus),
                        "ARITHMETIC_SEED=\(SeededGenerator.seed)")
                }
            }
        }
    }

    @Test func `a modulus is odd, above one and without empty limbs`() {
        for limbs in [[], [0], [1], [2], [3, 0], [4, 1]] as [[UInt64]] {
            #expect(MontgomeryModulus(LimbInteger(limbs: limbs)) == nil)
        }
        #expect(MontgomeryModulus(LimbInteger(limbs: [3])) != nil)
    }
}
