import AppStoreSimulator
import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct JacobianPointTests {
    /// The addition law of textbooks, with a division in each step. `nil` is the point at infinity.
    private func sum<Curve: PrimeCurve>(_ left: AffinePoint<Curve>?, _ right: AffinePoint<Curve>?) throws
        -> AffinePoint<Curve>?
    {
        guard let left else { return right }
        guard let right else { return left }
        let one = Residue<Curve.Field>.one
        var slope = (right.y - left.y) * (right.x - left.x).inverse()
        if left.x == right.x {
            guard left.y == right.y else { return nil }
            slope = (left.x * left.x - one) * (one + one + one) * (left.y + left.y).inverse()
        }
        let x = slope * slope - left.x - right.x
        let y = slope * (left.x - x) - left.y
        let bytes = [0x04] + x.bytes + y.bytes
        let point: AffinePoint<Curve> = try #require(AffinePoint(uncompressed: bytes[...]), "a sum lies on the curve")
        return point
    }

    /// The first multiples of the base point, including infinity, by repeated addition.
    private func multiples<Curve: PrimeCurve>(_: Curve.Type, count: Int) throws -> [AffinePoint<Curve>?] {
        var multiples: [AffinePoint<Curve>?] = [nil]
        while multiples.count < count {
            multiples.append(try sum(multiples[multiples.count - 1], Curve.basePoint))
        }
        return multiples
    }

    @Test func `small multiples of the base point equal repeated additions`() throws {
        func check<Curve: PrimeCurve>(_: Curve.Type, count: Int) throws {
            for (number, expected) in try multiples(Curve.self, count: count).enumerated() {
                let limbs = UInt384(UInt64(number))
                expectEqual(JacobianPoint<Curve>.baseMultiple(limbs).affine, expected)
                let opposite = JacobianPoint<Curve>.baseMultiple(Curve.Order.prime &- limbs).affine
                expectEqual(opposite?.x, expected?.x)
                expectEqual(opposite == expected, number == 0)
            }
        }
        try check(P256.self, count: 130)
        try check(P384.self, count: 40)
    }

    @Test func `sums of equal, opposite, infinite and any other points are right`() throws {
        func check<Curve: PrimeCurve>(_: Curve.Type) throws {
            let multiples = try multiples(Curve.self, count: 9)
            let opposites = try multiples.map { point in try point.map { try #require(opposite($0)) } }
            let points = multiples + opposites
            // Sums of points that are results of additions, with z other than one.
            for (i, left) in points.enumerated() {
                let moved = i % 9 == 0 ? JacobianPoint<Curve>.infinity : try moved(try #require(left))
                expectEqual(moved.affine, left)
                expectEqual(moved.doubled().affine, try sum(left, left))
                for right in points {
                    let expected = try sum(left, right)
                    let other = right.map { JacobianPoint($0) } ?? JacobianPoint.infinity
                    expectEqual((moved + other).affine, expected)
                    expectEqual((other + moved).affine, expected)
                }
            }
        }
        try check(P256.self)
    }

    private func opposite<Curve: PrimeCurve>(_ point: AffinePoint<Curve>) -> AffinePoint<Curve>? {
        let bytes =
            [0x04] + point.x.bytes + (Curve.Field.prime &- point.y.number).bigEndian(count: Curve.Field.byteCount)
        return AffinePoint(uncompressed: bytes[...])
    }

    /// Returns the same point with another denominator: (point + 99 · base point) - 99 · base point.
    private func moved<Curve: PrimeCurve>(_ point: AffinePoint<Curve>) throws -> JacobianPoint<Curve> {
        let away = JacobianPoint<Curve>.baseMultiple(UInt384(99))
        let back = JacobianPoint<Curve>.baseMultiple(Curve.Order.prime &- UInt384(99))
        return JacobianPoint(point) + away + back
    }

    @Test func `first · base + second · point is right for every pair of small numbers, where points meet`() throws {
        // The sums include equal and opposite multiples of both tables, and infinity.
        func check<Curve: PrimeCurve>(_: Curve.Type, factors: [UInt64], numbers: [UInt64]) throws {
            let scalars =
                numbers.map { UInt384($0) } + numbers.map { Curve.Order.prime &- UInt384($0) }
            for factor in factors {
                let point = try #require(JacobianPoint<Curve>.baseMultiple(UInt384(factor)).affine)
                for first in scalars {
                    for second in scalars {
                        expectCombination(first, second, of: point, factor: Residue(UInt384(factor)))
                    }
                }
            }
        }
        try check(P256.self, factors: [1, 2, 3], numbers: [1, 2, 3, 15])
        try check(P384.self, factors: [1, 3], numbers: [1, 3])
    }

    /// Compares first · base + second · (factor · base) with (first + second · factor) · base.
    private func expectCombination<Curve: PrimeCurve>(
        _ first: UInt384, _ second: UInt384, of point: AffinePoint<Curve>,
        factor: Residue<Curve.Order>
    ) {
        let total = Residue<Curve.Order>(reducing: first) + Residue<Curve.Order>(reducing: second) * factor
        let combination = JacobianPoint<Curve>.combination(first, second, of: point)
        expectEqual(
            combination.affine, JacobianPoint<Curve>.baseMultiple(total.number).affine,
            "ARITHMETIC_SEED=\(SeededGenerator.seed): \(first), \(second), \(factor.bytes)"
        )
    }

    @Test func `first · base + second · point is right for numbers of any form`() throws {
        func check<Curve: PrimeCurve>(_: Curve.Type) throws {
            var random = SeededGenerator(seed: SeededGenerator.seed)
            let one = UInt384(1)
            var scalars = [
                UInt384.zero, one, Curve.Order.prime &- one, Curve.Order.prime, Curve.Order.prime &+ one,
            ]
            scalars.append(
                try #require(UInt384(bigEndian: [UInt8](repeating: 0xFF, count: Curve.Field.byteCount)[...])))
            for limb in 0..<Curve.Field.byteCount / 8 {
                var number = UInt384.zero
                number[limb] = 1 << 63
                scalars += [number, number &- one]
            }
            for (index, first) in scalars.enumerated() {
                let key = try #require(
                    UInt384(bigEndian: [1] + random.bytes(Curve.Field.byteCount - 2)))
                let point = try #require(JacobianPoint<Curve>.baseMultiple(key).affine)
                expectCombination(first, scalars[scalars.count - 1 - index], of: point, factor: Residue(key))
                let other = try #require(UInt384(bigEndian: random.bytes(Curve.Field.byteCount)[...]))
                expectCombination(first, other, of: point, factor: Residue(key))
                expectCombination(other, first, of: point, factor: Residue(key))
            }
        }
        try check(P256.self)
        try check(P384.self)
    }

    @Test(
        .enabled(if: Interpreter.hasPythonCryptography),
        arguments: [("SECP256R1", EllipticCurve.p256), ("SECP384R1", .p384)])
    func `public keys of random and extreme private numbers are those of Python's cryptography`(
        name: String, curve: EllipticCurve
    ) throws {
        let program = """
            import random
            from cryptography.hazmat.primitives.asymmetric import ec
            from cryptography.hazmat.primitives import serialization
            random.seed(\(SeededGenerator.seed))
            c = ec.\(name)()
            n = {256: 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551, 384:
                0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973}[c.key_size]
            numbers = [n - k for k in (1, 2, 3, 16, 63)] + [(n - 1) // 2, (n + 1) // 2]
            numbers += [2 ** k - d for k in (5, 7, 64, 128, 192, 255) for d in (0, 1)] + [random.randrange(1, n) for _ in range(20)]
            for d in numbers:
                point = ec.derive_private_key(d, c).public_key().public_bytes(
                    serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
                print(d.to_bytes(c.key_size // 8, 'big').hex(), point.hex())
            """
        let lines = try Interpreter.python(program).split(separator: "\n")
        try #require(lines.count == 39)
        for line in lines {
            let fields = line.split(separator: " ").map { bytes(String($0)) }
            switch curve {
            case .p256: try expectMultiple(P256.self, fields[0], fields[1])
            case .p384: try expectMultiple(P384.self, fields[0], fields[1])
            }
        }
    }

    private func expectMultiple<Curve: PrimeCurve>(_: Curve.Type, _ number: [UInt8], _ point: [UInt8]) throws {
        let limbs = try #require(UInt384(bigEndian: number[...]))
        expectEqual(
            JacobianPoint<Curve>.baseMultiple(limbs).affine?.uncompressed, point,
            "ARITHMETIC_SEED=\(SeededGenerator.seed): \(number.hexadecimal)")
    }
}
