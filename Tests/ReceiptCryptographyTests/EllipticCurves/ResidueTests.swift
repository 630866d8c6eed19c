import AppStoreSimulator
import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct ResidueTests {
    /// The primes in the standard's form, in powers of two or in digits (SP 800-186, sections 3.2.1.3 and 3.2.1.4).
    private static let p256 = power(256) - power(224) + power(192) + power(96) - ReferenceInteger(1)
    private static let p384 = power(384) - power(128) - power(96) + power(32) - ReferenceInteger(1)
    private static let n256 = ReferenceInteger(
        bigEndian: bytes("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"))
    private static let n384 = ReferenceInteger(
        bigEndian: bytes(
            "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973"))

    private static func power(_ exponent: Int) -> ReferenceInteger { .powerOfTwo(exponent) }

    @Test func `residues modulo the prime of P-256 agree with slow arithmetic`() throws {
        try check(P256.Field.self, Self.p256)
    }

    @Test func `residues modulo the order of P-256 agree with slow arithmetic`() throws {
        try check(P256.Order.self, Self.n256)
    }

    @Test func `residues modulo the prime of P-384 agree with slow arithmetic`() throws {
        try check(P384.Field.self, Self.p384)
    }

    @Test func `residues modulo the order of P-384 agree with slow arithmetic`() throws {
        try check(P384.Order.self, Self.n384)
    }

    private func check<Modulus: PrimeModulus>(_: Modulus.Type, _ prime: ReferenceInteger) throws {
        let byteCount = Modulus.byteCount
        expectEqual(Modulus.prime.bigEndian(count: byteCount), prime.bigEndian(count: byteCount))
        func residue(_ number: ReferenceInteger) throws -> Residue<Modulus> {
            Residue(try #require(UInt384(bigEndian: number.bigEndian(count: byteCount)[...])))
        }
        func check(_ a: ReferenceInteger, _ b: ReferenceInteger) throws {
            let comment: Comment =
                "ARITHMETIC_SEED=\(SeededGenerator.seed): \(a.bigEndian(count: byteCount)), \(b.bigEndian(count: byteCount))"
            let (left, right) = (try residue(a), try residue(b))
            expectEqual((left + right).bytes, ((a + b) % prime).bigEndian(count: byteCount), comment)
            expectEqual(
                (left - right).bytes, ((a + prime - b) % prime).bigEndian(count: byteCount), comment)
            expectEqual((left * right).bytes, ((a * b) % prime).bigEndian(count: byteCount), comment)
        }
        let edges = Self.edges(of: prime, limbCount: Modulus.byteCount / 8)
        let last = prime - ReferenceInteger(1)
        for (index, edge) in edges.enumerated() {
            expectEqual(try residue(edge).bytes, edge.bigEndian(count: byteCount))
            for other in [edge, last, edges[(index * 7 + 5) % edges.count]] {
                try check(edge, other)
            }
        }
        var random = SeededGenerator(seed: SeededGenerator.seed)
        for _ in 0..<30 {
            try check(
                ReferenceInteger(bigEndian: random.bytes(byteCount)) % prime,
                ReferenceInteger(bigEndian: random.bytes(byteCount)) % prime)
        }
    }

    /// Numbers that cause carries or borrows: around zero, the prime, half the prime, the boundaries of limbs, and R
    /// mod prime.
    private static func edges(of prime: ReferenceInteger, limbCount: Int) -> [ReferenceInteger] {
        let one = ReferenceInteger(1)
        let radix = power(64 * limbCount)
        var edges = [ReferenceInteger(0), one, ReferenceInteger(2), prime - one, prime - ReferenceInteger(2)]
        edges += [radix - prime, radix - prime - one, prime - (radix - prime), (radix * radix) % prime]
        for limb in 1..<limbCount {
            let boundary = power(64 * limb)
            edges += [
                boundary - one, boundary, prime - boundary, prime - boundary - one,
                (boundary - one) * power(64) % prime,
            ]
        }
        edges += [power(64 * limbCount - 1) - one, power(64 * limbCount - 1)]
        return edges
    }

    @Test func `a number times its inverse is one, and zero has none`() throws {
        func check<Modulus: PrimeModulus>(_: Modulus.Type) throws {
            var random = SeededGenerator(seed: SeededGenerator.seed)
            let numbers = [
                UInt384(1), UInt384(2), Modulus.prime &- UInt384(1),
                Modulus.prime &- UInt384(2),
            ]
            let randoms = try (0..<5).map { _ in
                try #require(UInt384(bigEndian: [0] + random.bytes(Modulus.byteCount - 1)))
            }
            for number in numbers + randoms where !number.isZero {
                let residue = Residue<Modulus>(number)
                expectEqual(residue * residue.inverse(), Residue.one, "ARITHMETIC_SEED=\(SeededGenerator.seed)")
            }
            expectEqual(Residue<Modulus>.zero.inverse(), Residue.zero)
            expectEqual(Residue<Modulus>.one.number, UInt384(1))
        }
        try check(P256.Field.self)
        try check(P256.Order.self)
        try check(P384.Field.self)
        try check(P384.Order.self)
    }

    @Test func `numbers of the prime's length that are not below it are reduced`() throws {
        func check<Modulus: PrimeModulus>(_: Modulus.Type) throws {
            let largest = try #require(
                UInt384(bigEndian: Array(repeating: 0xFF, count: Modulus.byteCount)[...]))
            #expect(Residue<Modulus>(reducing: Modulus.prime).isZero)
            expectEqual(Residue<Modulus>(reducing: Modulus.prime &+ UInt384(1)), Residue.one)
            expectEqual(Residue<Modulus>(reducing: largest).number, largest &- Modulus.prime)
            expectEqual(
                Residue<Modulus>(reducing: Modulus.prime &- UInt384(1)).number, Modulus.prime &- UInt384(1))
        }
        try check(P256.Field.self)
        try check(P256.Order.self)
        try check(P384.Field.self)
        try check(P384.Order.self)
    }
}
