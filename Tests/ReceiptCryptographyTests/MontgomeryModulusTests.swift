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
                        e = random.getrandbits(70)
                        print('%x %x %x %x' % (n, b, e, pow(b, e, n)))
            """
        func number(_ text: Substring, _ limbs: Int) throws -> LimbInteger {
            try #require(LimbInteger(bigEndian: bytes(text.count % 2 == 0 ? String(text) : "0" + text), limbCount: limbs))
        }
        let lines = try Interpreter.python(program).split(separator: "\n")
        try #require(lines.count == 96)
        for line in lines {
            let fields = line.split(separator: " ")
            let limbs = (fields[0].count + 15) / 16
            let modulus = try #require(MontgomeryModulus(number(fields[0], limbs)))
            let power = modulus.power(modulus.represent(try number(fields[1], limbs)), try number(fields[2], 2))
            #expect(try modulus.value(power) == number(fields[3], limbs))
        }
    }

    @Test func `a modulus is odd, above one and without empty limbs`() {
        for limbs in [[], [0], [1], [2], [3, 0], [4, 1]] as [[UInt64]] {
            #expect(MontgomeryModulus(LimbInteger(limbs: limbs)) == nil)
        }
        #expect(MontgomeryModulus(LimbInteger(limbs: [3])) != nil)
    }

    @Test func `inverses modulo a prime`() throws {
        let prime = try #require(MontgomeryModulus(LimbInteger(limbs: [65_537])))
        for number in [1, 2, 3, 65_536] as [UInt64] {
            let x = prime.represent(LimbInteger(limbs: [number]))
            #expect(prime.multiply(x, prime.inverseModuloPrime(x)) == prime.one)
        }
    }
}
